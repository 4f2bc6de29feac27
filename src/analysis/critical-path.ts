/**
 * The longest chain through host and device, by what each segment had to wait for: walked backwards from an end. Every moment of it
 * belongs to one segment, and the sums add up to its length.
 *
 *   host ▇▇▇│launch├───▶ device ▇▇▇▇│stream, switch├─▶ device ▇▇▇▇│notice├───▶ host ▇▇▇
 *
 * Work on a device began when its call had been made and the work before it had ended: the later of the two is on the path (`follow`).
 * Which those are, and what the host did before the call, is asked of one of two graphs:
 * - `TraceGraph`, of any trace, by its arrows: a thread's time back to the last wait that work of a device ended, then that work. Where it
 *   was another rank that it waited for, since its own call of a message came first, the path goes on with that rank's thread, from its
 *   call. Waits of one stream for another, and of threads for another but by messages, are not in a trace's arrows: where the path comes
 *   to a thread's first span it ends.
 * - `RepeatGraph`, of one repeat of a run, by the reading of it that what-if.ts replays, so that the two agree: submissions, one queue,
 *   and each step of the host.
 */
import { upperBound } from '../base/search'
import { median } from '../base/stats'
import type { PlacedTrace } from '../trace/place'
import { messagePeers } from '../trace/rank-messages'
import { FLOW_KINDS, spanKindIndex } from '../trace/schema'
import { RepeatReader, type RepeatModel } from './repeat-model'
import { PATH_OWNERS, type PathOwner } from './types'

export interface PathSegment {
  readonly who: PathOwner
  readonly startNs: number
  readonly endNs: number
  /** That it is of or leads to; of several passes of a submission the longest. -1: the host between its calls. */
  readonly span: number
}

export interface CriticalPath {
  /** In order of time, without holes. */
  readonly segments: readonly PathSegment[]
  readonly ns: Readonly<Record<PathOwner, number>>
}

/** Of a whole trace, from its last work to end. Null where no work of a device has a place. */
export function criticalPath(placed: PlacedTrace): CriticalPath | null {
  const graph = new TraceGraph(placed)
  const last = graph.lastWork()
  return last === null ? null : graph.pathTo(last, -Infinity)
}

/**
 * Of one repeat of a run in which ranks send each other messages: back from the last end of their calls and work, on whichever rank it is, to
 * the begin of the repeat. `variant`: an index into the strings. Null where no message of it has both its ends.
 */
export function criticalPathOfRanks(
  placed: PlacedTrace,
  variant: number,
  repeat: number,
): CriticalPath | null {
  const { spans, lanes } = placed.trace
  const ends = messagePeers(placed.trace)
  let [last, hasMessages, beginNs] = [-1, false, Infinity]
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.variant[span] !== variant || spans.repeat[span] !== repeat) continue
    const kind = lanes[spans.lane[span] ?? -1]?.kind
    if ((kind !== 'host' && kind !== 'device') || spans.kind[span] === WINDOW) continue
    const [startNs, endNs] = [placed.startNs[span] ?? Number.NaN, placed.endNs[span] ?? Number.NaN]
    if (Number.isNaN(endNs)) continue
    hasMessages ||= ends.has(span)
    beginNs = Math.min(beginNs, startNs)
    if (last < 0 || endNs > (placed.endNs[last] ?? Infinity)) last = span
  }
  return hasMessages ? new TraceGraph(placed).pathTo(last, beginNs) : null
}

export interface RepeatPath extends CriticalPath {
  readonly repeat: number
}

/** Of the repeat whose time is nearest to the variant's median; a sentence where there is none that can be read. */
export function repeatPath(placed: PlacedTrace, variant: string): RepeatPath | string {
  const reader = new RepeatReader(placed)
  const index = placed.trace.strings.indexOf(variant)
  const repeats = reader.repeatsOf(index)
  const middle = median(repeats.map((repeat) => reader.lengthNs(index, repeat)))
  const offBy = (repeat: number) => Math.abs(reader.lengthNs(index, repeat) - middle)
  const [repeat] = [...repeats].sort((a, b) => offBy(a) - offBy(b))
  if (repeat === undefined) return 'No counted repeat of this variant was recorded.'
  const read = reader.read(index, repeat)
  return typeof read === 'string' ? read : { repeat, ...new RepeatGraph(read).path() }
}

