/**
 * A thread that works for the recorded program, such as a loader’s worker. It calls no WebGPU, so
 * it notes its own times, and they are placed here. The performance.now() of two threads count
 * from different origins, which their timeOrigins bring together. The result must agree with this
 * thread: work begins after it was asked for, and ends before it was reported.
 */
import type { SpanWriter } from './span-writer'
import type { Tag } from './records'

/**
 * Counted in `rejected`: work that its thread's clock places before the request, or after the
 * report.
 */
const OUTSIDE_BRACKET = 'work of another thread outside its bracket'

/**
 * Each edge is known to a step of its thread’s clock and one of its time origin. So is the bound
 * that it must keep.
 */
const STEPS = 4

interface ThreadWork {
  readonly name: string
  /** performance.timeOrigin and performance.now() of that thread, ms. */
  readonly timeOriginMs: number
  readonly startMs: number
  readonly endMs: number
  /** When it was asked for and reported: host ns since the trace's origin. */
  readonly askedNs: number
  readonly heardNs: number
  readonly bytes: number
  readonly tag: Tag
}

export interface OtherThread {
  /** Writes a computation of that thread. -1: recording is off, or its time was rejected. */
  readonly worked: (work: ThreadWork) => number
}

export function otherThread(writer: SpanWriter, laneName: string): OtherThread {
  let lane = -1
  return {
    worked: ({ name, timeOriginMs, startMs, endMs, askedNs, heardNs, bytes, tag }) => {
      if (!writer.on) return -1
      const start = writer.atOfOther(timeOriginMs, startMs)
      const end = writer.atOfOther(timeOriginMs, endMs)
      const boundNs = STEPS * writer.hostStepNs
      if (start < askedNs - boundNs || end > heardNs + boundNs || end < start) {
        writer.builder.reject(OUTSIDE_BRACKET)
        return -1
      }
      if (lane < 0) lane = writer.builder.addLane({ kind: 'host', name: laneName, clock: 0, group: 'host' })
      return writer.span(lane, 'host-work', 'compute', name, start, end, { bytes, tag, line: -1 })
    },
  }
}
