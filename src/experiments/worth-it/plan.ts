/**
 * Which sizes are run, and how often an operation is done in a window. An operation is `uses` matmuls on one pair of matrices; its
 * time is the window's over the number of operations. Pure arithmetic; times in ms.
 */
import { MAX_DISPATCH_MS } from '../sizing'
import { ASKED_SIZE, type Place } from './variants'

/** The longest that one operation may take: a run must notice 'cancel', and a queue must not hold more. */
export const MAX_OPERATION_MS = 250
/** Far above the host clock's step, be it 5 µs or 100 µs; small operations are repeated until they fill it. */
const CPU_WINDOW_MS = 4
const MAX_CPU_OPERATIONS = 200
/** Completion is reported at the browser's own pace: several trips meet several phases of it, but a window shall stay short. */
const TRIPS_MS = 100
const MOST_TRIPS = 4
/** The end of a queue is reported late, once a window: the longer the queue, the less that weighs. */
const RESIDENT_WINDOW_MS = 24
/** Dispatches queued in one window: encoding and validating them takes time too. */
const MAX_DISPATCHES = 1024
/** For estimates: two matrices up and one back, at a low rate for a browser. */
const CARRIED_BYTES_PER_MS = 1.5e6

/** Times of one matmul by calibration; undefined where the size is too slow there. */
export interface TimedSize {
  readonly n: number
  readonly cpuMs?: number | undefined
  readonly deviceMs?: number | undefined
}

export interface Pace {
  readonly uses: number
  /** What a host that awaits a short kernel waits. */
  readonly roundTripMs: number
}

/** How many awaited trips of so many ms make a window: one where completion is reported every 100 ms. */
export const tripsFor = (tripMs: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor(TRIPS_MS / Math.max(tripMs, 1e-3))))

const tripMs = (n: number, ms: number, { uses, roundTripMs }: Pace): number =>
  ms * uses + (12 * n * n) / CARRIED_BYTES_PER_MS + roundTripMs

/** `ms` is one matmul's time. */
export function operationsFor(place: Place, n: number, ms: number, pace: Pace): number {
  const operationMs = Math.max(ms * pace.uses, 1e-4)
  switch (place) {
    case 'cpu':
      return Math.min(MAX_CPU_OPERATIONS, Math.max(1, Math.ceil(CPU_WINDOW_MS / operationMs)))
    case 'round-trip':
      return tripsFor(tripMs(n, ms, pace), MOST_TRIPS)
    case 'resident': {
      const most = Math.floor(MAX_DISPATCHES / pace.uses)
      return Math.max(1, Math.min(most, Math.round(RESIDENT_WINDOW_MS / operationMs)))
    }
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

/**
 * Sizes by how much they tell, for browsers in which not all of them fit the time: where CPU and round trip should take about as
 * long, and the size that the lesson asks about; last those that only one side can run.
 */
export function byInterest(sizes: readonly TimedSize[], pace: Pace): readonly TimedSize[] {
  const distance = ({ n, cpuMs, deviceMs }: TimedSize): number => {
    if (cpuMs === undefined || deviceMs === undefined) return Infinity
    const lead = Math.log((cpuMs * pace.uses) / tripMs(n, deviceMs, pace))
    return Number.isNaN(lead) ? Infinity : Math.abs(lead)
  }
  const ranked = sizes.toSorted((one, other) => (distance(one) < distance(other) ? -1 : 1))
  const asked = ranked.findIndex((size) => size.n === ASKED_SIZE && distance(size) < Infinity)
  const [found] = asked > 1 ? ranked.splice(asked, 1) : []
  return found ? ranked.toSpliced(1, 0, found) : ranked
}

/**
 * About what one window of each takes together: on the device each costs two round trips more, for its timestamps and to check its
 * results. `transferMs` is for the variants without a size.
 */
export function roundMs(sizes: readonly TimedSize[], pace: Pace, transferMs: number): number {
  const after = 2 * pace.roundTripMs
  const windowMs = ({ n, cpuMs, deviceMs }: TimedSize): number => {
    const count = (place: Place, ms: number) => operationsFor(place, n, ms, pace)
    const cpu = cpuMs === undefined ? 0 : count('cpu', cpuMs) * cpuMs * pace.uses
    if (deviceMs === undefined) return cpu
    const trips = count('round-trip', deviceMs) * tripMs(n, deviceMs, pace)
    const resident = count('resident', deviceMs) * deviceMs * pace.uses + pace.roundTripMs
    return cpu + trips + resident + 1.5 * after
  }
  return sizes.reduce((sum, size) => sum + windowMs(size), transferMs + 2 * after)
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
