/**
 * Frames of a page: each turn of `requestAnimationFrame`, from its first callback to the next
 * turn’s, is a window of the trace. Calls within one carry its number. The browser gives all
 * callbacks of a turn the same time.
 */
import { FRAME_CALLBACKS } from '../trace/schema'
import { apply } from './intrinsics'
import type { SpanWriter } from './span-writer'
import { callOriginal, patchNamed, type Patch } from './patches'

type FrameCallback = (time: number) => unknown

export class Frames {
  readonly #writer: SpanWriter
  /** Called with the beginning of what has ended: a frame, or the time before the first. */
  readonly #ended: (startNs: number) => void
  #number = -1
  #time = Number.NaN
  #startNs = 0
  #callbacksNs = 0
  #counter = -1

  constructor(writer: SpanWriter, ended: (startNs: number) => void) {
    this.#writer = writer
    this.#ended = ended
  }

  /** Frames that have begun. */
  get count(): number {
    return this.#number + 1
  }

  /** Beginning of the present frame; 0: none has begun. */
  get startNs(): number {
    return this.#startNs
  }

  patches(realm: object): readonly Patch[] {
    return patchNamed({ prototype: realm }, 'requestAnimationFrame', (original, self, args) => {
      const [callback] = args
      if (typeof callback !== 'function') return callOriginal(original, self, args)
      const called: FrameCallback = (time) => {
        const start = this.#begin(time)
        try {
          return apply(callback as FrameCallback, undefined, [time])
        } finally {
          this.#callbacksNs += this.#writer.now() - start
        }
      }
      return callOriginal(original, self, [called])
    })
  }

  /** The last frame has no end: what was counted in it is kept, and no window drawn. */
  end(): void {
    this.#ended(this.#startNs)
  }

  #begin(time: number): number {
    const writer = this.#writer
    const now = writer.now()
    if (time === this.#time || !writer.on) return now
    if (this.#number >= 0) {
      writer.host('window', 'none', 'frame', this.#startNs, now)
      if (this.#counter < 0)
        this.#counter = writer.builder.addCounter({
          name: FRAME_CALLBACKS,
          unit: 'ns',
          lane: writer.hostLane,
        })
      writer.builder.addCounterSample(this.#counter, this.#startNs, this.#callbacksNs)
    }
    this.#ended(this.#startNs)
    this.#time = time
    this.#startNs = now
    this.#callbacksNs = 0
    this.#number += 1
    writer.tag = { variant: 'frames', repeat: this.#number, step: -1 }
    return now
  }
}
