/**
 * Fits a device clock to the host's from causality alone: host = a + b · device, as a band, not a
 * guess.
 *
 * Each snapshot gives two half-planes in (a, b). With q the step of the device's clock (stamps are
 * floored) and e the host's:
 *   begin:  the device began after submit() was called       host(beginTick + q) ≥ hostBeforeNs − e
 *   end:    the host learned of the end after it had happened   host(endTick)       ≤ hostAfterNs + e
 * What satisfies all of them is a convex polygon. It holds the true clock if the brackets do,
 * whatever the latencies were. The estimate is its centroid, and its vertices give the earliest and
 * latest host time that any tick can have meant.
 *
 * Units: host ns since the trace's origin, device ticks of 1 ns (WebGPU §20.1 defines the unit, not
 * the rate's accuracy).
 */
import type { ClockSnapshot } from './schema'

/**
 * host ns = offsetNs + (1 + skew) · (tick − centreTick), with the feasible set of (offset, skew) as
 * a convex polygon. Plain numbers.
 */
export interface ClockFit {
  readonly clock: number
  /** Middle of the ticks seen: there offset and skew hang together least. */
  readonly centreTick: number
  readonly offsetNs: number
  readonly skew: number
  /** Vertices [offsetNs, skew] of the feasible polygon. */
  readonly polygon: readonly (readonly [number, number])[]
}

export type ClockResult =
  | { readonly state: 'fitted'; readonly fit: ClockFit }
  | { readonly state: 'no-timestamps'; readonly reason: string }
  | {
      readonly state: 'infeasible'
      readonly reason: string
      /**
       * Index, among this clock's snapshots, of the first that contradicts those before it, and by
       * how much.
       */
      readonly bracket: number
      readonly missNs: number
    }

export interface ClockSteps {
  readonly hostStepNs: number
  readonly deviceStepNs: number
}

/**
 * Prior for the skew: ±500 ppm. Oscillators of computers and GPUs are good to ±100 ppm each (±50
 * ppm is the usual grade), so two of them part by 200 ppm at most. WebGPU gives timestamps in ns,
 * so the nominal rate is 1; a period kept as a 32-bit float rounds by 0.06 ppm. Two things are
 * worse: a driver that still calibrates its scale drifts in its first second, and the host's clock
 * may be slewed, by at most 500 ppm (the kernel's own limit) and for short. A run that needs more
 * has no steady clock, and is reported as infeasible. The prior matters only early: brackets of 1
 * ms that lie 4 s apart bound the skew by themselves.
 */
const MAX_SKEW = 500e-6

/**
 * Skews are kept as the drift in ns over this many ticks, so that both axes are nanoseconds. With
 * ticks up to 1e11 (minutes) from the reference, drifts stay under 1e8 ns, and doubles resolve 1e-8
 * ns.
 */
const SCALE_TICKS = 1e9

/**
 * Half-planes may be missed by this much, for rounding: host times are milliseconds times 1e6, good
 * to about 1e-4 ns in a day.
 */
const ROUNDING_NS = 1e-3

/** (offset from the reference, drift over SCALE_TICKS), both ns. */
type Vertex = readonly [offset: number, drift: number]

/**
 * The side of the convex polygon where offset · p[0] + drift · p[1] ≥ level. Empty when there is
 * none.
 */
function clip(polygon: readonly Vertex[], offset: number, drift: number, level: number): readonly Vertex[] {
  const excess = (vertex: Vertex) => offset * vertex[0] + drift * vertex[1] - level
  let cuts = false
  for (const vertex of polygon) if (excess(vertex) < -ROUNDING_NS) cuts = true
  if (!cuts) return polygon // nearly always: brackets by the thousand, few of which are tight
  const kept: Vertex[] = []
  for (const [index, from] of polygon.entries()) {
    const to = polygon[(index + 1) % polygon.length] ?? from
    const [fromExcess, toExcess] = [excess(from), excess(to)]
    if (fromExcess >= -ROUNDING_NS) kept.push(from)
    const crosses = fromExcess < -ROUNDING_NS !== toExcess < -ROUNDING_NS
    if (!crosses) continue
    // The edge meets the line itself here; within rounding of it, the nearer end.
    const share = Math.min(1, Math.max(0, fromExcess / (fromExcess - toExcess)))
    kept.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])])
  }
  return withoutRepeats(kept)
}

