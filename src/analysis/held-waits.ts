/**
 * Finds the waits of a recorded page that held its submitting code back. A promise that is awaited
 * in a task that nobody joins is no wait of the program: it goes on to submit while that is
 * pending, or a frame or a timer makes its next submission.
 *
 *   held      submit  ▁▁▁▁wait▁▁▁▁ submit
 *   not held  submit  ▁▁▁▁wait▁▁▁▁      │ frame  submit
 *             submit  ▁▁▁▁wait▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
 *                         submit
 */
import { lowerBound } from '../base/search'
import { rowsThat } from '../trace/columns'
import { orderStatistic } from '../base/stats'
import {
  FRAME_REQUESTS,
  RECORDED_PAGE,
  SPAN_KINDS,
  spanRoleIndex,
  TIMER_SUBMITS,
  type Trace,
} from '../trace/schema'
import { activityOf } from './host-activity'
import { IndexedSet, union } from './intervals'

const [WAIT, SUBMIT, WINDOW] = (['host-wait', 'submit', 'window'] as const).map((kind) =>
  SPAN_KINDS.indexOf(kind),
)
const TASK = spanRoleIndex('task')
/** A frame so many times as long as the display’s waited for what ended in it. */
export const LATE_FRAME = 1.5
/** Shortest time that a page may spend unrecorded between a wait's end and its submission. */
const UNRECORDED_NS = 1e6

/** Frame time of 60 Hz: a page whose frames all take longer misses some. */
const SLOWEST_DISPLAY_NS = 1e9 / 60
/** How often the display could show a frame, from how long frames took. */
export const displayPeriodNs = (framesNs: readonly number[]): number =>
  Math.min(SLOWEST_DISPLAY_NS, orderStatistic(framesNs, 0.1, Infinity))

/**
 * Spans of waits that held a later submission of their thread back. All waits of a run that is no
 * page's.
 */
export function heldWaits(trace: Trace): (span: number) => boolean {
  if (trace.info.experiment !== RECORDED_PAGE) return () => true
  const held = new Set<number>()
  for (const { id, kind } of trace.lanes) if (kind === 'host') findHeld(trace, id, held)
  return (span) => held.has(span)
}

function findHeld(trace: Trace, lane: number, held: Set<number>): void {
  const { spans } = trace
  const own = rowsThat(spans.length, (span) => spans.lane[span] === lane)
  const startsOf = (kind: number | undefined) =>
    Float64Array.from(
      own.filter((span) => spans.kind[span] === kind),
      (span) => spans.start[span] ?? 0,
    ).sort()
  const submits = startsOf(SUBMIT)
  // The last frame has a beginning and no window: it is where the last window ends.
  const lastNs = own.reduce(
    (last, span) => (spans.kind[span] === WINDOW ? Math.max(last, spans.end[span] ?? 0) : last),
    -1,
  )
  const frames = lastNs < 0 ? new Float64Array() : Float64Array.of(...startsOf(WINDOW), lastNs)
  const displayNs = displayPeriodNs([...frames.subarray(1)].map((ns, at) => ns - (frames[at] ?? 0)))
  const counterOf = (name: string) => trace.counters.find((each) => each.name === name && each.lane === lane)
  const timers = counterOf(TIMER_SUBMITS)
  const requests = counterOf(FRAME_REQUESTS)
  const requestedNsOf = new Map(
    requests ? Array.from(requests.timeNs, (at, index) => [at, at - (requests.value[index] ?? 0)]) : [],
  )
  // A recording is of one thread, so tasks on their own lane are its.
  const tasks = rowsThat(spans.length, (span) => spans.role[span] === TASK)
  const work = IndexedSet.of(
    union(
      [...own.filter((span) => activityOf(spans, span) !== null), ...tasks].map((span) => ({
        start: spans.start[span] ?? 0,
        end: spans.end[span] ?? 0,
      })),
    ),
  )
  for (const span of own) {
    if (spans.kind[span] !== WAIT) continue
    const [start, end] = [spans.start[span] ?? 0, spans.end[span] ?? 0]
    const nextNs = submits[lowerBound(submits, start)]
    if (nextNs === undefined || nextNs < end) continue
    const frame = lowerBound(frames, start)
    const beganNs = frames[frame] ?? Infinity
    const isLate = end - (frames[frame - 1] ?? Infinity) > LATE_FRAME * displayNs
    const isRequested = (requestedNsOf.get(beganNs) ?? Infinity) < end
    if (beganNs < end || (beganNs <= nextNs && (isRequested || !isLate))) continue
    if (timers && isOfTimer(timers, end, nextNs)) continue
    const unrecordedNs = nextNs - end - work.totalWithin(end, nextNs)
    if (beganNs > nextNs && unrecordedNs > Math.max(UNRECORDED_NS, end - start)) continue
    held.add(span)
  }
}

/** A timer that had been set before the wait's end began the submission. */
function isOfTimer({ timeNs, value }: Trace['counters'][number], endNs: number, submitNs: number): boolean {
  const at = lowerBound(timeNs, submitNs + 1) - 1
  const calledNs = timeNs[at] ?? -Infinity
  return calledNs >= endNs && calledNs - (value[at] ?? 0) < endNs
}
