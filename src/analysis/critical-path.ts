/**
 * The longest chain through host and device, by what each segment had to wait for: walked backwards
 * from an end. Every moment of it belongs to one segment, and the sums add up to its length.
 *
 *   host ▇▇▇│launch├───▶ device ▇▇▇▇│stream├─▶ device ▇▇▇▇│notice├───▶ host ▇▇▇
 *
 * Work on a device began when its call had been made and the work before it had ended: the later of
 * the two is on the path. Which those are, the trace's arrows say: a thread's time back to the last
 * wait that work of a device ended, then that work. Where it was another rank that it waited for,
 * since its own call of a message came first, the path goes on with that rank's thread, from its
 * call. Waits of one stream for another, and of threads for another but by messages, are not in a
 * trace's arrows: where the path comes to a thread's first span it ends.
 */
import { giveWay } from '../base/give-way'
import { addTo } from '../base/lists'
import { upperBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import { messagePeers } from '../trace/collectives'
import { FLOW_KINDS, spanKindIndex } from '../trace/schema'
import { PATH_OWNERS, type PathOwner } from './types'

interface PathSegment {
  readonly who: PathOwner
  readonly startNs: number
  readonly endNs: number
  /**
   * That it is of or leads to; of several passes of a submission the longest. -1: the host between
   * its calls.
   */
  readonly span: number
}

export interface CriticalPath {
  /** In order of time, without holes. */
  readonly segments: readonly PathSegment[]
  readonly ns: Readonly<Record<PathOwner, number>>
}

/** Follows a whole trace from its last work to end. Null: no work of a device has a place. */
export function criticalPath(placed: PlacedTrace): CriticalPath | null {
  const graph = new TraceGraph(placed)
  const last = graph.lastWork()
  return last === null ? null : graph.pathTo(last, -Infinity)
}

/**
 * Follows one repeat of a run of the lab, given its window, from its end to its begin. If ranks
 * send each other messages, it follows them from the last end of their calls and work, on any rank.
 * Null: the device's work is not known.
 */
export function repeatPath(placed: PlacedTrace, window: number): CriticalPath | null {
  const { spans, lanes } = placed.trace
  const peers = messagePeers(placed.trace)
  let [last, hasMessages, hasWork, beginNs] = [-1, false, false, Infinity]
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.variant[span] !== spans.variant[window] || spans.repeat[span] !== spans.repeat[window]) continue
    const kind = lanes[spans.lane[span] ?? -1]?.kind
    if ((kind !== 'host' && kind !== 'device') || spans.kind[span] === WINDOW) continue
    const [startNs, endNs] = [placed.startNs[span] ?? Number.NaN, placed.endNs[span] ?? Number.NaN]
    if (Number.isNaN(endNs)) continue
    hasMessages ||= peers.has(span)
    hasWork ||= kind === 'device'
    beginNs = Math.min(beginNs, startNs)
    if (last < 0 || endNs > (placed.endNs[last] ?? Infinity)) last = span
  }
  const graph = new TraceGraph(placed)
  if (hasMessages) return graph.pathTo(last, beginNs)
  return hasWork ? graph.pathTo(window, placed.startNs[window] ?? 0) : null
}

/**
 * Segments as they are found, the latest first: each goes from where the one before began, not
 * beyond `beginNs`.
 */
class Backwards {
  readonly #beginNs: number
  readonly #found: PathSegment[] = []
  #atNs: number

  constructor(beginNs: number, endNs: number) {
    this.#beginNs = beginNs
    this.#atNs = endNs
  }

  get isOver(): boolean {
    return this.#atNs <= this.#beginNs
  }

