/**
 * A trace as read: every span placed on the host's clock, device edges with their bounds, lanes
 * sorted for binary search. Plain data but for columns, so that it can be sent to another thread as
 * it is: the columns of all lanes lie in four buffers. Pure and re-runnable: `placeTrace` fits the
 * clocks anew from the snapshots; the trace itself is never changed.
 *
 * A device stamp is floored to the clock's step: the edge lay in [tick, tick + step). It is placed
 * at the fit's estimate of the middle, and its bound reaches from the band's low at tick to the
 * band's high at tick + step. Units: host ns, device ticks.
 */
import { ClockFitter, hostBand, toHostNs, type ClockFit, type ClockResult, type ClockSteps } from './clock'
import { END_BEFORE_BEGIN, type ClockSnapshot, type Trace } from './schema'

/**
 * One lane's spans, sorted by start; of equal starts the longer first, so that what contains comes
 * before what it contains.
 */
export interface PlacedLane {
  readonly lane: number
  /** 0 for a lane that could not be placed (see `unplaced`). */
  readonly length: number
  /** `span[i]` is the index into `trace.spans`. */
  readonly span: Uint32Array
  readonly startNs: Float64Array
  readonly endNs: Float64Array
  /**
   * Largest endNs of spans 0..i: lets a search find spans that began before the view and reach into
   * it.
   */
  readonly maxEndNs: Float64Array
}

export interface PlacedTrace {
  readonly trace: Trace
  /** By clock index; null for host clocks, and for device clocks that could not be fitted. */
  readonly fits: readonly (ClockFit | null)[]
  /**
   * By clock index: why a device clock has no fit, in a sentence; null where it has one, and for
   * host clocks.
   */
  readonly fitProblems: readonly (string | null)[]
  readonly lanes: readonly PlacedLane[]
  /** Lanes whose clock has no fit: their spans have no place on the host's axis. */
  readonly unplaced: readonly number[]
  /**
   * By span index, host ns; NaN where a device clock has no fit (the span is not drawn on the
   * host's axis).
   */
  readonly startNs: Float64Array
  readonly endNs: Float64Array
  /** First start and last end over all drawn spans; both 0 where there are none. */
  readonly startOfAllNs: number
  readonly endOfAllNs: number
}

type Allocate = (bytes: number) => ArrayBufferLike

/** Places a trace once. @param allocate gives memory for columns */
export const placeTrace = (trace: Trace, allocate?: Allocate): PlacedTrace =>
  new Placer(allocate).place(trace)

/**
 * How far an edge may lie from where it is placed: [before, after] in ns, both ≥ 0. On the host
 * half a clock step; on a device what the floored stamp and the fit's band leave open, Infinity
 * without a fit.
 */
export function edgeBoundNs(
  { trace: { spans, lanes, clocks }, fits }: Pick<PlacedTrace, 'trace' | 'fits'>,
  span: number,
  edge: 'start' | 'end',
): readonly [number, number] {
  const clock = lanes[spans.lane[span] ?? -1]?.clock ?? -1
  const stepNs = clocks[clock]?.stepNs ?? 0
  if (clocks[clock]?.kind !== 'device') return [stepNs / 2, stepNs / 2]
  const fit = fits[clock]
  const tick = spans[edge][span]
  if (!fit || tick === undefined) return [Infinity, Infinity]
  const placedNs = toHostNs(fit, tick + stepNs / 2)
  // Never negative: the estimate lies in the band up to rounding.
  const beforeNs = Math.max(0, placedNs - hostBand(fit, tick)[0])
  return [beforeNs, Math.max(0, hostBand(fit, tick + stepNs)[1] - placedNs)]
}

/**
 * Places a trace that grows, chunk by chunk: brackets already seen are not fitted again. A trace
 * that does not continue the last one (a new run) starts over. Everything else is linear in the
 * spans: a better fit moves all of them anyway.
 */
export class Placer {
  #fitters: (ClockFitter | null)[] = []
  #seen: readonly ClockSnapshot[] = []
  #key = ''
  readonly #allocate: Allocate

