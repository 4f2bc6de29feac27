import { describe, expect, it } from 'vitest'
import { rankVerdict, rankListText, type RankFacts } from './verdict'

const BALANCED: RankFacts = {
  late: null,
  lateEvidence: '',
  alignment: [{ use: 'reference' }, { use: 'aligned' }],
  problems: [],
  matches: 12,
  steps: 6,
}

describe('what several ranks come to', () => {
  it('numbers are said as ranges, and not without end', () => {
    expect(rankListText([4])).toBe('4')
    expect(rankListText([0, 1])).toBe('0 and 1')
    expect(rankListText([0, 2, 4, 5, 6, 7])).toBe('0, 2 and 4 to 7')
    expect(rankListText(Array.from({ length: 20 }, (_, index) => 2 * index))).toBe(
      '0, 2, 4, 6, 8, 10 and 14 more',
    )
  })

  it('a late rank is named with its steps and the cause', () => {
    const late = { rank: 1, steps: [3, 4, 5, 8], medianUs: 12_000, cause: 'host-late' } as const
    expect(rankVerdict({ ...BALANCED, late, lateEvidence: 'Its device was idle.' })).toEqual({
      kind: 'late',
      sentence:
        'Rank 1 is late by 12 ms (median) in steps 3 to 5 and 8, and the others wait for it: its host launches its work late.',
      note: 'Its device was idle.',
    })
  })

  it('none late is said of those that are here', () => {
    expect(rankVerdict(BALANCED).sentence).toMatch(/^No rank is late/)
    const missing = [{ code: 'missing-ranks', message: '' }] as const
    expect(rankVerdict({ ...BALANCED, problems: missing }).sentence).toMatch(/^None of these ranks is late/)
  })

  it('it is not told from what says nothing: no match, no clocks, one step', () => {
    const sentence = (facts: Partial<RankFacts>) => {
      const { kind, sentence: said } = rankVerdict({ ...BALANCED, ...facts })
      return [kind, said]
    }
    expect(sentence({ matches: 0, steps: 0 })).toEqual([
      'cannot-tell',
      'Which rank is late cannot be told: no collective of one rank is found on another.',
    ])
    const none = [{ use: 'reference' }, { use: 'none' }] as const
    expect(sentence({ alignment: none })[1]).toContain('clocks of their files cannot be aligned')
    expect(sentence({ steps: 1 })[1]).toContain('only one step')
  })
})
