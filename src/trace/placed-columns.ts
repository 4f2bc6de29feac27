/**
 * A placed trace as columns that threads share or hand over, and back: nothing is copied between
 * threads, sorted or fitted anew. Lanes lie one after the other in four columns, so that a trace of
 * 10^4 lanes is no 10^4 buffers. The trace itself travels apart. Invariant: unpackPlaced(trace,
 * packPlaced(placeTrace(trace)).columns) is what placeTrace(trace) gives.
 */
import { allocate, buffersToMove, shareable } from '../base/shared-memory'
import { clockFit, type ClockFitData } from './clock'
import { edgeBounds } from './edge-bounds'
import type { PlacedTrace } from './place'
import type { Trace } from './schema'

export interface PlacedColumns {
  readonly fits: readonly (ClockFitData | null)[]
  readonly fitProblems: readonly (string | null)[]
  readonly unplaced: readonly number[]
  readonly startNs: Float64Array
  readonly endNs: Float64Array
  readonly startOfAllNs: number
  readonly endOfAllNs: number
  /**
   * By lane: its id, and where its rows end in the four columns below; they begin where those of
   * the lane before end.
   */
  readonly laneId: Uint32Array
  readonly laneEnd: Uint32Array
  readonly laneSpan: Uint32Array
  readonly laneStartNs: Float64Array
  readonly laneEndNs: Float64Array
  readonly laneMaxEndNs: Float64Array
}

export interface PackedPlaced {
  readonly columns: PlacedColumns
  /** For postMessage. The columns are of their own: the placed trace stays whole. */
  readonly transfer: readonly ArrayBuffer[]
}

export function packPlaced(placed: PlacedTrace): PackedPlaced {
  const { lanes, fits, fitProblems, unplaced, startOfAllNs, endOfAllNs } = placed
  const rows = lanes.reduce((sum, { length }) => sum + length, 0)
  const columns = {
    fits: fits.map((fit) => fit && plainFit(fit)),
    fitProblems,
    unplaced,
    startNs: shareable(placed.startNs),
    endNs: shareable(placed.endNs),
    startOfAllNs,
    endOfAllNs,
    laneId: Uint32Array.from(lanes, ({ lane }) => lane),
    laneEnd: new Uint32Array(lanes.length),
    laneSpan: new Uint32Array(allocate(4 * rows)),
    laneStartNs: new Float64Array(allocate(8 * rows)),
    laneEndNs: new Float64Array(allocate(8 * rows)),
    laneMaxEndNs: new Float64Array(allocate(8 * rows)),
  }
  let at = 0
  for (const [index, { length, span, startNs, endNs, maxEndNs }] of lanes.entries()) {
    columns.laneSpan.set(span.subarray(0, length), at)
    columns.laneStartNs.set(startNs.subarray(0, length), at)
    columns.laneEndNs.set(endNs.subarray(0, length), at)
    columns.laneMaxEndNs.set(maxEndNs.subarray(0, length), at)
    at += length
    columns.laneEnd[index] = at
  }
  const { laneId, laneEnd, laneSpan, laneStartNs, laneEndNs, laneMaxEndNs, startNs, endNs } = columns
  const moved = [startNs, endNs, laneId, laneEnd, laneSpan, laneStartNs, laneEndNs, laneMaxEndNs]
  return { columns, transfer: buffersToMove(moved) }
}

const plainFit = ({ clock, centreTick, offsetNs, skew, polygon, snapshots }: ClockFitData): ClockFitData => ({
  clock,
  centreTick,
  offsetNs,
  skew,
  polygon,
  snapshots,
})

export function unpackPlaced(trace: Trace, columns: PlacedColumns): PlacedTrace {
  const { fitProblems, unplaced, startNs, endNs, startOfAllNs, endOfAllNs, laneEnd } = columns
  const fits = columns.fits.map((fit) => fit && clockFit(fit))
  const lanes = Array.from(columns.laneId, (lane, index) => {
    const [from, to] = [laneEnd[index - 1] ?? 0, laneEnd[index] ?? 0]
    return {
      lane,
      length: to - from,
      span: columns.laneSpan.subarray(from, to),
      startNs: columns.laneStartNs.subarray(from, to),
      endNs: columns.laneEndNs.subarray(from, to),
      maxEndNs: columns.laneMaxEndNs.subarray(from, to),
    }
  })
  return {
    trace,
    fits,
    fitProblems,
    lanes,
    unplaced,
    omittedSpans: 0,
    startNs,
    endNs,
    edgeBoundNs: edgeBounds(trace, fits),
    startOfAllNs,
    endOfAllNs,
  }
}
