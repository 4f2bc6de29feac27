/**
 * Frames of a page: each turn of `requestAnimationFrame`, from its first callback to the next
 * turn’s, is a window of the trace. Calls within one carry its number. The browser gives all
 * callbacks of a turn the same time.
 */
import { FRAME_CALLBACKS, FRAME_REQUESTS } from '../trace/schema'
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
  /** The newest request among callbacks of the present frame. */
  #requestedNs = 0
  readonly #counters = new Map<string, number>()

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
      const requestedNs = this.#writer.now()
      const called: FrameCallback = (time) => {
        const start = this.#begin(time)
        this.#requestedNs = Math.max(this.#requestedNs, requestedNs)
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
    if (this.#number >= 0) this.#sample(FRAME_REQUESTS, this.#startNs - this.#requestedNs)
    this.#ended(this.#startNs)
  }

  #begin(time: number): number {
    const writer = this.#writer
    const now = writer.now()
    if (time === this.#time || !writer.on) return now
    if (this.#number >= 0) {
      writer.host('window', 'none', 'frame', this.#startNs, now)
      this.#sample(FRAME_CALLBACKS, this.#callbacksNs)
      this.#sample(FRAME_REQUESTS, this.#startNs - this.#requestedNs)
    }
    this.#ended(this.#startNs)
    this.#time = time
    this.#startNs = now
    this.#callbacksNs = 0
    this.#requestedNs = 0
    this.#number += 1
    writer.tag = { variant: 'frames', repeat: this.#number, step: -1 }
    return now
  }

  /** Adds a sample of the present frame. */
  #sample(name: string, ns: number): void {
    const { builder, hostLane: lane } = this.#writer
    let counter = this.#counters.get(name)
    if (counter === undefined) {
      counter = builder.addCounter({ name, unit: 'ns', lane })
      this.#counters.set(name, counter)
    }
    builder.addCounterSample(counter, this.#startNs, ns)
  }
}
