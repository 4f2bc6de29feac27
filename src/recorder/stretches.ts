/**
 * Divides a page’s time into the stretches that are counted. Each frame is one (frames.ts).
 * Before there are any, and in a page that has none, the first ends with the first submit, and
 * the second when the page goes on with its first result: whatever it then makes again and again
 * is no preparation.
 */
import type { Trace } from '../trace/schema'
import type { Counts } from './counts'
import { framesOf } from './frames'
import { nextTask } from './next-task'
import type { Recorded } from './api-patches'
import type { PagePart } from './patches'

export interface Stretches extends PagePart {
  readonly frames: () => number
  /**
   * Completes a trace that was taken while the recording goes on with the counts of the present
   * stretch.
   */
  readonly into: (trace: Trace) => Trace
}

export function stretchesOf(
  realm: object,
  { writer, buffers }: Pick<Recorded, 'writer' | 'buffers'>,
  counts: Counts,
): Stretches {
  /** Beginning of the present one, where no frame has begun. */
  let startNs = 0
  const turnBegan = (): void => {
    buffers.turnBegan()
  }
  const frames = framesOf(realm, writer, (frameNs) => {
    counts.sample(Math.max(frameNs, startNs))
    turnBegan()
  })
  // A browser may begin a frame before the task, and a page may have no frames.
  const task = nextTask(turnBegan)
  buffers.onHeld = task.ask
  const next = (): void => {
    counts.sample(startNs)
    startNs = writer.now()
  }
  let hasSubmitted = false
  writer.onSpan = (kind, submission) => {
    if (frames.count() > 0) writer.onSpan = null
    else if (kind === 'submit' && !hasSubmitted) {
      hasSubmitted = true
      next()
    } else if (kind === 'host-wait' && submission !== undefined) {
      writer.onSpan = null
      next()
    }
  }
  return {
    patches: frames.patches,
    frames: frames.count,
    into: (trace) => counts.into(trace, Math.max(frames.startNs(), startNs)),
    end: () => {
      frames.end()
      task.end()
    },
  }
}
