import { expect, it, describe } from 'vitest'
import { adoptGapRows, gapRowBuffers, HOST_BUCKET, laneGaps, makeGapRows, OTHER_BUCKET } from './gap-rows'
import type { Gap, GapCause } from '../../trace/gaps'
import { placeTrace } from '../../trace/place'
import { TraceBuilder } from '../../trace/builder'
import { testInfo } from '../../trace/testing/arbitrary-trace'
import fc from 'fast-check'
import { assignRows, NO_ROW } from './lane-rows'
import { laneOf } from './testing/lane-of'
import { forAll, forAllAwaited } from '../../testing/for-all'
import { ALL_REDUCE, madeUpRanks } from '../../analysis/ranks/testing/made-up-ranks'
import { analyseRanks } from '../../analysis/ranks'
import { makeTraceLod } from './trace-lod'
import { SPAN_KINDS } from '../../trace/schema'

const placed = placeTrace(new TraceBuilder(testInfo, { originMs: 0, stepNs: 1 }).freeze())
const gap = (lane: number, startNs: number, repeat: number, cause: GapCause = 'launch-overhead'): Gap => ({
  lane,
  startNs,
  endNs: startNs + 5,
  deviceStartNs: startNs,
  durationNs: 5,
  cause,
  before: -1,
  after: -1,
  evidence: '',
  spans: [],
  variant: 0,
  repeat,
})
const gaps = [gap(1, 30, 1), gap(1, 10, 0, 'host-waited'), gap(2, 0, 0), gap(1, 20, 0), gap(1, Number.NaN, 0)]

it('orders the gaps of each lane by start, leaves out those without a place, and groups them by repeat', () => {
  const { byLane, order } = makeGapRows(placed, gaps)
  expect([...order]).toEqual([2, 1, 3, 0])
  const lane = byLane.get(1)
  expect([...(lane?.row.span ?? [])]).toEqual([1, 3, 0])
  expect([...(lane?.row.bucket ?? [])]).toEqual([HOST_BUCKET, OTHER_BUCKET, OTHER_BUCKET])
  expect(lane?.groups.map(({ count, idleNs }) => [count, idleNs])).toEqual([
    [2, 10],
    [1, 5],
  ])
})

it('crosses threads by transfer, and is what is drawn where it was adopted', () => {
  const expected = makeGapRows(placed, gaps)
  const made = makeGapRows(placed, gaps)
  const sent = structuredClone(made, { transfer: [...gapRowBuffers(made)] })
  expect(sent).toEqual(expected)
  const copy = [...gaps]
  adoptGapRows(copy, sent)
  expect(laneGaps(placed, copy)).toBe(sent)
})

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

/** Waiting within a collective: each moment of the lane is one kind's, at every level of detail. */
async function joinedRanks(laterUs: (rank: number, step: number) => number) {
  const { joined } = analyseRanks(
    await madeUpRanks({
      ranks: 3,
      stepsUs: [1000, 1200, 900, 1100, 1300, 1000],
      collectives: [ALL_REDUCE, { operation: 'broadcast', elements: 2 ** 18 }],
      transferUs: 100,
      laterUs,
    }),
  )
  if (!joined) throw new Error('nothing was joined')
  return placeTrace(joined)
}

describe('rows of ranks that are joined', () =>
  it('have waiting and the rest of the collective side by side, in order, and nothing twice', async () => {
    await forAllAwaited(15)(fc.array(fc.nat(800), { minLength: 18, maxLength: 18 }), async (laterUs) => {
      const placed = await joinedRanks((rank, step) => laterUs[rank * 6 + step] ?? 0)
      const { lanes } = makeTraceLod(placed)
      const { spans } = placed.trace
      let waits = 0
      for (const { lane, rows } of lanes)
        for (const row of rows) {
          for (let at = 1; at < row.length; at += 1)
            expect(row.startNs[at] ?? 0).toBeGreaterThanOrEqual((row.endNs[at - 1] ?? 0) - 1e-3)
          for (const span of row.span)
            if (spans.kind[span] === SPAN_KINDS.indexOf('collective-wait')) waits += 1
          const root = row.levels.at(-1)
          const shownNs = (kind: 'collective' | 'collective-wait') =>
            [...row.buckets].reduce(
              (sum, bucket, index) =>
                SPAN_KINDS[bucket >> 1] === kind ? sum + (root?.busyNs[index] ?? 0) : sum,
              0,
            )
          const all = [...row.span].filter((span) => spans.kind[span] === SPAN_KINDS.indexOf('collective'))
          const wholeNs = all.reduce(
            (sum, span) => sum + (placed.endNs[span] ?? 0) - (placed.startNs[span] ?? 0),
            0,
          )
          // At the root the sums of both kinds are the collectives' whole time: no moment of it
          // counts twice.
          expect(shownNs('collective') + shownNs('collective-wait')).toBeCloseTo(wholeNs, 0)
          expect(placed.trace.lanes[lane]).toBeDefined()
        }
      expect(waits).toBe(spans.kind.filter((kind) => kind === SPAN_KINDS.indexOf('collective-wait')).length)
    })
  }))
