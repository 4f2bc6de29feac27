/**
 * Decides when the recorded program may call WebGPU, and when it may be called back. The budget
 * of an exercise (exercises/budget/) counts while its program runs. Whatever it leaves behind
 * would run uncounted, so it does not run: after the end its calls throw, and its promises settle
 * when it is called again.
 */
import { react } from './realm'

/**
 * 'ended': its promise has settled, and what it left behind has had no turn of the event loop so
 * far. 'none': the lab is at work.
 */
export type ProgramState = 'none' | 'runs' | 'ended'

export class Gate {
  /** Why each call throws; null: none does for that. */
  interruption: Error | null = null
  /** It stays after the session has stopped, when what the program had asked for is destroyed. */
  wasInterrupted = false
  /** Calls of WebGPU so far. */
  calls = 0
  #program: ProgramState = 'none'
  readonly #Promise: PromiseConstructor
  readonly #callbacksWait: boolean
  /** Settles promises of the program when it is called again. */
  #held: (() => void)[] = []

  constructor(constructor: PromiseConstructor, callbacksWait = false) {
    this.#Promise = constructor
    this.#callbacksWait = callbacksWait
  }

  /** Whether a program may wait by giving callbacks to a promise. */
  get callbacksWait(): boolean {
    return this.#callbacksWait || this.#program === 'runs'
  }

  set program(state: ProgramState) {
    this.#program = state
    if (state === 'runs') for (const settle of this.#held.splice(0)) settle()
  }

  /** At each call. @throws Error */
  check(): void {
    this.calls += 1
    if (this.interruption) throw this.interruption
    if (this.#program === 'ended') throw new Error('The program has ended: WebGPU takes no more calls of it.')
  }

  /** What is given in place of a promise of WebGPU. */
  given<T extends Promise<unknown>>(promise: T): T {
    if (this.#program === 'none') return promise
    const whenItRuns = (settle: () => void): void => {
      if (this.#program === 'runs') settle()
      else this.#held.push(settle)
    }
    const given: Promise<unknown> = new this.#Promise((resolve, reject) => {
      react(
        promise,
        (value: unknown) => {
          whenItRuns(() => {
            resolve(value)
          })
        },
        (reason: Error) => {
          whenItRuns(() => {
            reject(reason)
          })
        },
      )
    })
    return given as T // of the same value
  }
}
