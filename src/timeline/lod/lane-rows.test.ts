import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignRows, NO_ROW } from './lane-rows'
import { laneOf } from './testing/lane-of'
import { forAll } from '../../testing/for-all'

describe('assignRows', () => {
  it('stacks what is nested and reuses rows', () => {
    const lane = laneOf([
      [0, 100],
      [10, 40],
      [20, 30],
      [50, 90],
      [100, 120],
    ])
    const rows = new Uint16Array(5).fill(NO_ROW)
    expect(assignRows(lane, 0, 6, () => true, rows)).toBe(3)
    expect([...rows]).toEqual([0, 1, 2, 1, 0])
  })

  it('never lets two spans of a row overlap by more than the tolerance, while rows last', () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 60 }))
    forAll(fc.array(span, { maxLength: 60 }), fc.integer({ min: 0, max: 5 }), (pairs, tolerance) => {
      const lane = laneOf(pairs.map(([start, length]) => [start, start + length]))
      const rows = new Uint16Array(lane.length).fill(NO_ROW)
      const used = assignRows(lane, tolerance, 100, () => true, rows)
      for (let row = 0; row < used; row += 1) {
        const own = [...rows.keys()].filter((index) => rows[index] === row)
        for (const [at, index] of own.entries()) {
          const next = own[at + 1]
          if (next === undefined) continue
          expect((lane.endNs[index] ?? 0) - (lane.startNs[next] ?? 0)).toBeLessThanOrEqual(tolerance)
        }
      }
      expect([...rows].every((row) => row < Math.max(1, used))).toBe(true)
    })
  })

  it('drops nothing when rows run out', () => {
    const lane = laneOf(Array.from({ length: 9 }, (_, index) => [index, 100]))
    const rows = new Uint16Array(9).fill(NO_ROW)
    expect(assignRows(lane, 0, 4, () => true, rows)).toBe(4)
    expect([...rows].filter((row) => row === 3)).toHaveLength(6)
  })
})
