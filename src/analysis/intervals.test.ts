import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IndexedSet, intersect, subtract, total, union } from './intervals'
import type { Interval } from './types'

/**
 * Whole numbers on a short axis, so that touching and equal edges are common; each unit cell is a
 * member or not.
 */
const AXIS = 24
const raw = fc.array(
  fc.tuple(fc.nat({ max: AXIS }), fc.nat({ max: AXIS })).map(([start, end]): Interval => ({ start, end })),
  { maxLength: 12 },
)
const cells = (set: readonly Interval[]): readonly boolean[] =>
  Array.from({ length: AXIS }, (_, cell) => set.some(({ start, end }) => start <= cell && cell + 1 <= end))
const covered = (intervals: readonly Interval[]) => cells(intervals.filter(({ start, end }) => end > start))

function expectCanonical(set: readonly Interval[]) {
  for (const [index, { start, end }] of set.entries()) {
    expect(end).toBeGreaterThan(start)
    const next = set[index + 1]
    if (next) expect(next.start).toBeGreaterThan(end)
  }
}

describe('interval sets', () => {
  it('union covers what any of them covers, canonically', () => {
    fc.assert(
      fc.property(raw, (intervals) => {
        const set = union(intervals)
        expectCanonical(set)
        expect(cells(set)).toEqual(covered(intervals))
        expect(total(set)).toBe(covered(intervals).filter(Boolean).length)
        expect(union(set)).toEqual(set)
        expect(union([...intervals].reverse())).toEqual(set)
      }),
    )
  })

  it('intersect and subtract are those of sets', () => {
    fc.assert(
      fc.property(raw, raw, (first, second) => {
        const [a, b] = [union(first), union(second)]
        const [inA, inB] = [cells(a), cells(b)]
        const [both, rest] = [intersect(a, b), subtract(a, b)]
        expectCanonical(both)
        expectCanonical(rest)
        expect(cells(both)).toEqual(inA.map((member, cell) => member && inB[cell] === true))
        expect(cells(rest)).toEqual(inA.map((member, cell) => member && inB[cell] !== true))
        expect(total(both) + total(rest)).toBe(total(a))
        expect(intersect(b, a)).toEqual(both)
        expect(union([...both, ...rest])).toEqual(a)
      }),
    )
  })

  it('answers how much lies in a stretch as clipping does', () => {
    fc.assert(
      fc.property(
        raw,
        fc.integer({ min: -2, max: AXIS + 2 }),
        fc.integer({ min: -2, max: AXIS + 2 }),
        (intervals, a, b) => {
          const set = union(intervals)
          expect(IndexedSet.of(set).totalWithin(a, b)).toBe(
            total(b > a ? intersect(set, [{ start: a, end: b }]) : []),
          )
        },
      ),
    )
  })

  it('gives nothing for nothing, no length and NaN', () => {
    const nothing = [
      { start: 3, end: 3 },
      { start: 5, end: 4 },
      { start: Number.NaN, end: 9 },
      { start: 1, end: Number.NaN },
    ]
    expect(union(nothing)).toEqual([])
    expect(total([])).toBe(0)
    expect(intersect([], [{ start: 0, end: 1 }])).toEqual([])
    expect(subtract([{ start: 0, end: 1 }], [])).toEqual([{ start: 0, end: 1 }])
  })
})