  constructor(allocate: Allocate = (bytes) => new ArrayBuffer(bytes)) {
    this.#allocate = allocate
  }

  place(trace: Trace): PlacedTrace {
    const reversed = reversedStamps(trace)
    const results = this.#fit(trace).map((result) => (result && reversed ? reversed : result))
    const fits = results.map((result) => (result?.state === 'fitted' ? result.fit : null))
    const { spans, lanes, clocks } = trace
    const numbers = (length: number) => new Float64Array(this.#allocate(8 * length))
    const [startNs, endNs] = [numbers(spans.length), numbers(spans.length)]
    startNs.set(spans.start.subarray(0, spans.length))
    endNs.set(spans.end.subarray(0, spans.length))
    const isDevice = lanes.map((lane) => clocks[lane.clock]?.kind === 'device')
    if (isDevice.includes(true)) placeDeviceSpans(trace, fits, isDevice, startNs, endNs)

    const unplaced = lanes.filter((lane, id) => isDevice[id] && !fits[lane.clock]).map((lane) => lane.id)
    const placedLanes = sortLanes(trace, startNs, endNs, new Set(unplaced), this.#allocate)
    let [startOfAllNs, endOfAllNs] = [Infinity, -Infinity]
    for (const lane of placedLanes) {
      if (lane.length === 0) continue
      startOfAllNs = Math.min(startOfAllNs, lane.startNs[0] ?? Infinity)
      endOfAllNs = Math.max(endOfAllNs, lane.maxEndNs[lane.length - 1] ?? -Infinity)
    }
    const isEmpty = endOfAllNs < startOfAllNs
    return {
      trace,
      fits,
      fitProblems: results.map((result) => (result && result.state !== 'fitted' ? result.reason : null)),
      lanes: placedLanes,
      unplaced,
      startNs,
      endNs,
      startOfAllNs: isEmpty ? 0 : startOfAllNs,
      endOfAllNs: isEmpty ? 0 : endOfAllNs,
    }
  }

  #fit(trace: Trace) {
    const { clocks, snapshots } = trace
    const hostStepNs = clocks.find((clock) => clock.kind === 'host')?.stepNs ?? 0
    const key = JSON.stringify(clocks)
    const seen = this.#seen
    const continues =
      this.#key === key &&
      snapshots.length >= seen.length &&
      (seen.length === 0 || snapshots[seen.length - 1] === seen[seen.length - 1])
    const steps = (deviceStepNs: number): ClockSteps => ({ hostStepNs, deviceStepNs })
    if (!continues)
      this.#fitters = clocks.map(({ kind, stepNs }, index) =>
        kind === 'device' ? new ClockFitter(index, steps(stepNs)) : null,
      )
    for (let index = continues ? seen.length : 0; index < snapshots.length; index += 1) {
      const snapshot = snapshots[index]
      if (snapshot) this.#fitters[snapshot.clock]?.add(snapshot)
    }
    this.#seen = snapshots
    this.#key = key
    return this.#fitters.map((fitter) => fitter?.result() ?? null)
  }
}

/**
 * From this share of all passes on, the stamps that end before they begin are no accident. Low,
 * since a pass shows it only where a step of the clock lies within it: one of 10 µs in about one of
 * seven, with steps of 65.5 µs. Chosen, not measured.
 */
const MOST_REVERSED = 0.01

/**
 * A clock that runs backwards within passes is none, though the brackets of those too short to show
 * it may fit: coarse stamps give such a pass no length, whichever way round it was stamped. Null
 * where it does not.
 */
function reversedStamps({ spans, lanes, clocks, rejected }: Trace): ClockResult | null {
  const reversed = rejected[END_BEFORE_BEGIN] ?? 0
  if (reversed === 0) return null
  let passes = reversed
  for (let span = 0; span < spans.length; span += 1)
    if (clocks[lanes[spans.lane[span] ?? -1]?.clock ?? -1]?.kind === 'device') passes += 1
  if (reversed < MOST_REVERSED * passes) return null
  return {
    state: 'infeasible',
    reason: `The device’s clock cannot be believed: ${String(reversed)} of ${String(passes)} passes end before they begin.`,
    bracket: 0,
    missNs: 0,
  }
}