/** Segments as they are found, the latest first: each goes from where the one before began, not beyond `beginNs`. */
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

/** What waited for what; work is numbered as the graph likes. */
interface PathGraph {
  /** The work before on the same stream or queue, and what the time from its end is called. */
  readonly between: 'stream' | 'switch'
  /** More work than is ever on a path: what waits for itself in a damaged file ends there. */
  readonly most: number
  before: (work: number) => number | undefined
  span: (work: number) => number
  start: (work: number) => number
  end: (work: number) => number
  /** When work was handed to the device; undefined where that is not known. */
  called: (work: number) => number | undefined
  /** Adds what the host did before it handed over work; the work that it had waited for, null where it waited for none. */
  backOnHost: (work: number, path: Backwards) => number | null
}

/** The one algorithm. */
function follow(graph: PathGraph, last: number | null, path: Backwards): CriticalPath {
  let work = last
  for (let found = 0; work !== null && !path.isOver && found <= graph.most; found += 1) {
    path.add('device', graph.start(work), graph.span(work))
    const before = graph.before(work)
    const called = graph.called(work)
    if (before !== undefined && graph.end(before) >= (called ?? -Infinity)) {
      path.add(graph.between, graph.end(before), graph.span(work))
      work = before
    } else if (called === undefined) break
    else {
      path.add('launch', called, graph.span(work))
      work = graph.backOnHost(work, path)
    }
  }
  return path.done()
}

/** Work is a span. */
class TraceGraph implements PathGraph {
  readonly between = 'stream'
  readonly #placed: PlacedTrace
  readonly #callOf = new Map<number, number>()
  readonly #causeOf = new Map<number, number>()
  /** Call of a message -> that of the other rank, which came later. */
  readonly #rankOf = new Map<number, number>()
  /** Work -> the work before it on its lane, by end. */
  readonly #previous = new Map<number, number>()
  /** By lane: waits that work of a device or another rank ended, by end. */
  readonly #waits = new Map<number, { readonly spans: readonly number[]; readonly ends: Float64Array }>()
  readonly #work: number[] = []

