/**
 * Finds the submissions that a timer of the page made. The beginning of each such callback is a
 * sample of a counter, with the delay that the timer was set with. Whatever follows in the
 * callback’s task belongs to it.
 */
import { TIMER_SUBMITS } from '../trace/schema'
import { apply, getOwnPropertyDescriptor, getPrototypeOf } from './intrinsics'
import type { SpanWriter } from './span-writer'
import { NextTask } from './next-task'
import { callOriginal, patchNamed, type Patch } from './patches'

type Callback = (...args: readonly unknown[]) => unknown

export class Timers {
  readonly #writer: SpanWriter
  readonly #taskEnded: NextTask
  #counter = -1
  /** Start of the newest callback; -1: none was called. */
  #startNs = -1
  #delayNs = 0
  /** Submissions before the callback. */
  #before = 0

  constructor(writer: SpanWriter) {
    this.#writer = writer
    this.#taskEnded = new NextTask(() => {
      this.#sample()
    })
  }

  patches(realm: object): readonly Patch[] {
    return ['setTimeout', 'setInterval'].flatMap((member) =>
      patchNamed({ prototype: ownerOf(realm, member) }, member, (original, self, args) => {
        const [callback, delay, ...others] = args
        if (typeof callback !== 'function') return callOriginal(original, self, args)
        const began = (): void => {
          this.#began(member === 'setInterval' ? Infinity : typeof delay === 'number' ? delay : 0)
        }
        const called = function (this: unknown, ...given: readonly unknown[]): unknown {
          began()
          return apply(callback as Callback, this, given)
        }
        return callOriginal(original, self, [called, delay, ...others])
      }),
    )
  }

  /** The recording ends. */
  end(): void {
    this.#sample()
    this.#taskEnded.end()
  }

  #began(delayMs: number): void {
    this.#sample()
    this.#startNs = this.#writer.now()
    // An interval was set before all that the page awaited since.
    this.#delayNs = Math.min(delayMs * 1e6, this.#startNs)
    this.#before = this.#writer.submits
    this.#taskEnded.ask()
  }

  #sample(): void {
    const { submits, builder, hostLane, on } = this.#writer
    if (this.#startNs < 0 || submits === this.#before || !on) return
    this.#before = submits
    if (this.#counter < 0)
      this.#counter = builder.addCounter({ name: TIMER_SUBMITS, unit: 'ns', lane: hostLane })
    builder.addCounterSample(this.#counter, this.#startNs, this.#delayNs)
  }
}

/** A window has timers of its own, a worker's are those of its prototype. */
function ownerOf(realm: object, member: string): object {
  for (let at: object | null = realm; at; at = getPrototypeOf(at))
    if (getOwnPropertyDescriptor(at, member)) return at
  return realm
}
