import { describe, expect, it } from 'vitest'
import { allWords, factsOfDevice, factsOfRun, NO_FACTS, wordsFor, mapTable, partsFor } from './condition'
import type { Test } from './lesson'
import { experiments } from '../experiments/catalog'
import { experimentLessons } from './testing/catalog'
import { fakeReport, type FakeOptions } from './testing/fake-quote'

function factsOf(options: Partial<FakeOptions>, origin: 'live' | 'recorded' = 'live') {
  const [lesson] = experimentLessons
  const meta = experiments.find(({ id }) => id === lesson?.experiment)
  if (!lesson || !meta) throw new Error('no lesson to borrow a report from')
  return factsOfRun(fakeReport(lesson, meta, { reason: 'why', value: () => 1, ...options }), origin)
}
const is = (fact: 'ran' | 'shown' | 'inconclusive' | 'software' | 'timestamps' | 'recorded'): Test => ({
  fact,
  not: false,
})
const not = (fact: 'shown' | 'software' | 'timestamps'): Test => ({ fact, not: true })
const shows = (test: Test, facts: ReturnType<typeof factsOf>): boolean =>
  wordsFor([{ when: [test], text: 'x' }], facts).length === 1

describe('conditions', () => {
  it('follow the verdict of a run', () => {
    expect(shows(is('shown'), factsOf({ outcome: 'shown' }))).toBe(true)
    expect(shows(not('shown'), factsOf({ outcome: 'shown' }))).toBe(false)
    for (const outcome of ['not-shown', 'inconclusive'] as const) {
      expect(shows(is('shown'), factsOf({ outcome })), outcome).toBe(false)
      expect(shows(not('shown'), factsOf({ outcome })), outcome).toBe(true)
    }
    expect(shows(is('inconclusive'), factsOf({ outcome: 'inconclusive' }))).toBe(true)
    expect(shows({ reason: 'why', not: false }, factsOf({}))).toBe(true)
    expect(shows({ reason: 'other', not: false }, factsOf({}))).toBe(false)
    expect(shows({ reason: 'other', not: true }, factsOf({}))).toBe(true)
  })

  it('hold of no run that does not count, whichever way they are put', () => {
    for (const bad of [{ valid: false }, { failed: 1 }])
      for (const negated of [false, true]) {
        expect(shows({ fact: 'shown', not: negated }, factsOf({ outcome: 'shown', ...bad }))).toBe(false)
        expect(shows({ reason: 'why', not: negated }, factsOf(bad))).toBe(false)
      }
  })

  it('know the machine', () => {
    expect(shows(is('software'), factsOf({ environment: { isSoftware: true } }))).toBe(true)
    expect(shows(not('timestamps'), factsOf({ clock: 'no-timestamps' }))).toBe(true)
    expect(shows(is('timestamps'), factsOf({}))).toBe(true)
    expect(shows(is('recorded'), factsOf({}, 'recorded'))).toBe(true)
    const device = factsOfDevice({ isSoftware: false, features: ['timestamp-query'] })
    expect(shows(is('timestamps'), device)).toBe(true)
    expect(shows(not('software'), device)).toBe(true)
    expect(shows(not('shown'), device), 'there is no run yet').toBe(false)
    expect(shows(is('ran'), device)).toBe(false)
    expect(shows(is('ran'), factsOf({ valid: false }))).toBe(true)
    expect(factsOfDevice(null)).toBe(NO_FACTS)
  })

  it('must all hold; what is under none is always shown, in order', () => {
    const passage = [
      { when: [is('software'), is('shown')], text: 'a' },
      'b',
      { when: [is('shown')], text: 'c' },
    ]
    expect(wordsFor(passage, factsOf({}))).toEqual(['b', 'c'])
    expect(wordsFor(passage, NO_FACTS)).toEqual(['b'])
    expect(allWords(passage)).toEqual(['a', 'b', 'c'])
  })

  it('leave tables alone, which are words where only words can stand', () => {
    const table = {
      caption: 'Rates.',
      columns: [
        { head: 'Link', align: 'start' },
        { head: 'GB/s', align: 'end' },
      ],
      rows: [['PCIe 3', '15.8']],
    } as const
    expect(partsFor(['a', table], NO_FACTS)).toEqual(['a', table])
    expect(wordsFor(['a', table], NO_FACTS)).toEqual(['a', 'Rates.', 'PCIe 3. GB/s: 15.8.'])
    expect(allWords([table])).toEqual(['Rates.', 'Link', 'GB/s', 'PCIe 3', '15.8'])
    expect(allWords([mapTable(table, (text) => `${text}!`)])).toEqual([
      'Rates.!',
      'Link!',
      'GB/s!',
      'PCIe 3!',
      '15.8!',
    ])
  })
})
