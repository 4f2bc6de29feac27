/**
 * Frames of a page: each turn of `requestAnimationFrame`, from its first callback to the next
 * turn’s, is a window of the trace. Calls within one carry its number. The browser gives all
 * callbacks of a turn the same time.
 */
import { FRAME_CALLBACKS, FRAME_REQUESTS, type Trace } from '../trace/schema'
import { callOriginal, patchNamed, type PagePart } from './patches'
import type { Counts } from './counts'
import { nextTask } from './timers'
import type { Recorded } from './api-patches'

type FrameCallback = (time: number) => unknown

/**
 * A page’s time divided into the stretches that are counted: each frame is one, and so is the time
 * before there are any.
 */
export interface Frames extends PagePart {
  /** Frames that have begun. */
  readonly count: () => number
  /**
   * Completes a trace that was taken while the recording goes on with the counts of the present
   * stretch.
   */
  readonly into: (trace: Trace) => Trace
}

export function framesOf(
  realm: object,
  { writer, buffers }: Pick<Recorded, 'writer' | 'buffers'>,
  counts: Counts,
): Frames {
  let number = -1
  let turn = Number.NaN
  let startNs = 0
  let callbacksNs = 0
  /** The newest request among callbacks of the present frame. */
  let requestedNs = 0
  const turnBegan = (): void => {
    buffers.turnBegan()
  }
  // A browser may begin a frame before the task, and a page may have no frames.
  const task = nextTask(turnBegan)
  buffers.onHeld = task.ask
  const ended = (): void => {
    counts.sample(startNs)
    turnBegan()
  }
  const sampleRequest = (): void => {
    writer.sample(FRAME_REQUESTS, 'ns', startNs, startNs - requestedNs)
  }
  const begin = (time: number): number => {
    const now = writer.now()
    if (time === turn || !writer.on) return now
    if (number >= 0) {
      writer.host('window', 'none', 'frame', startNs, now)
      writer.sample(FRAME_CALLBACKS, 'ns', startNs, callbacksNs)
      sampleRequest()
    }
    ended()
    turn = time
    startNs = now
    callbacksNs = 0
    requestedNs = 0
    number += 1
    writer.tag = { variant: 'frames', repeat: number, step: -1 }
    return now
  }
  const patches = patchNamed({ prototype: realm }, 'requestAnimationFrame', (original, self, args) => {
    const [callback] = args
    if (typeof callback !== 'function') return callOriginal(original, self, args)
    const requested = writer.now()
    const called: FrameCallback = (time) => {
      const start = begin(time)
      requestedNs = Math.max(requestedNs, requested)
      try {
        return Reflect.apply(callback as FrameCallback, undefined, [time])
      } finally {
        callbacksNs += writer.now() - start
      }
    }
    return callOriginal(original, self, [called])
  })
  return {
    patches,
    count: () => number + 1,
    into: (trace) => counts.into(trace, startNs),
    /** The last frame has no end: what was counted in it is kept, and no window drawn. */
    end: () => {
      if (number >= 0) sampleRequest()
      ended()
      task.end()
    },
  }
}
