/** When the thread of a recorded page is known to be at work: in calls of WebGPU, in callbacks of frames, in tasks that the browser reports. */
import { FRAME_CALLBACKS, SPAN_KINDS, spanRoleIndex, type Trace } from '../trace/schema'
import { union } from './intervals'
import type { Interval } from './types'

const CALLS = new Set((['host-work', 'encode', 'submit'] as const).map((kind) => SPAN_KINDS.indexOf(kind)))
const TASK = spanRoleIndex('task')

/** Host ns, by start, disjoint. */
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
