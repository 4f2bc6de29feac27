/**
 * A trace as read: every span placed on the host's clock, device edges with their bounds, lanes sorted for binary search.
 * Pure and re-runnable: `placeTrace` fits the clocks anew from the snapshots; the trace itself is never changed.
 */
import type { ClockFit } from './clock'
import type { Trace } from './schema'

/** One lane's spans, sorted by start. `span[i]` is the index into `trace.spans`. */
export interface PlacedLane {
  readonly lane: number
  readonly length: number
  readonly span: Uint32Array
  readonly startNs: Float64Array
  readonly endNs: Float64Array
  /** Largest endNs of spans 0..i: lets a search find spans that began before the view and reach into it. */
  readonly maxEndNs: Float64Array
}

export interface PlacedTrace {
  readonly trace: Trace
  /** By clock index; null for host clocks, and for device clocks that could not be fitted. */
  readonly fits: readonly (ClockFit | null)[]
  readonly lanes: readonly PlacedLane[]
  /** By span index, host ns; NaN where a device clock has no fit (the span is not drawn on the host's axis). */
  readonly startNs: Float64Array
  readonly endNs: Float64Array
  /** Bounds of a device edge at a host time: [before, after] in ns, both ≥ 0. Host lanes: half a clock step. */
  readonly edgeBoundNs: (span: number, edge: 'start' | 'end') => readonly [number, number]
  /** First start and last end over all drawn spans. */
  readonly startOfAllNs: number
  readonly endOfAllNs: number
}

export type PlaceTrace = (trace: Trace) => PlacedTrace
