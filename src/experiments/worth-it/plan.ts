/**
 * Which sizes are run, and how often an operation is done in a window. An operation is `uses` matmuls on one pair of matrices; its
 * time is the window's over the number of operations. Pure arithmetic; times in ms.
 */
import { fitRun, MAX_DISPATCH_MS } from '../sizing'
import { ASKED_SIZE, LATENCY, PLACES, READBACK, sizedVariant, UPLOAD, type Place } from './variants'

/** The longest that one operation may take: a run must notice 'cancel', and a queue must not hold more. */
export const MAX_OPERATION_MS = 250
/** Far above the host clock's step, be it 5 µs or 100 µs; small operations are repeated until they fill it. */
const CPU_WINDOW_MS = 4
const MAX_CPU_OPERATIONS = 200
/** Completion is reported at the browser's own pace: several trips meet several phases of it, but a window shall stay short. */
const TRIPS_MS = 100
const MOST_TRIPS = 4
const MOST_TRANSFERS = 3
const MOST_LATENCIES = 5
/** The end of a queue is reported late, once a window: the longer the queue, the less that weighs. */
const RESIDENT_WINDOW_MS = 24
/** Dispatches queued in one window: encoding and validating them takes time too. */
const MAX_DISPATCHES = 1024
/** For estimates: two matrices up and one back, at a low rate for a browser. */
const CARRIED_BYTES_PER_MS = 1.5e6
const TRANSFER_MS = 11
/** With fewer there is no curve. */
const LEAST_SIZES = 2

/** Times of one matmul by calibration; undefined where the size is too slow there. */
interface TimedSize {
  readonly n: number
  readonly cpuMs: number | undefined
  readonly deviceMs: number | undefined
}

/** What changes how long an operation takes. */
export interface Pace {
  readonly uses: number
  /** What a host that awaits a short kernel waits. */
  readonly roundTripMs: number
}

/** How many awaited trips of so many ms make a window: one where completion is reported every 100 ms. */
const tripsFor = (tripMs: number, most: number): number =>
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
function byInterest(sizes: readonly TimedSize[], pace: Pace): readonly TimedSize[] {
  const distance = ({ n, cpuMs, deviceMs }: TimedSize): number =>
    cpuMs === undefined || deviceMs === undefined
      ? Infinity
      : Math.abs(Math.log(Math.max(cpuMs * pace.uses, 1e-4) / tripMs(n, deviceMs, pace)))
  const ranked = sizes
    .map((size) => ({ size, distance: distance(size) }))
    .toSorted((one, other) => (one.distance < other.distance ? -1 : one.distance > other.distance ? 1 : 0))
  const asked = ranked.findIndex((one) => one.size.n === ASKED_SIZE && one.distance < Infinity)
  const found = asked > 1 ? ranked.splice(asked, 1) : []
  return ranked.toSpliced(1, 0, ...found).map(({ size }) => size)
}

/** The counts of one size's windows, by variant. */
const countsOf = ({ n, cpuMs, deviceMs }: TimedSize, pace: Pace): readonly (readonly [string, number])[] =>
  PLACES.flatMap((place) => {
    const ms = place === 'cpu' ? cpuMs : deviceMs
    return ms === undefined ? [] : [[sizedVariant(place, n), operationsFor(place, n, ms, pace)] as const]
  })

/** About what one window of each variant of a size takes, with the four round trips for placing operands, stamps and checks. */
function sizeMs({ n, cpuMs, deviceMs }: TimedSize, pace: Pace): number {
  const count = (place: Place, ms: number) => operationsFor(place, n, ms, pace)
  const cpu = cpuMs === undefined ? 0 : count('cpu', cpuMs) * cpuMs * pace.uses
  if (deviceMs === undefined) return cpu
  const trips = count('round-trip', deviceMs) * tripMs(n, deviceMs, pace)
  const resident = count('resident', deviceMs) * deviceMs * pace.uses + pace.roundTripMs
  return cpu + trips + resident + 4 * pace.roundTripMs
}

export interface Plan {
  /** Operations in a window, by variant; what is not among them is not run. */
  readonly counts: ReadonlyMap<string, number>
  readonly repeats: number
  /** Sizes that are not run both ways: one of the two would take too long. */
  readonly tooSlow: readonly number[]
  /** Sizes that are not run because there is no time for all of them. */
  readonly skipped: readonly number[]
}

/** Null where no size can be run both ways. Fewer repeats, then fewer sizes, where they do not fit `seconds`. */
export function planRun(
  values: {
    readonly sizes: readonly string[]
    readonly uses: number
    readonly repeats: number
    readonly seconds: number
  },
  roundTripMs: number,
  onCpu: ReadonlyMap<number, number>,
  onDevice: ReadonlyMap<number, number>,
): Plan | null {
  const sizes = values.sizes.map(Number).toSorted((a, b) => a - b)
  const pace: Pace = { uses: values.uses, roundTripMs }
  const tooSlow = sizes.filter((n) => !onCpu.has(n) || !onDevice.has(n))
  if (tooSlow.length === sizes.length) return null
  const timed = sizes
    .filter((n) => onCpu.has(n) || onDevice.has(n))
    .map((n): TimedSize => ({ n, cpuMs: onCpu.get(n), deviceMs: onDevice.get(n) }))
  const ranked = byInterest(timed, pace)
  const transfers = tripsFor(TRANSFER_MS + roundTripMs, MOST_TRANSFERS)
  const latencies = tripsFor(roundTripMs, MOST_LATENCIES)
  const fixedMs = 2 * transfers * (TRANSFER_MS + roundTripMs) + (latencies + 4) * roundTripMs
  const { steps, repeats } = fitRun(
    { steps: ranked.length, repeats: values.repeats },
    values.seconds * 1e3,
    (count) => ranked.slice(0, count).reduce((sum, size) => sum + sizeMs(size, pace), fixedMs),
    LEAST_SIZES,
  )
  const chosen = ranked.slice(0, steps).toSorted((one, other) => one.n - other.n)
  return {
    counts: new Map([
      ...chosen.flatMap((size) => countsOf(size, pace)),
      [UPLOAD, transfers],
      [READBACK, transfers],
      [LATENCY, latencies],
    ]),
    repeats,
    tooSlow,
    skipped: timed.filter((size) => !chosen.includes(size)).map(({ n }) => n),
  }
}
