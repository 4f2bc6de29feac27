import { ClockFitter, type ClockResult, type ClockSteps } from '../clock'
import type { ClockSnapshot } from '../schema'

/** The snapshots of one clock, all at once. Those of other clocks are passed over. */
export function fitClock(clock: number, snapshots: readonly ClockSnapshot[], steps: ClockSteps): ClockResult {
  const fitter = new ClockFitter(clock, steps)
  for (const snapshot of snapshots) if (snapshot.clock === clock) fitter.add(snapshot)
  return fitter.result()
}
