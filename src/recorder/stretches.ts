/**
 * Divides a page’s time into the stretches that are counted: each frame is one (frames.ts), and so
 * is the time before there are any.
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
  const turnBegan = (): void => {
    buffers.turnBegan()
  }
  const frames = framesOf(realm, writer, (frameNs) => {
    counts.sample(frameNs)
    turnBegan()
  })
  // A browser may begin a frame before the task, and a page may have no frames.
  const task = nextTask(turnBegan)
  buffers.onHeld = task.ask
  return {
    patches: frames.patches,
    frames: frames.count,
    into: (trace) => counts.into(trace, frames.startNs()),
    end: () => {
      frames.end()
      task.end()
    },
  }
}
