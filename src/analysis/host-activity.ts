/**
 * Tells what the host was doing when: the host lanes' spans as interval sets by activity, for
 * questions about any stretch of time. 'window' spans are frames round a repeat, not something the
 * host does; staging lanes add when a buffer was being written.
 */
import { madeOnce } from '../base/lists'
import { upperBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import {
  FRAME_CALLBACKS,
  SPAN_KINDS,
  SPAN_ROLES,
  spanRoleIndex,
  type SpanColumns,
  type Trace,
} from '../trace/schema'
import { IndexedSet, union } from './intervals'
import type { Interval } from './types'
import { rowsThat } from '../trace/columns'

type HostActivity =
  | 'await-result' // awaiting a readback or completion
  | 'await-staging' // awaiting mapAsync() of a staging buffer
  | 'await-batch' // awaiting a batch of a loader
  | 'await-rank' // in send() or recv(), or another collective: awaiting another rank, its bytes on their way with it
  | 'fill' // writing into a staging buffer
  | 'work' // other JavaScript
  | 'encode'
  | 'submit'

/** Tells what a span of the host is; null where it is no activity. */
export function activityOf({ kind, role }: SpanColumns, span: number): HostActivity | null {
  const of = SPAN_ROLES[role[span] ?? 0]
  switch (SPAN_KINDS[kind[span] ?? -1]) {
    case 'host-wait':
      return of === 'wait-batch' ? 'await-batch' : of === 'wait-staging' ? 'await-staging' : 'await-result'
    case 'host-work':
      return of === 'fill' ? 'fill' : 'work'
    case 'collective':
      return 'await-rank'
    case 'encode':
      return 'encode'
    case 'submit':
      return 'submit'
    default:
      return null
  }
}

/** A set of activities, made once and asked with often. */
export type Activities = ReadonlySet<HostActivity>
export const activities = (...of: readonly HostActivity[]): Activities => new Set(of)

/** The activities of one thread. A trace of 10^6 spans has 3·10^5 of them, so none is an object. */
export class HostTimes {
  readonly #placed: PlacedTrace
  /** By start. */
  readonly #own: Uint32Array
  readonly #indexed = new Map<Activities, IndexedSet>()
  readonly #waits = new Map<Activities, { readonly spans: Uint32Array; readonly lastEnds: Float64Array }>()

  /** @param counts false for spans that are left out */
  constructor(placed: PlacedTrace, lane: number, counts: (span: number) => boolean) {
    const { spans } = placed.trace
    const own = placed.lanes.find((each) => each.lane === lane)
    this.#placed = placed
    this.#own =
      own?.span.subarray(0, own.length).filter((span) => activityOf(spans, span) !== null && counts(span)) ??
      new Uint32Array()
  }

  /** Time within [startNs, endNs] that at least one of the activities covers. */
  spent(of: Activities, startNs: number, endNs: number): number {
    return madeOnce(this.#indexed, of, () => this.#unionOf(of)).totalWithin(startNs, endNs)
  }

  #unionOf(of: Activities): IndexedSet {
    const { startNs, endNs } = this.#placed
    const [starts, ends]: [number[], number[]] = [[], []]
    let lastEnd = -Infinity
    for (const span of this.#of(of)) {
      const [start, end] = [startNs[span] ?? 0, endNs[span] ?? 0]
      if (!(end > start) || end <= lastEnd) continue
      if (start > lastEnd) starts.push(start)
      ends[starts.length - 1] = lastEnd = end
    }
    return new IndexedSet(starts, ends)
  }

  /** The span of these activities that covers most of [startNs, endNs]; null when none does. */
  longest(of: Activities, startNs: number, endNs: number): number | null {
    const { startNs: starts, endNs: ends } = this.#placed
    const known = madeOnce(this.#waits, of, () => {
      const spans = this.#of(of)
      let last = -Infinity
      return { spans, lastEnds: Float64Array.from(spans, (span) => (last = Math.max(last, ends[span] ?? 0))) }
    })
    let [longest, mostNs]: [number | null, number] = [null, 0]
    for (let at = upperBound(known.lastEnds, startNs); at < known.spans.length; at += 1) {
      const span = known.spans[at] ?? -1
      const start = starts[span] ?? Infinity
      if (start >= endNs) break
      const ns = Math.min(ends[span] ?? 0, endNs) - Math.max(start, startNs)
      if (ns > mostNs) [longest, mostNs] = [span, ns]
    }
    return longest
  }

  #of(of: Activities): Uint32Array {
    const { spans } = this.#placed.trace
    return this.#own.filter((span) => {
      const activity = activityOf(spans, span)
      return activity !== null && of.has(activity)
    })
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

const WINDOW = SPAN_KINDS.indexOf('window')
const WAIT = SPAN_KINDS.indexOf('host-wait')

/**
 * When one thread of a recorded page waited for its next frame, host ns: within each window of
 * `requestAnimationFrame`, from where its callbacks had returned and the last of the recorded work
 * and waits was over, until the next window begins. What else the browser did then, such as layout,
 * is not recorded. Empty where it has no frames.
 *
 *   windows  |────────── frame ──────────|────────── frame ───
 *   host     ▇ callbacks ▇ ▁wait▁        ▇ callbacks ▇
 *                               └ here ─┘
 *
 * @param isHeld whether a wait held the thread back
 */
export function frameWaits(
  { trace, startNs, endNs }: PlacedTrace,
  lane: number,
  isHeld: (span: number) => boolean,
): IndexedSet {
  const counter = trace.counters.find((each) => each.name === FRAME_CALLBACKS && each.lane === lane)
  if (!counter) return new IndexedSet([], [])
  const callbacksNs = new Map(Array.from(counter.timeNs, (at, index) => [at, counter.value[index] ?? 0]))
  const { spans } = trace
  const own = rowsThat(spans.length, (span) => spans.lane[span] === lane)
    .filter((span) => spans.kind[span] === WINDOW || activityOf(spans, span) !== null)
    .filter((span) => spans.kind[span] !== WAIT || isHeld(span))
    .toSorted((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0))
  const starts: number[] = []
  const ends: number[] = []
  let window = -1
  let busyUntilNs = -Infinity
  const close = (): void => {
    const windowEndNs = endNs[window] ?? -Infinity
    if (busyUntilNs >= windowEndNs) return
    starts.push(busyUntilNs)
    ends.push(windowEndNs)
  }
  for (const span of own) {
    const start = startNs[span] ?? 0
    if (window >= 0 && start >= (endNs[window] ?? 0)) {
      close()
      window = -1
    }
    if (spans.kind[span] !== WINDOW) busyUntilNs = Math.max(busyUntilNs, endNs[span] ?? 0)
    else {
      window = span
      busyUntilNs = Math.max(busyUntilNs, start + (callbacksNs.get(start) ?? 0))
    }
  }
  if (window >= 0) close()
  return new IndexedSet(starts, ends)
}
