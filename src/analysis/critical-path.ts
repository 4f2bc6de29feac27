/**
 * The longest chain through host and device, by what each piece had to wait for: walked backwards from the last work to end.
 *
 * Work on a device began when its call had been made and the work before it on its stream had ended: the later of the two is on the
 * path. A call was made when its thread came to it: the thread's time back to the last wait that work of a device ended is on the path,
 * then that work. Where it was another rank that it waited for, since its own call of a message came first, the path goes on with that
 * rank's thread, from its call. So every moment from the path's begin to its end belongs to one piece, and the sums add up to its length. Waits
 * of one stream for another, and of threads for another but by messages, are not in a trace's arrows: where the path comes to a thread's first
 * span it ends.
 */
import { upperBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import { otherEnds } from '../trace/rank-messages'
import { FLOW_KINDS, spanKindIndex } from '../trace/schema'

/**
 * 'launch': from the call to the work's begin; 'stream': from the end of the work before; 'notice': from the work's end to the wait's;
 * 'message': from the later call of the two ends of a message to the end of the earlier one.
 */
export const PATH_PARTS = ['device', 'host', 'launch', 'stream', 'notice', 'message'] as const
export type PathPart = (typeof PATH_PARTS)[number]

export interface PathPiece {
  readonly part: PathPart
  readonly beginUs: number
  readonly endUs: number
  /** The span that the piece is of or leads to. */
  readonly span: number
}

export interface CriticalPath {
  readonly beginUs: number
  readonly endUs: number
  /** In order of time. */
  readonly pieces: readonly PathPiece[]
  readonly us: Readonly<Record<PathPart, number>>
}

/** Null where no work of a device has a place. */
export function criticalPath(placed: PlacedTrace): CriticalPath | null {
  const walk = new Walk(placed)
  const last = walk.lastWork()
  return last === null ? null : walk.from(last)
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
  const ends = otherEnds(placed.trace)
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
  return hasMessages ? new Walk(placed).from(last, beginNs) : null
}

class Walk {
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
      else if (kind === 'sync' && this.#end(from) > (this.#causeEnd(to) ?? -Infinity))
        this.#causeOf.set(to, from)
    }
    const isWork = (span: number) => WORK.has(spans.kind[span] ?? -1)
    for (const lane of placed.lanes) {
      if (lanes[lane.lane]?.kind !== 'device') continue
      const work = Array.from(lane.span).filter(isWork)
      let before = -1
      for (const span of work) {
        this.#work.push(span)
        if (before >= 0) this.#previous.set(span, before)
        if (before < 0 || this.#end(span) >= this.#end(before)) before = span
      }
    }
    // Within the bounds both came at once, and neither waited.
    for (const [call, other] of otherEnds(placed.trace))
      if (this.#start(other) > this.#start(call) && this.#start(other) < this.#end(call))
        this.#rankOf.set(call, other)
    const waits = new Map<number, number[]>()
    for (const wait of [...this.#causeOf.keys(), ...this.#rankOf.keys()]) {
      const lane = spans.lane[wait] ?? -1
      const list = waits.get(lane)
      if (list) list.push(wait)
      else waits.set(lane, [wait])
    }
    for (const [lane, list] of waits) {
      list.sort((a, b) => this.#end(a) - this.#end(b))
      this.#waits.set(lane, { spans: list, ends: Float64Array.from(list, (span) => this.#end(span)) })
    }
  }

  lastWork(): number | null {
    let last: number | null = null
    for (const span of this.#work) if (last === null || this.#end(span) > this.#end(last)) last = span
    return last
  }

  /** `last`: work of a device, or a call of a host. Not beyond `fromNs`. */
  from(last: number, beginNs = -Infinity): CriticalPath {
    const pieces: PathPiece[] = []
    const endUs = this.#end(last) / 1e3
    let atNs = this.#end(last)
    const add = (part: PathPart, fromNs: number, span: number) => {
      const startNs = Math.max(beginNs, Math.min(fromNs, atNs))
      if (startNs < atNs) pieces.push({ part, beginUs: startNs / 1e3, endUs: atNs / 1e3, span })
      atNs = startNs
    }
    const { lanes, spans } = this.#placed.trace
    const isOnDevice = lanes[spans.lane[last] ?? -1]?.kind === 'device'
    let work = isOnDevice ? last : this.#backOnHost(last, atNs, add)
    for (let steps = 0; work !== null && atNs > beginNs && steps <= this.#work.length; steps += 1) {
      add('device', this.#start(work), work)
      const previous = this.#previous.get(work)
      const call = this.#callOf.get(work)
      const previousEnd = previous === undefined ? -Infinity : this.#end(previous)
      const callStart = call === undefined ? -Infinity : this.#start(call)
      if (previous !== undefined && previousEnd >= callStart) {
        add('stream', previousEnd, work)
        work = previous
      } else if (call !== undefined) {
        add('launch', callStart, work)
        work = this.#backOnHost(call, callStart, add)
      } else work = null
    }
    pieces.reverse()
    const us = Object.fromEntries(PATH_PARTS.map((part) => [part, 0])) as Record<PathPart, number> // one for each
    for (const { part, beginUs, endUs: stopUs } of pieces) us[part] += stopUs - beginUs
    return { beginUs: atNs / 1e3, endUs, pieces, us }
  }

  /** The work that the thread of a call, or one that it waited for, last waited for before a moment; null where it waited for none. */
  #backOnHost(
    call: number,
    beforeNs: number,
    add: (part: PathPart, fromNs: number, span: number) => void,
  ): number | null {
    // From rank to rank it goes back in time: a call is passed once.
    for (let [at, atNs] = [call, beforeNs]; ;) {
      const lane = this.#placed.trace.spans.lane[at] ?? -1
      const waits = this.#waits.get(lane)
      const wait = waits?.spans[upperBound(waits.ends, atNs) - 1]
      if (wait === undefined) {
        const first = this.#placed.lanes.find((each) => each.lane === lane)?.startNs[0]
        add('host', first ?? this.#start(at), at)
        return null
      }
      add('host', this.#end(wait), at)
      const cause = this.#causeOf.get(wait)
      if (cause !== undefined) {
        add('notice', this.#end(cause), wait)
        return cause
      }
      const other = this.#rankOf.get(wait) ?? -1
      ;[at, atNs] = [other, this.#start(other)]
      add('message', atNs, wait)
    }
  }

  #causeEnd(wait: number): number | undefined {
    const cause = this.#causeOf.get(wait)
    return cause === undefined ? undefined : this.#end(cause)
  }
  #start(span: number): number {
    return this.#placed.startNs[span] ?? Number.NaN
  }
  #end(span: number): number {
    return this.#placed.endNs[span] ?? Number.NaN
  }
}
const WINDOW = spanKindIndex('window')
const WORK = new Set((['compute', 'transfer', 'collective'] as const).map(spanKindIndex))