function placeDeviceSpans(
  { spans, lanes, clocks }: Trace,
  fits: readonly (ClockFit | null)[],
  isDevice: readonly boolean[],
  startNs: Float64Array,
  endNs: Float64Array,
): void {
  for (let span = 0; span < spans.length; span += 1) {
    const lane = spans.lane[span] ?? -1
    if (!isDevice[lane]) continue
    const clock = lanes[lane]?.clock ?? -1
    const fit = fits[clock]
    const middle = (clocks[clock]?.stepNs ?? 0) / 2
    startNs[span] = fit ? toHostNs(fit, (startNs[span] ?? Number.NaN) + middle) : Number.NaN
    endNs[span] = fit ? toHostNs(fit, (endNs[span] ?? Number.NaN) + middle) : Number.NaN
  }
}

/**
 * Spans by lane, each lane sorted. Spans come nearly in order, so lanes are sorted by merging the
 * few that do not.
 */
function sortLanes(
  { spans, lanes }: Trace,
  startNs: Float64Array,
  endNs: Float64Array,
  unplaced: ReadonlySet<number>,
  allocate: Allocate,
): readonly PlacedLane[] {
  const firsts = new Uint32Array(lanes.length + 1)
  for (let span = 0; span < spans.length; span += 1) {
    const lane = spans.lane[span] ?? 0
    if (!unplaced.has(lane)) firsts[lane + 1] = (firsts[lane + 1] ?? 0) + 1
  }
  for (let lane = 0; lane < lanes.length; lane += 1)
    firsts[lane + 1] = (firsts[lane + 1] ?? 0) + (firsts[lane] ?? 0)
  const rows = firsts.at(-1) ?? 0
  const order = new Uint32Array(allocate(4 * rows))
  const filled = firsts.slice()
  for (let span = 0; span < spans.length; span += 1) {
    const lane = spans.lane[span] ?? 0
    if (unplaced.has(lane)) continue
    const at = filled[lane] ?? 0
    order[at] = span
    filled[lane] = at + 1
  }
  const compare = (a: number, b: number) =>
    (startNs[a] ?? 0) - (startNs[b] ?? 0) || (endNs[b] ?? 0) - (endNs[a] ?? 0) || a - b
  const numbers = () => new Float64Array(allocate(8 * rows))
  const [starts, ends, maxEnds] = [numbers(), numbers(), numbers()]
  return lanes.map(({ id }) => {
    const [first, end] = [firsts[id] ?? 0, firsts[id + 1] ?? 0]
    const span = order.subarray(first, end)
    sortNearlySorted(span, compare)
    let last = -Infinity
    for (let row = first; row < end; row += 1) {
      const at = order[row] ?? 0
      const endsNs = endNs[at] ?? 0
      last = Math.max(last, endsNs)
      starts[row] = startNs[at] ?? 0
      ends[row] = endsNs
      maxEnds[row] = last
    }
    return {
      lane: id,
      length: end - first,
      span,
      startNs: starts.subarray(first, end),
      endNs: ends.subarray(first, end),
      maxEndNs: maxEnds.subarray(first, end),
    }
  })
}

/**
 * Takes out what is not in order (a window is recorded after what it holds), sorts that, and
 * merges. Linear when little is.
 */
function sortNearlySorted(values: Uint32Array, compare: (a: number, b: number) => number): void {
  const inOrder = new Uint32Array(values.length)
  const late: number[] = []
  let kept = 0
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0
    if (kept > 0 && compare(inOrder[kept - 1] ?? 0, value) > 0) late.push(value)
    else {
      inOrder[kept] = value
      kept += 1
    }
  }
  if (late.length === 0) return
  late.sort(compare)
  let from = 0
  for (const [at, value] of late.entries()) {
    const first = from
    while (from < kept && compare(value, inOrder[from] ?? 0) >= 0) from += 1
    values.set(inOrder.subarray(first, from), first + at)
    values[from + at] = value
  }
  values.set(inOrder.subarray(from, kept), from + late.length)
}
