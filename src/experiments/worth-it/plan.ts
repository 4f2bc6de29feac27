/**
 * How often an operation is done in one measured window, and which sizes are not run because they would take too long here.
 * An operation is `uses` matmuls; its time is the window's over the number of operations. Pure arithmetic; times in ms.
 */
import { MAX_DISPATCH_MS } from '../sizing'
import type { Place } from './variants'

/** The longest that one operation may take: a run must hear of 'cancel', and a queue must not hold more. */
export const MAX_OPERATION_MS = 250
/** Above the host clock's step by far, be it 5 µs or 100 µs; small operations are repeated until they fill it. */
const CPU_WINDOW_MS = 4
/** Completion is heard at the browser's own pace (MECHANICS §3): several round trips meet several phases of it. */
const ROUND_TRIPS = 4
const LONG_ROUND_TRIP_MS = 10
/** The queue's end is heard late once a window: the longer the queue, the less that weighs. */
const RESIDENT_WINDOW_MS = 24
const MAX_CPU_OPERATIONS = 200
/** Dispatches queued in one window: encoding and validating them takes time too. */
const MAX_DISPATCHES = 1024

/** `ms` is one matmul's time, by calibration. */
export function operationsFor(place: Place, ms: number, uses: number): number {
  const operationMs = Math.max(ms * uses, 1e-4)
  switch (place) {
    case 'cpu':
      return Math.min(MAX_CPU_OPERATIONS, Math.max(1, Math.ceil(CPU_WINDOW_MS / operationMs)))
    case 'round-trip':
      return operationMs < LONG_ROUND_TRIP_MS ? ROUND_TRIPS : 1
    case 'resident':
      return Math.max(
        1,
        Math.min(Math.floor(MAX_DISPATCHES / uses), Math.round(RESIDENT_WINDOW_MS / operationMs)),
      )
  }
}

/** Whether a matmul that takes `ms` may be run `uses` times in a row. */
export const fitsCpu = (ms: number, uses: number): boolean => ms * uses <= MAX_OPERATION_MS
export const fitsDevice = (ms: number, uses: number): boolean =>
  ms <= MAX_DISPATCH_MS && ms * uses <= MAX_OPERATION_MS

/** What a matmul of size `n` will take, foretold from a smaller one: work grows with n³. */
export const foretell = (ms: number, from: number, n: number): number => ms * (n / from) ** 3

const SAFE_SIZE = 64

/**
 * The sizes to time, ascending: those asked for and, before and between them, steps of at most twice the size. Overhead is most of
 * a small product's time, so that a large size foretold from one far below would seem to take too long.
 */
export function stepsTo(sizes: readonly number[]): readonly number[] {
  const steps: number[] = []
  for (const n of sizes.toSorted((a, b) => a - b)) {
    for (let next = 2 * (steps.at(-1) ?? SAFE_SIZE / 2); next < n; next *= 2) steps.push(next)
    steps.push(n)
  }
  return steps
}

/** 'cpu-64=12 latency=4' and back: counts that metrics need, as one derived value. */
export const writeCounts = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([variant, count]) => `${variant}=${String(count)}`).join(' ')

export function readCounts(text: string): ReadonlyMap<string, number> {
  const pairs = text.split(' ').flatMap((pair) => {
    const [variant = '', count] = pair.split('=')
    const value = Number(count)
    return Number.isInteger(value) && value > 0 ? [[variant, value] as const] : []
  })
  return new Map(pairs)
}
