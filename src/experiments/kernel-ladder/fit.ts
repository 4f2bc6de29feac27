/** Cuts the ladder to the time at hand. Pure arithmetic. */
import { leastPassMs } from '../../gpu/kernels/calibrate/timing'
import { fitRun, MAX_QUEUED_MS, type RunSize } from '../sizing'

/** The cost of a rung: one matmul, and how many of them one resident step holds. */
interface RungCost {
  readonly ms: number
  readonly times: number
}

interface Costs {
  /** One of the two micro-kernels, all its passes. */
  readonly rooflineMs: number
  /** A step of transfers alone, awaited; null where nothing is moved. */
  readonly transfersMs: number | null
  /** A wait for completion, where nothing else is waited for. */
  readonly roundTripMs: number
}

/**
 * Waits round a window besides those in it: clearing before it, timestamps and sampled results
 * after it.
 */
const WAITS_AROUND = 2

/** ms of all variants once. A moving window begins with one step that does not count. @internal */
export function roundMs(
  rungs: readonly RungCost[],
  steps: number,
  { rooflineMs, transfersMs, roundTripMs }: Costs,
): number {
  const around = WAITS_AROUND * roundTripMs
  const resident = rungs.map(({ ms, times }) => steps * ms * times + roundTripMs + around)
  const moving =
    transfersMs === null
      ? []
      : [0, ...rungs.map(({ ms }) => ms)].map((ms) => steps * (ms + transfersMs) + transfersMs + around)
  return [2 * (rooflineMs + roundTripMs + around), ...resident, ...moving].reduce((sum, ms) => sum + ms, 0)
}

const MAX_DISPATCHES = 64

/**
 * A short kernel is dispatched several times in a pass, until that is long enough for the clock at
 * hand.
 */
export const dispatchesPerPass = (ms: number, deviceStepNs: number | null): number =>
  Math.max(1, Math.min(MAX_DISPATCHES, Math.ceil(leastPassMs(deviceStepNs) / Math.max(ms, 1e-6))))

/** Steps and repeats that fit the time. */
export function fitLadder(
  asked: RunSize & { readonly seconds: number },
  rungs: readonly RungCost[],
  costs: Costs,
): RunSize {
  // Resident steps are all queued at once.
  const longestMs = Math.max(...rungs.map(({ ms, times }) => ms * times))
  const most = Math.max(1, Math.min(asked.steps, Math.floor(MAX_QUEUED_MS / longestMs)))
  return fitRun({ ...asked, steps: most }, (steps) => roundMs(rungs, steps, costs), 1)
}
