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