/**
 * Clipping leaves vertices on top of each other, which would pile up over thousands of brackets.
 */
function withoutRepeats(polygon: readonly Vertex[]): readonly Vertex[] {
  const apart = polygon.filter((vertex, index) => {
    const before = polygon[(index + polygon.length - 1) % polygon.length] ?? vertex
    return index === 0 || Math.abs(vertex[0] - before[0]) + Math.abs(vertex[1] - before[1]) > 1e-6
  })
  return apart.length > 0 ? apart : polygon.slice(0, 1)
}

/**
 * Centroid of the area; of the vertices where there is no area. Always inside, since the polygon is
 * convex.
 */
function centroid(polygon: readonly Vertex[]): Vertex {
  const [first] = polygon
  if (!first) return [0, 0]
  let area = 0
  let [offset, drift] = [0, 0]
  let [offsetSum, driftSum] = [0, 0]
  for (const [index, a] of polygon.entries()) {
    const b = polygon[(index + 1) % polygon.length] ?? a
    // Relative to the first vertex: a sliver far from the origin keeps its digits.
    const [ax, ay, bx, by] = [a[0] - first[0], a[1] - first[1], b[0] - first[0], b[1] - first[1]]
    const cross = ax * by - bx * ay
    area += cross
    offset += (ax + bx) * cross
    drift += (ay + by) * cross
    offsetSum += ax
    driftSum += ay
  }
  const count = polygon.length
  const mean: Vertex = [first[0] + offsetSum / count, first[1] + driftSum / count]
  if (Math.abs(area) < 1e-6) return mean
  return [first[0] + offset / (3 * area), first[1] + drift / (3 * area)]
}

/** A sum with a NaN or an infinity in it is neither finite. */
const isFinite = ({ hostBeforeNs, beginTick, endTick, hostAfterNs }: ClockSnapshot): boolean =>
  Number.isFinite(hostBeforeNs + beginTick + endTick + hostAfterNs)

const milliseconds = (timeNs: number): string => `${(timeNs / 1e6).toFixed(3)} ms`

/**
 * The fit as evidence comes: `add` brackets in any order and ask for the result. An infeasible
 * fitter stays so. A bracket costs a pass over the polygon, which has a handful of vertices; most
 * brackets change nothing.
 */
export class ClockFitter {
  readonly #clock: number
  readonly #steps: ClockSteps
  #polygon: readonly Vertex[] = []
  /** Reference of the first bracket: ticks and host times are taken from here. */
  #referenceTick = 0
  #referenceNs = 0
  #firstTick = Infinity
  #lastTick = -Infinity
  #count = 0
  #failure: Extract<ClockResult, { state: 'infeasible' }> | null = null

  constructor(clock: number, steps: ClockSteps) {
    this.#clock = clock
    this.#steps = steps
  }

