/** How much of the ladder fits the time at hand. Pure arithmetic. */
import { MAX_QUEUED_MS, type RunSize } from '../sizing'

/** A pass lasts at least this, and 20 steps of the device's clock: a short kernel is dispatched several times in one. */
const LEAST_PASS_MS = 0.5
const QUANTA_PER_PASS = 20
/** Without timestamps the host's clock decides, and completion is reported up to some ms late. */
const LEAST_HOST_TIMED_PASS_MS = 20
const MAX_DISPATCHES = 64

/**
 * A power of two or one and a half of it, not above n: whole tiles for every rung where the matrix is large, so that edges are not what
 * differs; and few sizes in all, since some adapters take a second to compile six kernels for another kind of size.
 */
export function wholeTiles(n: number): number {
  const power = 2 ** Math.floor(Math.log2(n))
  return n >= 1.5 * power ? 1.5 * power : power
}

export function dispatchesPerPass(ms: number, deviceStepNs: number | null): number {
  const leastMs =
    deviceStepNs === null
      ? LEAST_HOST_TIMED_PASS_MS
      : Math.max(LEAST_PASS_MS, (QUANTA_PER_PASS * deviceStepNs) / 1e6)
  return Math.max(1, Math.min(MAX_DISPATCHES, Math.ceil(leastMs / Math.max(ms, 1e-6))))
}

/** What a rung costs: one matmul, and how many of them one resident step holds. */
export interface RungCost {
  readonly id: string
  readonly ms: number
  readonly times: number
}

export interface Costs {
  /** One of the two micro-kernels, all its passes. */
  readonly rooflineMs: number
  /** A step of transfers alone, awaited; null where nothing is moved. */
  readonly transfersMs: number | null
  /** A wait for completion, where nothing else is waited for. */
  readonly roundTripMs: number
}

/** Waits round a window besides those in it: clearing before it, timestamps and sampled results after it. */
const WAITS_AROUND = 2

/** All variants once, ms. A moving window begins with one step that does not count. */
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

/**
 * Steps, repeats and rungs that fit `budgetMs`, given up in this order: repeats beyond three, steps, rungs between the first and the
 * fastest, repeats beyond two. A browser that looks for completion every 100 ms has no time for six rungs.
 */
export function fitLadder<Rung extends RungCost>(
  asked: RunSize,
  rungs: readonly Rung[],
  budgetMs: number,
  costs: Costs,
): RunSize & { readonly rungs: readonly Rung[] } {
  // Resident steps are all queued at once.
  const longestMs = Math.max(...rungs.map(({ ms, times }) => ms * times))
  let steps = Math.max(1, Math.min(asked.steps, Math.floor(MAX_QUEUED_MS / longestMs)))
  let { repeats } = asked
  let kept = rungs
  // One round more: the warm-up.
  while ((repeats + 1) * roundMs(kept, steps, costs) > budgetMs) {
    if (repeats > 3) repeats -= 1
    else if (steps > 1) steps -= 1
    else if (kept.length > 2) kept = withoutOne(kept)
    else if (repeats > 2) repeats -= 1
    else break
  }
  return { steps, repeats, rungs: kept }
}

/** One fewer: neither the first, which the others are compared with, nor the fastest; the slowest of what is left. */
function withoutOne<Rung extends RungCost>(rungs: readonly Rung[]): readonly Rung[] {
  const bySpeed = rungs.slice(1).toSorted((one, other) => other.ms - one.ms)
  return rungs.filter((rung) => rung !== bySpeed[0])
}