  constructor(placed: PlacedTrace) {
    this.#placed = placed
    const { flows, lanes, spans } = placed.trace
    for (let flow = 0; flow < flows.length; flow += 1) {
      const [from, to] = [flows.from[flow] ?? -1, flows.to[flow] ?? -1]
      const kind = FLOW_KINDS[flows.kind[flow] ?? -1]
      if (kind === 'submit') this.#callOf.set(to, from)
      else if (kind === 'sync' && this.end(from) > (this.#causeEnd(to) ?? -Infinity))
        this.#causeOf.set(to, from)
    }
    for (const lane of placed.lanes) {
      if (lanes[lane.lane]?.kind !== 'device') continue
      let before = -1
      for (const span of lane.span) {
        if (!WORK.has(spans.kind[span] ?? -1)) continue
        this.#work.push(span)
        if (before >= 0) this.#previous.set(span, before)
        if (before < 0 || this.end(span) >= this.end(before)) before = span
      }
    }
    // Within the bounds both came at once, and neither waited.
    for (const [call, other] of messagePeers(placed.trace))
      if (this.start(other) > this.start(call) && this.start(other) < this.end(call))
        this.#rankOf.set(call, other)
    const waits = new Map<number, number[]>()
    for (const wait of [...this.#causeOf.keys(), ...this.#rankOf.keys()]) {
      const lane = spans.lane[wait] ?? -1
      const list = waits.get(lane)
      if (list) list.push(wait)
      else waits.set(lane, [wait])
    }
    for (const [lane, list] of waits) {
      list.sort((a, b) => this.end(a) - this.end(b))
      this.#waits.set(lane, { spans: list, ends: Float64Array.from(list, (span) => this.end(span)) })
    }
  }

  get most(): number {
    return this.#work.length
  }

  lastWork(): number | null {
    let last: number | null = null
    for (const span of this.#work) if (last === null || this.end(span) > this.end(last)) last = span
    return last
  }

  /** `last`: work of a device, or a call of a host. */
  pathTo(last: number, beginNs: number): CriticalPath {
    const path = new Backwards(beginNs, this.end(last))
    const { lanes, spans } = this.#placed.trace
    const isOnDevice = lanes[spans.lane[last] ?? -1]?.kind === 'device'
    return follow(this, isOnDevice ? last : this.#backFrom(last, this.end(last), path), path)
  }

  span(work: number): number {
    return work
  }
  start(span: number): number {
    return this.#placed.startNs[span] ?? Number.NaN
  }
  end(span: number): number {
    return this.#placed.endNs[span] ?? Number.NaN
  }
  before(work: number): number | undefined {
    return this.#previous.get(work)
  }
  called(work: number): number | undefined {
    const call = this.#callOf.get(work)
    return call === undefined ? undefined : this.start(call)
  }
  backOnHost(work: number, path: Backwards): number | null {
    const call = this.#callOf.get(work) ?? -1
    return this.#backFrom(call, this.start(call), path)
  }

  /** The work that the thread of a call, or one that it waited for, last waited for before a moment; null where it waited for none. */
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
      const cause = this.#causeOf.get(wait)
      if (cause !== undefined) {
        path.add('notice', this.end(cause), wait)
        return cause
      }
      const other = this.#rankOf.get(wait) ?? -1
      ;[at, atNs] = [other, this.start(other)]
      path.add('message', atNs, wait)
    }
  }

  #causeEnd(wait: number): number | undefined {
    const cause = this.#causeOf.get(wait)
    return cause === undefined ? undefined : this.end(cause)
  }
}
const WINDOW = spanKindIndex('window')
const WORK = new Set((['compute', 'transfer', 'collective'] as const).map(spanKindIndex))

/** Work is a submission, by its place in the queue. */
class RepeatGraph implements PathGraph {
  readonly between = 'switch'
  readonly #model: RepeatModel
  /** By submission: the step of the host that ended with its submit(). */
  readonly #submittedBy = new Map<number, number>()
  /** The step up to which the path is found. */
  #step: number

  constructor(model: RepeatModel) {
    this.#model = model
    this.#step = model.steps.length - 1
    for (const [at, { submits }] of model.steps.entries())
      if (submits >= 0) this.#submittedBy.set(submits, at)
  }

  get most(): number {
    return this.#model.work.length + this.#model.steps.length
  }

  path(): CriticalPath {
    const { steps } = this.#model
    const path = new Backwards(steps[0]?.startNs ?? 0, steps.at(-1)?.endNs ?? 0)
    return follow(this, this.#back(path), path)
  }

  span(work: number): number {
    return this.#model.work[work]?.span ?? -1
  }
  start(work: number): number {
    return this.#model.work[work]?.startNs ?? 0
  }
  end(work: number): number {
    return this.#model.work[work]?.endNs ?? 0
  }
  before(work: number): number | undefined {
    return work > 0 ? work - 1 : undefined
  }
  called(work: number): number {
    return this.#model.work[work]?.submittedNs ?? 0
  }
  backOnHost(work: number, path: Backwards): number | null {
    this.#step = Math.min(this.#step, this.#submittedBy.get(work) ?? -1)
    return this.#back(path)
  }

  /** A wait is on the path as what ended it, where that had not ended before it began; any other step is the host's own time. */
  #back(path: Backwards): number | null {
    const { steps, work } = this.#model
    for (; this.#step >= 0; this.#step -= 1) {
      const { startNs = 0, span = -1, heard = -1 } = steps[this.#step] ?? {}
      const endedNs = work[heard]?.endNs
      if (endedNs !== undefined && endedNs > startNs) {
        path.add('notice', endedNs, span)
        this.#step -= 1
        return heard
      }
      path.add('host', startNs, span)
    }
    return null
  }
}
