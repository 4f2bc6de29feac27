/**
 * What the host was doing when: the host lanes' spans as interval sets by activity, for questions about any stretch of time.
 * 'window' spans are frames round a repeat, not something the host does; staging lanes add when a buffer was being written.
 */
import { upperBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, type SpanKind } from '../trace/schema'
import { IndexedSet, union } from './intervals'
import type { Interval } from './types'

export type HostActivity =
  | 'await-result' // awaiting a readback or completion
  | 'await-staging' // awaiting mapAsync() of a staging buffer
  | 'fill' // writing into a staging buffer
  | 'work' // other JavaScript
  | 'encode'
  | 'submit'
export const HOST_ACTIVITIES: readonly HostActivity[] = [
  'await-result',
  'await-staging',
  'fill',
  'work',
  'encode',
  'submit',
]

/** The recorder names waits for staging buffers 'await staging …' and 'await mapAsync(staging …)', fills 'fill staging …'. */
const isStaging = (name: string): boolean => /\bstaging\b/i.test(name)

export function hostActivity(kind: SpanKind, name: string): HostActivity | null {
  switch (kind) {
    case 'host-wait':
      return isStaging(name) ? 'await-staging' : 'await-result'
    case 'host-work':
      return isStaging(name) ? 'fill' : 'work'
    case 'encode':
    case 'submit':
      return kind
    default:
      return null
  }
}

interface Wait extends Interval {
  readonly span: number
}

export class HostTimes {
  readonly #byActivity: ReadonlyMap<HostActivity, readonly Interval[]>
  /** By activities asked for together. */
  readonly #indexed = new Map<string, IndexedSet>()
  /** Host-wait spans by start, for evidence; `lastEnds[i]` is the latest end of waits 0..i. */
  readonly #waits: readonly Wait[]
  readonly #lastEnds: Float64Array

  /** Of all host lanes, or of one. */
  constructor(placed: PlacedTrace, only: number | null = null) {
    const { spans, strings, lanes } = placed.trace
    const waits: Wait[] = []
    const intervals = new Map<HostActivity, Interval[]>(HOST_ACTIVITIES.map((activity) => [activity, []]))
    for (const lane of placed.lanes) {
      if (lanes[lane.lane]?.kind !== 'host' || (only !== null && lane.lane !== only)) continue
      for (let index = 0; index < lane.length; index += 1) {
        const span = lane.span[index] ?? 0
        const kind = SPAN_KINDS[spans.kind[span] ?? -1] ?? 'other'
        const activity = hostActivity(kind, strings[spans.name[span] ?? -1] ?? '')
        if (!activity) continue
        const interval = { start: lane.startNs[index] ?? 0, end: lane.endNs[index] ?? 0 }
        intervals.get(activity)?.push(interval)
        if (kind === 'host-wait') waits.push({ span, ...interval })
      }
    }
    this.#waits = waits.sort((a, b) => a.start - b.start)
    let last = -Infinity
    this.#lastEnds = Float64Array.from(this.#waits, ({ end }) => (last = Math.max(last, end)))
    this.#byActivity = intervals
  }

  /** Time within [startNs, endNs] that at least one of the activities covers. */
  spent(activities: readonly HostActivity[], startNs: number, endNs: number): number {
    const key = activities.join(' ')
    let set = this.#indexed.get(key)
    if (!set) {
      set = new IndexedSet(union(activities.flatMap((activity) => this.#byActivity.get(activity) ?? [])))
      this.#indexed.set(key, set)
    }
    return set.totalWithin(startNs, endNs)
  }

  /** The wait that covers most of [startNs, endNs]; null when none does. */
  longestWait(startNs: number, endNs: number): { readonly span: number; readonly ns: number } | null {
    let longest: { span: number; ns: number } | null = null
    for (let at = upperBound(this.#lastEnds, startNs); at < this.#waits.length; at += 1) {
      const wait = this.#waits[at]
      if (!wait || wait.start >= endNs) break
      const ns = Math.min(wait.end, endNs) - Math.max(wait.start, startNs)
      if (ns > (longest?.ns ?? 0)) longest = { span: wait.span, ns }
    }
    return longest
  }
}
