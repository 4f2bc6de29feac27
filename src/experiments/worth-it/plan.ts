/**
 * Picks the sizes that are run, and how often an operation is done in a window. An operation is
 * `uses` matmuls on one pair of matrices; its time is the window's over the number of operations.
 * Times in ms.
 */
import { fitRun, MAX_DISPATCH_MS } from '../sizing'
import { ASKED_SIZE, CPU, RESIDENT, ROUND_TRIP, variantOf } from './variants'

/** An operation is repeated in a window for so long, ms, and at most so often. */
const REPEATED = {
  /** 4 ms is far above the host clock's step, be it 5 µs or 100 µs. */
  cpu: [4, 200],
  /**
   * Completion is reported at the browser's own pace: several trips meet several phases of it, but
   * a window shall stay short.
   */
  awaited: [100, 4],
  /**
   * The end of a queue is reported late, once a window: the longer the queue, the less that weighs.
   * But it must be encoded, too.
   */
  queued: [24, 1024],
} as const

/**
 * `besidesMs`: round trips for operands, stamps and checks. NaN ms where the operation has none.
 */
function windowOf(
  variant: string,
  kind: keyof typeof REPEATED,
  operationMs: number,
  besidesMs: number,
  uses = 1,
) {
  const [windowMs, most] = REPEATED[kind]
  const wanted = Math.min(Math.round(windowMs / operationMs), Math.floor(most / uses))
  const operations = Math.max(1, wanted)
  return { variant, operations, ms: operations * operationMs + besidesMs }
}

/**
 * The longest that one operation may take: a run must notice 'cancel', and a queue must not hold
 * more.
 */
const MAX_OPERATION_MS = 250
/** No matmul takes less, whatever a coarse clock may show. */
const LEAST_MS = 1e-4

/** The longest that a matmul may take which is done `uses` times in a row. */
export const longestOnCpu = (uses: number): number => MAX_OPERATION_MS / uses
export const longestOnDevice = (uses: number): number => Math.min(MAX_DISPATCH_MS, MAX_OPERATION_MS / uses)

/**
 * Times of a matmul by size, ascending, for those of the sizes at which it takes no more than
 * `limitMs`. Powers of two are timed besides: overhead is most of a small product's time, so that a
 * large one foretold from far below would seem to take too long.
 */
export async function timeSizes(
  sizes: readonly number[],
  limitMs: number,
  time: (n: number) => Promise<number>,
): Promise<ReadonlyMap<number, number>> {
  const powers = [64, 128, 256, 512, 1024, 2048].filter((n) => n < Math.max(...sizes))
  const found = new Map<number, number>()
  let last = { n: 1, ms: 0 }
  for (const n of [...new Set([...powers, ...sizes])].toSorted((a, b) => a - b)) {
    // Work grows with n³, and rates with n: what a size foretells of a larger one is no less than
    // that takes.
    if (!(last.ms * (n / last.n) ** 3 <= limitMs)) break
    last = { n, ms: Math.max(LEAST_MS, await time(n)) }
    if (sizes.includes(n) && last.ms <= limitMs) found.set(n, last.ms)
  }
  return found
}

/** Estimates assume two matrices up and one back, at a rate that is low for a browser. */
const CARRIED_BYTES_PER_MS = 1.5e6
/** With fewer there is no curve. */
const LEAST_SIZES = 2

/**
 * Null: no size can be run both ways. It takes fewer repeats, then fewer sizes, where they do not
 * fit `seconds`: those stay that tell most, which are the one that the lesson asks about and those
 * where CPU and round trip should take about as long.
 *
 * @param onCpu times of one matmul by size, as on the device; sizes that are too slow there are
 * missing
 * @returns counts: operations in a window, by variant, and what is not among them is not run; and
 * the sizes that there is no time to run both ways
 */
export function planRun(
  values: { readonly sizes: readonly number[] } & Readonly<Record<'uses' | 'repeats' | 'seconds', number>>,
  roundTripMs: number,
  onCpu: ReadonlyMap<number, number>,
  onDevice: ReadonlyMap<number, number>,
) {
  const { uses } = values
  const sizes = values.sizes
    .toSorted((a, b) => a - b)
    .map((n) => {
      const cpuMs = uses * (onCpu.get(n) ?? Number.NaN)
      const deviceMs = uses * (onDevice.get(n) ?? Number.NaN)
      const tripMs = deviceMs + (12 * n * n) / CARRIED_BYTES_PER_MS + roundTripMs
      const windows = [
        windowOf(variantOf(CPU, n), 'cpu', cpuMs, 0),
        windowOf(variantOf(ROUND_TRIP, n), 'awaited', tripMs, 2 * roundTripMs),
        windowOf(variantOf(RESIDENT, n), 'queued', deviceMs, 3 * roundTripMs, uses),
      ].filter(({ ms }) => !Number.isNaN(ms))
      const apart = Math.abs(Math.log(cpuMs / tripMs))
      // Last come those that only one side can run.
      const rank = Number.isNaN(apart) ? Number.MAX_VALUE : n === ASKED_SIZE ? 0 : apart
      return { n, windows, rank, isBoth: windows.length === 3 }
    })
  if (!sizes.some(({ isBoth }) => isBoth)) return null
  const ranked = sizes.filter(({ windows }) => windows.length > 0).toSorted((a, b) => a.rank - b.rank)
  const windowsWith = (count: number) => ranked.slice(0, count).flatMap(({ windows }) => windows)
  const { steps, repeats } = fitRun(
    { ...values, steps: ranked.length },
    (count) => windowsWith(count).reduce((sum, { ms }) => sum + ms, 0),
    LEAST_SIZES,
  )
  const run = ranked.slice(0, steps)
  return {
    counts: new Map(windowsWith(steps).map(({ variant, operations }) => [variant, operations])),
    repeats,
    leftOut: sizes.flatMap((size) => (size.isBoth && run.includes(size) ? [] : [size.n])),
  }
}
