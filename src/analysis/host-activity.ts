/**
 * Tells what the host was doing when: the host lanes' spans as interval sets by activity, for
 * questions about any stretch of time. 'window' spans are frames round a repeat, not something the
 * host does; staging lanes add when a buffer was being written.
 */
import { upperBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import {
  FRAME_CALLBACKS,
  SPAN_KINDS,
  SPAN_ROLES,
  spanRoleIndex,
  type SpanColumns,
  type SpanKind,
  type SpanRole,
  type Trace,
} from '../trace/schema'
import { IndexedSet, union } from './intervals'
import type { Interval } from './types'

export type HostActivity =
  | 'await-result' // awaiting a readback or completion
  | 'await-staging' // awaiting mapAsync() of a staging buffer
  | 'await-batch' // awaiting a batch of a loader
  | 'await-rank' // in send() or recv(), or another collective: awaiting another rank, its bytes on their way with it
  | 'fill' // writing into a staging buffer
  | 'work' // other JavaScript
  | 'encode'
  | 'submit'
export const HOST_ACTIVITIES: readonly HostActivity[] = [
  'await-result',
  'await-staging',
  'await-batch',
  'await-rank',
  'fill',
  'work',
  'encode',
  'submit',
]

function hostActivity(kind: SpanKind, role: SpanRole): HostActivity | null {
  switch (kind) {
    case 'host-wait':
      if (role === 'wait-batch') return 'await-batch'
      return role === 'wait-staging' ? 'await-staging' : 'await-result'
    case 'host-work':
      return role === 'fill' ? 'fill' : 'work'
    case 'collective':
      return 'await-rank'
    case 'encode':
    case 'submit':
      return kind
    default:
      return null
  }
}

const bitOf = (activity: HostActivity): number => 1 << HOST_ACTIVITIES.indexOf(activity)

const BITS = Uint8Array.from(
  SPAN_KINDS.flatMap((kind) =>
    SPAN_ROLES.map((role) => {
      const activity = hostActivity(kind, role)
      return activity ? bitOf(activity) : 0
    }),
  ),
)

/** The activity of a span as one bit (`activities`), 0 for none. */
export const activityBit = ({ kind, role }: SpanColumns, span: number): number =>
  BITS[(kind[span] ?? 0) * SPAN_ROLES.length + (role[span] ?? 0)] ?? 0

/** A set of activities, made once and asked with often. */
export interface Activities {
  readonly mask: number
}
export const activities = (...of: readonly HostActivity[]): Activities => ({
  mask: of.reduce((mask, activity) => mask | bitOf(activity), 0),
})

const ANY_WAIT = activities('await-result', 'await-staging', 'await-batch', 'await-rank')

export class HostTimes {
  /** Host spans that are an activity, by start. */
  readonly #span: Uint32Array
  readonly #startNs: Float64Array
  readonly #endNs: Float64Array
  /** One bit, that of the activity. */
  readonly #activity: Uint8Array
  /** By mask of activities. */
  readonly #indexed = new Map<number, IndexedSet>()
  /** Positions of waits, for another rank too; `lastEnds[i]` is the latest end of waits 0..i. */
  readonly #waits: Uint32Array
  readonly #lastEnds: Float64Array

  /** Reads all host lanes, or one. @param counts false for spans that are left out */
  constructor(placed: PlacedTrace, only: number | null = null, counts?: (span: number) => boolean) {
    const { spans, lanes } = placed.trace
    const own = placed.lanes.filter(
      ({ lane }) => lanes[lane]?.kind === 'host' && (only === null || lane === only),
    )
    // In columns of their own, filled in one pass: a trace of 10^6 spans has 3·10^5 of them.
    const most = own.reduce((sum, { length }) => sum + length, 0)
    let span = new Uint32Array(most)
    let length = 0
    for (const lane of own)
      for (let index = 0; index < lane.length; index += 1) {
        const at = lane.span[index] ?? 0
        if (activityBit(spans, at) === 0 || counts?.(at) === false) continue
        span[length] = at
        length += 1
      }
    span = span.subarray(0, length)
    // Each lane is in order.
    if (own.length > 1) span.sort((a, b) => (placed.startNs[a] ?? 0) - (placed.startNs[b] ?? 0))
    this.#span = span
    this.#startNs = new Float64Array(length)
    this.#endNs = new Float64Array(length)
    this.#activity = new Uint8Array(length)
    const waits = new Uint32Array(length)
    const lastEnds = new Float64Array(length)
    let waitCount = 0
    let last = -Infinity
    for (let position = 0; position < length; position += 1) {
      const at = span[position] ?? 0
      const end = placed.endNs[at] ?? 0
      this.#startNs[position] = placed.startNs[at] ?? 0
      this.#endNs[position] = end
      this.#activity[position] = activityBit(spans, at)
      if (((this.#activity[position] ?? 0) & ANY_WAIT.mask) === 0) continue
      last = Math.max(last, end)
      waits[waitCount] = position
      lastEnds[waitCount] = last
      waitCount += 1
    }
    this.#waits = waits.subarray(0, waitCount)
    this.#lastEnds = lastEnds.subarray(0, waitCount)
  }

  /** Time within [startNs, endNs] that at least one of the activities covers. */
  spent({ mask }: Activities, startNs: number, endNs: number): number {
    let set = this.#indexed.get(mask)
    if (!set) {
      set = this.#unionOf(mask)
      this.#indexed.set(mask, set)
    }
    return set.totalWithin(startNs, endNs)
  }

  #unionOf(mask: number): IndexedSet {
    const { length } = this.#span
    const starts = new Float64Array(length)
    const ends = new Float64Array(length)
    let [count, lastEnd] = [0, -Infinity]
    for (let at = 0; at < length; at += 1) {
      if (((this.#activity[at] ?? 0) & mask) === 0) continue
      const [start, end] = [this.#startNs[at] ?? 0, this.#endNs[at] ?? 0]
      if (!(end > start) || end <= lastEnd) continue
      if (start > lastEnd) {
        starts[count] = start
        count += 1
      }
      ends[count - 1] = end
      lastEnd = end
    }
    return new IndexedSet(starts.subarray(0, count), ends.subarray(0, count))
  }

  /** The wait, of these activities, that covers most of [startNs, endNs]; null when none does. */
  longestWait(
    { mask }: Activities,
    startNs: number,
    endNs: number,
  ): { readonly span: number; readonly ns: number } | null {
    let longest: { span: number; ns: number } | null = null
    for (let wait = upperBound(this.#lastEnds, startNs); wait < this.#waits.length; wait += 1) {
      const at = this.#waits[wait] ?? 0
      if (((this.#activity[at] ?? 0) & mask) === 0) continue
      const start = this.#startNs[at] ?? 0
      if (start >= endNs) break
      const ns = Math.min(this.#endNs[at] ?? 0, endNs) - Math.max(start, startNs)
      if (ns > (longest?.ns ?? 0)) longest = { span: this.#span[at] ?? 0, ns }
    }
    return longest
  }
}

const CALLS = new Set((['host-work', 'encode', 'submit'] as const).map((kind) => SPAN_KINDS.indexOf(kind)))
const TASK = spanRoleIndex('task')

/**
 * When the thread of a recorded page is known to be at work: in calls of WebGPU, in callbacks of
 * frames, in tasks that the browser reports. Host ns, by start, disjoint.
 */
export function pageWork({ spans, counters }: Trace, lane: number): readonly Interval[] {
  const times: Interval[] = []
  for (let span = 0; span < spans.length; span += 1) {
    const isCall = spans.lane[span] === lane && CALLS.has(spans.kind[span] ?? -1)
    // A recording is of one thread, so tasks on their own lane are its.
    if (isCall || spans.role[span] === TASK)
      times.push({ start: spans.start[span] ?? 0, end: spans.end[span] ?? 0 })
  }
  const callbacks = counters.find((each) => each.name === FRAME_CALLBACKS && each.lane === lane)
  for (const [at, start] of callbacks?.timeNs.entries() ?? [])
    times.push({ start, end: start + (callbacks?.value[at] ?? 0) })
  return union(times)
}