  /** @returns whether the bracket has narrowed what clocks are possible. */
  add(snapshot: ClockSnapshot): boolean {
    const bracket = this.#count
    this.#count += 1
    if (this.#failure) return false
    if (!isFinite(snapshot)) {
      this.#fail(bracket, Infinity, 'has a time that is not a number')
      return false
    }
    const { hostStepNs, deviceStepNs } = this.#steps
    if (bracket === 0) {
      this.#referenceTick = snapshot.beginTick
      this.#referenceNs = snapshot.hostBeforeNs
    }
    const begin = snapshot.beginTick + deviceStepNs - this.#referenceTick
    const end = snapshot.endTick - this.#referenceTick
    // offset + drift · x ≥ low, and offset + drift · y ≤ high
    const low = snapshot.hostBeforeNs - hostStepNs - this.#referenceNs - begin
    const high = snapshot.hostAfterNs + hostStepNs - this.#referenceNs - end
    if (bracket === 0) this.#polygon = priorBox(low, high, begin, end)
    const before = this.#polygon
    this.#clip(bracket, snapshot, 1, begin / SCALE_TICKS, low, 'began')
    this.#clip(bracket, snapshot, -1, -end / SCALE_TICKS, -high, 'ended')
    this.#firstTick = Math.min(this.#firstTick, snapshot.beginTick)
    this.#lastTick = Math.max(this.#lastTick, snapshot.endTick)
    return bracket === 0 || this.#polygon !== before
  }

  result(): ClockResult {
    if (this.#failure) return this.#failure
    if (this.#count === 0)
      return { state: 'no-timestamps', reason: 'No submission of this run carries device timestamps.' }
    return { state: 'fitted', fit: this.#fit() }
  }

  #clip(
    bracket: number,
    of: ClockSnapshot,
    offset: number,
    drift: number,
    level: number,
    edge: string,
  ): void {
    if (this.#failure) return
    const before = this.#polygon
    const after = clip(before, offset, drift, level)
    if (after.length > 0) {
      this.#polygon = after
      return
    }
    const missNs = before.reduce(
      (least, vertex) => Math.min(least, level - offset * vertex[0] - drift * vertex[1]),
      Infinity,
    )
    const side = edge === 'began' ? 'before it was submitted' : 'after the host had learned of its end'
    const by = `it ${edge} at least ${milliseconds(missNs)} ${side}`
    const what =
      bracket === 0 ? `contradicts itself: ${by}` : `contradicts those before it: by their clock ${by}`
    this.#fail(bracket, missNs, what, of)
  }

  #fail(bracket: number, missNs: number, what: string, of?: ClockSnapshot): void {
    const at = of ? ` (host ${milliseconds(of.hostBeforeNs)} to ${milliseconds(of.hostAfterNs)})` : ''
    this.#failure = {
      state: 'infeasible',
      reason: `No steady clock fits the timestamps: bracket ${String(bracket)}${at} ${what}.`,
      bracket,
      missNs,
    }
  }

  #fit(): ClockFit {
    const centreTick = (this.#firstTick + this.#lastTick) / 2
    const centre = centreTick - this.#referenceTick
    const polygon = this.#polygon
    const referenceNs = this.#referenceNs
    const at = ([offset, drift]: Vertex, ticks: number) =>
      referenceNs + (ticks + (offset + (drift / SCALE_TICKS) * ticks))
    const estimate = centroid(polygon)
    return {
      clock: this.#clock,
      centreTick,
      offsetNs: at(estimate, centre),
      skew: estimate[1] / SCALE_TICKS,
      polygon: polygon.map((vertex) => [at(vertex, centre), vertex[1] / SCALE_TICKS]),
    }
  }
}

/** Written so that the small terms are added up first: the tick itself may be 1e11. */
const hostNsAt = (atCentreNs: number, slope: number, ticks: number): number =>
  atCentreNs + (ticks + slope * ticks)

export const toHostNs = ({ offsetNs, skew, centreTick }: ClockFit, tick: number): number =>
  hostNsAt(offsetNs, skew, tick - centreTick)

/** Earliest and latest host time at which this tick can have been. */
export function hostBand({ polygon, centreTick }: ClockFit, tick: number): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const [vertexNs, slope] of polygon) {
    const hostNs = hostNsAt(vertexNs, slope, tick - centreTick)
    if (hostNs < low) low = hostNs
    if (hostNs > high) high = hostNs
  }
  return [low, high]
}

/**
 * All skews of the prior, and every offset that the first bracket allows with any of them: clipping
 * then makes it exact.
 */
function priorBox(low: number, high: number, begin: number, end: number): readonly Vertex[] {
  const drift = MAX_SKEW * SCALE_TICKS
  const slack = MAX_SKEW * Math.max(Math.abs(begin), Math.abs(end)) + 1
  const [left, right] = [Math.min(low, high) - slack, Math.max(low, high) + slack]
  return [
    [left, -drift],
    [right, -drift],
    [right, drift],
    [left, drift],
  ]
}

/**
 * The brackets of one clock that its fit rests on, in their order: those that cut something off,
 * and the first and last ticks. Fitted alone they give the same band and the same estimate, to the
 * last bit: a bracket that cuts nothing leaves the polygon as it is. Of brackets that a clock fits.
 */
export function bindingSnapshots(
  clock: number,
  snapshots: readonly ClockSnapshot[],
  steps: ClockSteps,
): readonly ClockSnapshot[] {
  const fitter = new ClockFitter(clock, steps)
  const own = snapshots.filter((snapshot) => snapshot.clock === clock)
  const binding = new Set(own.filter((snapshot) => fitter.add(snapshot)))
  let [first, last] = [own[0], own[0]]
  for (const snapshot of own) {
    if (first && snapshot.beginTick < first.beginTick) first = snapshot
    if (last && snapshot.endTick > last.endTick) last = snapshot
  }
  return own.filter((snapshot) => binding.has(snapshot) || snapshot === first || snapshot === last)
}
