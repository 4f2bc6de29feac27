import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PlacedLane } from '../trace/place'
import { bucketOf, makePyramid } from './lod/pyramid'
import { laneOf } from './lod/testing/lane-of'
import { BAR_FIELDS, CELL_FIELDS, DrawList, MERGE_PX, Merger, visibleRange } from './visible'
import { forAll } from '../testing/for-all'

const STEPS = 64

function draw(
  lane: PlacedLane,
  view: readonly [number, number],
  widthPx: number,
  kinds = new Uint8Array(lane.length),
): DrawList {
  const out = new DrawList()
  const [startNs, endNs] = view
  const row = makePyramid({
    length: lane.length,
    span: lane.span,
    startNs: lane.startNs,
    endNs: lane.endNs,
    bucket: kinds.map((kind) => bucketOf(kind, 0)),
  })
  new Merger().run({ row, rowNumber: 0, steps: STEPS, startNs, endNs, widthPx }, out)
  return out
}

/** Painted area of all cells and bars in row·px: what a person takes for busy time. */
function area(out: DrawList): number {
  let sum = 0
  for (const { values, length } of out.cells)
    for (let at = 0; at < length; at += CELL_FIELDS)
      sum += ((values[at + 1] ?? 0) * ((values[at + 4] ?? 0) - (values[at + 3] ?? 0))) / STEPS
  for (const { values, length } of out.bars)
    for (let at = 0; at < length; at += BAR_FIELDS) sum += (values[at + 1] ?? 0) - (values[at] ?? 0)
  return sum
}

const lanes = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 200 })), { maxLength: 50 })
  .map((pairs) => laneOf(pairs.map(([start, length]) => [start, start + length])))

describe('visibleRange', () => {
  it('leaves out no span that touches the view', () =>
    forAll(
      lanes,
      fc.integer({ min: -50, max: 1300 }),
      fc.integer({ min: 0, max: 400 }),
      (lane, from, width) => {
        const [first, last] = visibleRange(lane, from, from + width)
        for (let index = 0; index < lane.length; index += 1) {
          const touches = (lane.endNs[index] ?? 0) >= from && (lane.startNs[index] ?? 0) <= from + width
          if (touches) expect(index >= first && index < last).toBe(true)
        }
      },
    ))

  it('finds a long span that began long before the view', () => {
    const lane = laneOf([
      [0, 1000],
      [1, 2],
      [3, 4],
      [900, 901],
    ])
    expect(visibleRange(lane, 500, 600)[0]).toBe(0)
  })

  it('is empty outside the lane', () => {
    const lane = laneOf([[10, 20]])
    expect(visibleRange(lane, 30, 40)).toEqual([1, 1])
    expect(visibleRange(laneOf([]), 0, 1)).toEqual([0, 0])
  })
})

describe('Merger', () => {
  it('draws wide spans one by one where they are', () => {
    const out = draw(laneOf([[100, 300]]), [0, 1000], 1000)
    expect([...(out.bars[0]?.values.subarray(0, BAR_FIELDS) ?? [])]).toEqual([100, 300, 0, 0])
    expect(out.mergedCount).toBe(0)
  })

  it('paints as much area as there was time: a lane busy 9 % looks busy 9 %', () => {
    const steps = 5000
    const lane = laneOf(Array.from({ length: steps }, (_, step) => [step * 100, step * 100 + 9]))
    const out = draw(lane, [0, steps * 100], 1000)
    expect(out.mergedCount).toBe(steps)
    expect(area(out) / 1000).toBeGreaterThan(0.089)
    // Rounded up to steps of 1/64 at most.
    expect(area(out) / 1000).toBeLessThan(0.09 + 1 / STEPS)
  })

  it('keeps area within rounding for any lane without overlaps', () => {
    const gapsAndLengths = fc.array(
      fc.tuple(fc.double({ min: 0, max: 9, noNaN: true }), fc.double({ min: 0.01, max: 9, noNaN: true })),
      { minLength: 1, maxLength: 80 },
    )
    forAll(gapsAndLengths, fc.integer({ min: 5, max: 2000 }), (pairs, widthPx) => {
      let at = 0
      let busy = 0
      const spans = pairs.map(([gap, length]) => {
        const start = at + gap
        at = start + length
        busy += length
        return [start, at] as const
      })
      const out = draw(laneOf(spans), [0, at], widthPx)
      const expected = (busy / at) * widthPx
      const columns = out.cells.reduce((sum, { values, length }) => {
        let count = 0
        for (let cell = 0; cell < length; cell += CELL_FIELDS) count += values[cell + 1] ?? 0
        return sum + count
      }, 0)
      expect(area(out)).toBeGreaterThanOrEqual(expected - 1e-6 * widthPx)
      expect(area(out)).toBeLessThanOrEqual(expected + columns / STEPS + 1e-6 * widthPx)
      expect(out.barCount + out.mergedCount).toBe(pairs.length)
    })
  })

  it('stacks kinds that share a column, each by its share', () => {
    const lane = laneOf([
      [0, 2],
      [4, 9],
    ])
    const out = draw(lane, [0, 100], 10, Uint8Array.of(0, 3))
    const cells = out.cells.flatMap(({ values, length }) => [...values.subarray(0, length)])
    expect(cells.slice(0, 5)).toEqual([0, 1, 0, 0, Math.ceil(0.2 * STEPS)])
    expect(cells[8]).toBe(cells[4])
    expect((cells[9] ?? 0) - (cells[8] ?? 0)).toBe(0.5 * STEPS)
  })

  it('joins equal neighbours into one cell', () => {
    const lane = laneOf(Array.from({ length: 100 }, (_, index) => [index * 10, index * 10 + 5]))
    const out = draw(lane, [0, 1000], 100)
    expect([...(out.cells[0]?.values.subarray(0, CELL_FIELDS) ?? [])]).toEqual([0, 100, 0, 0, STEPS / 2])
    expect(out.cells[0]?.length).toBe(CELL_FIELDS)
  })

  it('keeps a span of no length, also among others', () => {
    expect(draw(laneOf([[10, 10]]), [0, 100], 100).cells[0]?.length).toBe(CELL_FIELDS)
    const points = laneOf(Array.from({ length: 64 }, (_, index) => [index, index]))
    const kinds = Uint8Array.from(points.span, (span) => span % 2)
    const out = draw(points, [0, 6400], 100, kinds)
    expect(out.mergedCount).toBe(64)
    expect([out.cells[0]?.length, out.cells[2]?.length]).toEqual([CELL_FIELDS, CELL_FIELDS])
  })

  it('meets no more than a few nodes a pixel column, however many spans there are', () => {
    const spans = 200_000
    const lane = laneOf(Array.from({ length: spans }, (_, step) => [step * 10, step * 10 + 7]))
    const widthPx = 500
    const out = draw(lane, [0, spans * 10], widthPx)
    expect(out.mergedCount).toBe(spans)
    expect(out.met).toBeLessThan(4 * widthPx)
    expect(area(out) / widthPx).toBeCloseTo(0.7, 1)
  })

  it('cuts bars that reach far out of the view', () => {
    const out = draw(laneOf([[-1e12, 1e12]]), [0, 1], 500)
    const [left = NaN, right = NaN] = out.bars[0]?.values ?? []
    expect(left).toBeGreaterThan(-10)
    expect(right).toBeLessThan(510)
    expect(right - left).toBeGreaterThan(500 - MERGE_PX)
  })
})
