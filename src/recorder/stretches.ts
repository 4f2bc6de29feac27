/**
 * What is counted of a page, by stretches of its time. With frames each is one (frames.ts). Before there are any, and of a page that has
 * none, the first ends with the first submit, and the second when the page goes on with its first result: what it then makes again and
 * again is no preparation.
 */
import type { Trace } from '../trace/schema'
import type { Counts } from './counts'
import { Frames } from './frames'
import { NextTask } from './next-task'
import type { Recorded } from './table'

export class Stretches {
  readonly frames: Frames
  readonly #counts: Counts
  readonly #nextTask: NextTask
  /** Beginning of the present one, where no frame has begun. */
  #startNs = 0

  constructor({ journal, buffers }: Pick<Recorded, 'journal' | 'buffers'>, counts: Counts) {
    this.#counts = counts
    this.frames = new Frames(journal, (startNs) => {
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
    journal.onSpan = (kind, submission) => {
      if (this.frames.count > 0) journal.onSpan = null
      else if (kind === 'submit' && !hasSubmitted) {
        hasSubmitted = true
        this.#next(journal.now())
      } else if (kind === 'host-wait' && submission !== undefined) {
        journal.onSpan = null
        this.#next(journal.now())
      }
    }
  }

  /** The recording ends. */
  end(): void {
    this.frames.end()
    this.#nextTask.end()
  }

  /** A trace that was taken while the recording goes on, with what its present stretch has so far. */
  into(trace: Trace): Trace {
    return this.#counts.into(trace, Math.max(this.frames.startNs, this.#startNs))
  }

  #next(now: number): void {
    this.#counts.sample(this.#startNs)
    this.#startNs = now
  }
}
