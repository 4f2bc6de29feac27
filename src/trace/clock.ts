/** Contract only, for now: see the helper who writes it. */
import type { ClockSnapshot } from './schema'

/**
 * host ns = offsetNs + (1 + skew) · (tick − centreTick), with the feasible set of (offset, skew) as a convex polygon.
 */
export interface ClockFit {
  readonly clock: number
  readonly centreTick: number
  readonly offsetNs: number
  readonly skew: number
  /** Vertices [offsetNs, skew] of the feasible polygon. */
  readonly polygon: readonly (readonly [number, number])[]
  readonly snapshots: number
  readonly toHostNs: (tick: number) => number
  /** Earliest and latest host time at which this tick can have been. */
  readonly band: (tick: number) => readonly [number, number]
}

export type FitClock = (
  clock: number,
  snapshots: readonly ClockSnapshot[],
  steps: { readonly hostStepNs: number; readonly deviceStepNs: number },
) =>
  | { readonly state: 'fitted'; readonly fit: ClockFit }
  | { readonly state: 'no-timestamps' | 'infeasible'; readonly reason: string }
