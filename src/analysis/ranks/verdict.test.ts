import { describe, expect, it } from 'vitest'
import { rankVerdict, rankListText, type RankFacts } from './verdict'

const BALANCED: RankFacts = {
  late: null,
  lateEvidence: '',
  alignment: [{ use: 'reference' }, { use: 'aligned' }],
  problems: [],
  matches: 12,
  lateDoing: '',
  partial: [],
  rounds: { unit: 'step', count: 6, late: 0 },
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

  it('what has no record is said first, and without a late rank nothing else is', () => {
    const coverage = { launches: 200, withoutRecord: 40, ratio: 0.8 }
    const partial = [{ rank: 1, coverage }]
    expect(rankVerdict({ ...BALANCED, partial })).toMatchObject({
      kind: 'cannot-tell',
      sentence:
        'Which rank is late cannot be determined: 40 of 200 launches (20 %) of rank 1 have no record on a GPU.',
    })
    const late = { rank: 1, steps: [3, 4], medianUs: 12_000, totalUs: 24_000, cause: 'host-code' } as const
    expect(rankVerdict({ ...BALANCED, late, partial }).sentence).toMatch(
      /^40 of 200 launches \(20 %\) of rank 1 have no record on a GPU\. In what is recorded: Rank 1 is late/,
    )
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
    expect(sentence({ matches: 0, rounds: { unit: 'step', count: 0, late: 0 } })).toEqual([
      'cannot-tell',
      'Which rank is late cannot be determined: no collective appears on more than one rank.',
    ])
    const none = [{ use: 'reference' }, { use: 'none' }] as const
    expect(sentence({ alignment: none })[1]).toContain('clocks of their files cannot be aligned')
    expect(sentence({ rounds: { unit: 'step', count: 1, late: 0 } })[1]).toContain('only one step')
  })
})