  add(who: PathOwner, fromNs: number, span: number): void {
    const startNs = Math.max(this.#beginNs, Math.min(fromNs, this.#atNs))
    const last = this.#found.at(-1)
    if (startNs < this.#atNs && last?.who === who && last.span === span)
      this.#found[this.#found.length - 1] = { ...last, startNs }
    else if (startNs < this.#atNs) this.#found.push({ who, startNs, endNs: this.#atNs, span })
    this.#atNs = startNs
  }

  done(): CriticalPath {
    const segments = this.#found.reverse()
    const ns = Object.fromEntries(PATH_OWNERS.map((who) => [who, 0])) as Record<PathOwner, number> // one for each
    for (const { who, startNs, endNs } of segments) ns[who] += endNs - startNs
    return { segments, ns }
  }
}

/** Tells by the arrows of a trace which event waited for which. */
class TraceGraph {
  readonly #placed: PlacedTrace
  // By span, -1 none: maps of 10^6 spans take five times as long to fill.
  readonly #callOf: Int32Array
  readonly #causeOf: Int32Array
  /** Call of a message -> that of the other rank, which came later. */
  readonly #rankOf: Int32Array
  /** Work -> the work before it on its lane, by end. */
  readonly #previous: Int32Array
  /** Spans by submission, for copies, which have no arrow of their own. Built at the first copy. */
  #callOfSubmission: ReadonlyMap<number, number> | null = null
  /** By lane: waits that work of a device or another rank ended, by end. */
  readonly #waits = new Map<number, { readonly spans: readonly number[]; readonly ends: Float64Array }>()
  readonly #work: number[] = []

  constructor(placed: PlacedTrace) {
    this.#placed = placed
    const { flows, lanes, spans } = placed.trace
    const bySpan = () => new Int32Array(spans.length).fill(-1)
    this.#callOf = bySpan()
    this.#causeOf = bySpan()
    this.#rankOf = bySpan()
    this.#previous = bySpan()
    const awaited: number[] = []
    for (let flow = 0; flow < flows.length; flow += 1) {
      const [from, to] = [flows.from[flow] ?? -1, flows.to[flow] ?? -1]
      const kind = FLOW_KINDS[flows.kind[flow] ?? -1]
      if (kind === 'submit') this.#callOf[to] = from
      else if (kind === 'sync') {
        const known = this.#causeOf[to] ?? -1
        if (!(this.end(from) > (known < 0 ? -Infinity : this.end(known)))) continue
        this.#causeOf[to] = from
        if (known < 0) awaited.push(to)
      }
    }
    for (const lane of placed.lanes) {
      if (lanes[lane.lane]?.kind !== 'device') continue
      let before = -1
      for (const span of lane.span) {
        if (!WORK.has(spans.kind[span] ?? -1)) continue
        this.#work.push(span)
        if (before >= 0) this.#previous[span] = before
        if (before < 0 || this.end(span) >= this.end(before)) before = span
      }
    }
    // Within the bounds both came at once, and neither waited.
    for (const [call, other] of messagePeers(placed.trace))
      if (this.start(other) > this.start(call) && this.start(other) < this.end(call)) {
        this.#rankOf[call] = other
        awaited.push(call)
      }
    const waits = new Map<number, number[]>()
    for (const wait of awaited) {
      const lane = spans.lane[wait] ?? -1
      addTo(waits, lane, wait)
    }
    for (const [lane, list] of waits) {
      list.sort((a, b) => this.end(a) - this.end(b))
      this.#waits.set(lane, { spans: list, ends: Float64Array.from(list, (span) => this.end(span)) })
    }
  }

  lastWork(): number | null {
    let last: number | null = null
    for (const span of this.#work) if (last === null || this.end(span) > this.end(last)) last = span
    return last
  }

  /** `last`: work of a device, or a call of a host. */
  pathTo(last: number, beginNs: number): CriticalPath {
    const path = new Backwards(beginNs, this.end(last))
    const isOnDevice = this.#placed.trace.lanes[this.#placed.trace.spans.lane[last] ?? -1]?.kind === 'device'
    let work = isOnDevice ? last : this.#backFrom(last, this.end(last), path)
    // In a damaged file, work may wait for itself: the path ends after as many pieces as there are.
    for (let found = 0; work !== null && !path.isOver && found <= this.#work.length; found += 1) {
      if (found % 4096 === 0) giveWay()
      path.add('device', this.start(work), work)
      const before = this.#previous[work] ?? -1
      const call = this.#callFor(work)
      const calledNs = call < 0 ? -Infinity : this.start(call)
      if (before >= 0 && this.end(before) >= calledNs) {
        path.add('stream', this.end(before), work)
        work = before
      } else if (call < 0) break
      else {
        path.add('launch', calledNs, work)
        work = this.#backFrom(call, calledNs, path)
      }
    }
    return path.done()
  }

  start(span: number): number {
    return this.#placed.startNs[span] ?? Number.NaN
  }
  end(span: number): number {
    return this.#placed.endNs[span] ?? Number.NaN
  }

  /**
   * The work that the thread of a call, or one that it waited for, last waited for before a moment;
   * null where it waited for none.
   */
  #backFrom(call: number, beforeNs: number, path: Backwards): number | null {
    // From rank to rank it goes back in time: a call is passed once.
    for (let [at, atNs] = [call, beforeNs]; ;) {
      const lane = this.#placed.trace.spans.lane[at] ?? -1
      const waits = this.#waits.get(lane)
      const wait = waits?.spans[upperBound(waits.ends, atNs) - 1]
      if (wait === undefined) {
        const first = this.#placed.lanes.find((each) => each.lane === lane)?.startNs[0]
        path.add('host', first ?? this.start(at), at)
        return null
      }
      path.add('host', this.end(wait), at)
      const cause = this.#causeOf[wait] ?? -1
      if (cause >= 0) {
        path.add('notice', this.end(cause), wait)
        return cause
      }
      const other = this.#rankOf[wait] ?? -1
      ;[at, atNs] = [other, this.start(other)]
      path.add('message', atNs, wait)
    }
  }

  #callFor(work: number): number {
    const call = this.#callOf[work] ?? -1
    const submission = this.#placed.trace.spans.submission[work] ?? -1
    if (call >= 0 || submission < 0) return call
    this.#callOfSubmission ??= this.#callsOfSubmissions()
    return this.#callOfSubmission.get(submission) ?? -1
  }

  #callsOfSubmissions(): ReadonlyMap<number, number> {
    const { spans } = this.#placed.trace
    const calls = new Map<number, number>()
    for (const [work, call] of this.#callOf.entries())
      if (call >= 0) calls.set(spans.submission[work] ?? -1, call)
    return calls
  }
}
const WINDOW = spanKindIndex('window')
const WORK = new Set((['compute', 'transfer', 'collective'] as const).map(spanKindIndex))
