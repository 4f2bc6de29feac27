import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOf, firstOf, makePyramid, visitRow, type Pyramid } from './pyramid'
import { forAll } from '../../testing/for-all'

type Made = readonly (readonly [start: number, length: number, bucket: number])[]

function rowOf(spans: Made): Pyramid {
  const sorted = [...spans].sort((a, b) => a[0] - b[0])
  return makePyramid({
    length: sorted.length,
    span: Uint32Array.from(sorted.keys()),
    startNs: Float64Array.from(sorted, ([start]) => start),
    endNs: Float64Array.from(sorted, ([start, length]) => start + length),
    bucket: Uint8Array.from(sorted, ([, , bucket]) => bucket),
  })
}

/** Overlaps included: the last row of a lane that is too deep has them. */
const spans = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 2000 }),
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: 27 }),
  ),
  { maxLength: 90 },
)
const extents = fc.tuple(fc.integer({ min: -100, max: 2400 }), fc.integer({ min: 0, max: 800 }))

const touching = (row: Pyramid, from: number, to: number): number[] =>
  [...row.span.keys()].filter((at) => (row.endNs[at] ?? 0) >= from && (row.startNs[at] ?? 0) <= to)

describe('a walk through a row', () => {
  it('meets every span that touches the extent, once, in order, where nothing is merged', () =>
    forAll(spans, extents, (made, [from, width]) => {
      const row = rowOf(made)
      const met: number[] = []
      visitRow(row, from, from + width, 0, {
        onSpan: (position) => met.push(position),
        onNode: () => {
          throw new Error('nothing is shorter than 0 ns')
        },
      })
      expect(met).toEqual(touching(row, from, from + width))
    }))

  it('merges nothing that is as long as the limit, and leaves nothing out', () =>
    forAll(spans, extents, fc.integer({ min: 1, max: 3000 }), (made, [from, width], limitNs) => {
      const row = rowOf(made)
      const met = new Set<number>()
      visitRow(row, from, from + width, limitNs, {
        onSpan: (position) => met.add(position),
        onNode: (level, node) => {
          for (let at = firstOf(level, node); at < endOf(row, level, node); at += 1) {
            expect((row.endNs[at] ?? 0) - (row.startNs[at] ?? 0)).toBeLessThan(limitNs)
            met.add(at)
          }
        },
      })
      for (const position of touching(row, from, from + width)) expect(met.has(position)).toBe(true)
    }))
})

describe('levels', () => {
  it('keep of every node what its spans are: last end, longest, time by bucket', () =>
    forAll(spans, (made) => {
      const row = rowOf(made)
      for (const [level, { length, endNs, longest, busyNs }] of row.levels.entries())
        for (let node = 0; node < length; node += 1) {
          const own = [...row.span.keys()].slice(firstOf(level, node), endOf(row, level, node))
          const duration = (at: number) => (row.endNs[at] ?? 0) - (row.startNs[at] ?? 0)
          expect(endNs[node]).toBe(Math.max(...own.map((at) => row.endNs[at] ?? 0)))
          expect(duration(longest[node] ?? -1)).toBe(Math.max(...own.map(duration)))
          for (const [index, bucket] of row.buckets.entries()) {
            const sum = own.reduce((all, at) => all + (row.bucket[at] === bucket ? duration(at) : 0), 0)
            expect(busyNs[node * row.buckets.length + index]).toBeCloseTo(sum, 6)
          }
        }
      expect(row.levels.at(-1)?.length ?? 1).toBe(1)
    }))
})
