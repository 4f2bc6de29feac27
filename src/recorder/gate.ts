/**
 * When the program that is recorded may call WebGPU, and when it may be called back. A program that shares its realm with the lab runs on
 * in promises after its own has settled: from then on its calls throw, and no promise that it was given settles before it is called again.
 * A turn of the event loop later nothing of it is left that could run, and the realm is the lab's.
 */
import { react } from './intrinsics'

/** 'none': nothing of a program runs, or what runs need not be held apart from the lab. */
export type ProgramState = 'none' | 'runs' | 'ended'

const ENDED = 'The program has ended: WebGPU takes no more calls of it.'

export class Gate {
  /** Why each call throws; null: none does for that. */
  interruption: Error | null = null
  /** Also after the session has stopped, when what the program had asked for is destroyed. */
  wasInterrupted = false
  /** Calls of WebGPU so far. */
  calls = 0
  #program: ProgramState = 'none'
  readonly #Promise: PromiseConstructor
  readonly #callbacksWait: boolean
  /** What settles promises of the program when it is called again. */
  #held: (() => void)[] = []

  constructor(constructor: PromiseConstructor, callbacksWait = false) {
    this.#Promise = constructor
    this.#callbacksWait = callbacksWait
  }

  /** Whether a program may wait that gives callbacks to a promise. */
  get callbacksWait(): boolean {
    return this.#callbacksWait || this.#program === 'runs'
  }

  get program(): ProgramState {
    return this.#program
  }
  set program(state: ProgramState) {
    this.#program = state
    if (state !== 'runs') return
    const held = this.#held
    this.#held = []
    for (const settle of held) settle()
  }

  /** At each call. @throws Error */
  check(): void {
    this.calls += 1
    if (this.interruption) throw this.interruption
    if (this.#program === 'ended') throw new Error(ENDED)
  }

  /** What is given in place of a promise of WebGPU. */
  given<T extends Promise<unknown>>(promise: T): T {
    if (this.#program !== 'runs') return promise
    const settle = (how: () => void): void => {
      if (this.#program === 'runs') how()
      else this.#held.push(how)
    }
    const given: Promise<unknown> = new this.#Promise((resolve, reject) => {
      react(
        promise,
        (value: unknown) => {
          settle(() => {
            resolve(value)
          })
        },
        (reason: Error) => {
          settle(() => {
            reject(reason)
          })
        },
      )
    })
    return given as T // of the same value
  }
}
