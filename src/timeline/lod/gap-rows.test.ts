import { expect, it } from 'vitest'
import { adoptGapRows, gapRowBuffers, HOST_BUCKET, laneGaps, makeGapRows, OTHER_BUCKET } from './gap-rows'
import type { Gap, GapCause } from '../../trace/gaps'
import { placeTrace } from '../../trace/place'
import { TraceBuilder } from '../../trace/builder'
import { testInfo } from '../../trace/testing/arbitrary-trace'

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
  expect([...(lane?.groupOf ?? [])]).toEqual([0, 0, 1])
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
