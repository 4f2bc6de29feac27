import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { framesOf, judge, rowsOf, type Load, type Moves, type Visit } from './timeline-results'
import { forAll } from '../src/testing/for-all'

const LOAD: Load = { loadMs: 1500, cpuMs: 900, longestTaskMs: 60 }
const MOVES: Moves = { p50Ms: 3, p95Ms: 8, maxMs: 9, events: 240, cpuMs: 3, longestTaskMs: 0 }
const own: Visit = {
  program: 'the lab',
  format: 'own',
  spans: 1e6,
  round: 0,
  fileBytes: 1e7,
  load: LOAD,
  moves: MOVES,
  failure: null,
}
const json: Visit = { ...own, format: 'Trace Event', load: { ...LOAD, loadMs: 4000 } }
const large = (p95Ms: number): Visit => ({ ...own, spans: 1e7, moves: { ...MOVES, p95Ms } })
const states = (visits: readonly Visit[]) => judge(visits).map(({ state }) => state)

describe('judge', () => {
  it('finds all aims met exactly at their bounds', () => {
    expect(states([own, json])).toEqual(['met', 'met', 'met', 'met', 'not measured'])
    expect(states([own, large(12)])[4]).toBe('met')
  })

  it.each([
    ['p95 of a frame', 0, { ...own, moves: { ...MOVES, p95Ms: 8.1 } }],
    ['load', 1, { ...own, load: { ...LOAD, loadMs: 1501 } }],
    ['a block while loading', 2, { ...own, load: { ...LOAD, longestTaskMs: 101 } }],
    ['a block while moving', 3, { ...own, moves: { ...MOVES, longestTaskMs: 101 } }],
  ])('names what is missed: %s', (_, index, visit) => {
    const found = states([visit, json])
    expect(found.filter((state) => state === 'missed')).toHaveLength(1)
    expect(found[index]).toBe('missed')
  })

  it('misses the frame at 10^7 spans where it takes more than 1.5 times that at 10^6', () => {
    expect(states([own, large(12.1)])[4]).toBe('missed')
    expect(states([large(1)])[4]).toBe('not measured')
    expect(states([own, { ...large(1), failure: 'the page crashed' }])[4]).toBe('missed')
  })

  it('says what was not measured, and lets a smaller size miss but not meet', () => {
    expect(states([])).toEqual(Array(5).fill('not measured'))
    expect(states([{ ...own, spans: 1e5 }])).toEqual(Array(5).fill('not measured'))
    expect(states([{ ...own, spans: 1e5, moves: { ...MOVES, p95Ms: 20 } }])[0]).toBe('missed')
    expect(states([own, { ...own, spans: 2e6, moves: { ...MOVES, p95Ms: 20 } }])[0]).toBe('met')
  })

  it('counts a visit that failed as missed, with its reason, never as no figure', () => {
    const failed: Visit = { ...own, load: null, moves: null, failure: 'the page crashed' }
    const [frame, load] = judge([failed])
    expect(frame?.state).toBe('missed')
    expect(load?.evidence).toContain('the page crashed')
  })
})

describe('rowsOf', () => {
  it('gives the median with the range, and the worst of all blocks', () => {
    const visits = [10, 30, 20].map((loadMs, round) => ({
      ...own,
      round,
      load: { ...LOAD, loadMs, longestTaskMs: 50 + loadMs },
    }))
    const [row, ...others] = rowsOf(visits)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      rounds: 3,
      loadMs: { mid: 20, low: 10, high: 30 },
      loadBlockMs: { high: 80 },
    })
  })
})

describe('framesOf', () => {
  it('is in order', () => {
    forAll(fc.array(fc.double({ min: 0, max: 1e3, noNaN: true }), { minLength: 1 }), (workMs) => {
      const { p50Ms, p95Ms, maxMs, events } = framesOf(workMs)
      expect(p50Ms).toBeLessThanOrEqual(p95Ms)
      expect(p95Ms).toBeLessThanOrEqual(maxMs)
      expect(events).toBe(workMs.length)
    })
  })
})
