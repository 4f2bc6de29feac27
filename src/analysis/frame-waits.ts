/**
 * When a recorded page waited for its next frame: within each window of `requestAnimationFrame`, from where its callbacks had returned and
 * the last of the recorded work and waits was over, until the next window begins. What else the browser did then, such as layout, is not
 * recorded.
 *
 *   windows  |────────── frame ──────────|────────── frame ───
 *   host     ▇ callbacks ▇ ▁wait▁        ▇ callbacks ▇
 *                               └ here ─┘
 */
import { rowsThat } from '../trace/columns'
import { FRAME_CALLBACKS, SPAN_KINDS } from '../trace/schema'
import type { PlacedTrace } from '../trace/place'
import { activityOf } from './host-activity'
import { IndexedSet } from './intervals'

const WINDOW = SPAN_KINDS.indexOf('window')
const WAIT = SPAN_KINDS.indexOf('host-wait')

/**
 * Waits for frames of one thread, host ns. Empty where it has no frames. @param isHeld whether a
 * wait held the thread back
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
