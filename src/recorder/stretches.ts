/**
 * Divides a page’s time into the stretches that are counted. Each frame is one (frames.ts).
 * Before there are any, and in a page that has none, the first ends with the first submit, and
 * the second when the page goes on with its first result: whatever it then makes again and again
 * is no preparation.
 */
import type { Trace } from '../trace/schema'
import type { Counts } from './counts'
import { Frames } from './frames'
import { NextTask } from './next-task'
import type { Recorded } from './api-patches'

export class Stretches {
  readonly frames: Frames
  readonly #counts: Counts
  readonly #nextTask: NextTask
  /** Beginning of the present one, where no frame has begun. */
  #startNs = 0

  constructor({ writer, buffers }: Pick<Recorded, 'writer' | 'buffers'>, counts: Counts) {
    this.#counts = counts
    this.frames = new Frames(writer, (startNs) => {
      counts.sample(Math.max(startNs, this.#startNs))
      buffers.turnBegan()
    })
    // A browser may begin a frame before the task, and a page may have no frames.
    this.#nextTask = new NextTask(() => {
      buffers.turnBegan()
    })
    buffers.onHeld = () => {
      this.#nextTask.ask()
    }
    let hasSubmitted = false
    writer.onSpan = (kind, submission) => {
      if (this.frames.count > 0) writer.onSpan = null
      else if (kind === 'submit' && !hasSubmitted) {
        hasSubmitted = true
        this.#next(writer.now())
      } else if (kind === 'host-wait' && submission !== undefined) {
        writer.onSpan = null
        this.#next(writer.now())
      }
    }
  }

  /** The recording ends. */
  end(): void {
    this.frames.end()
    this.#nextTask.end()
  }

  /**
   * Completes a trace that was taken while the recording goes on with the counts of the present
   * stretch.
   */
  into(trace: Trace): Trace {
    return this.#counts.into(trace, Math.max(this.frames.startNs, this.#startNs))
  }

  #next(now: number): void {
    this.#counts.sample(this.#startNs)
    this.#startNs = now
  }
}
