/**
 * The browser's GPU process. A page's calls become commands; a message carries them over, at
 * submit() or when the page's task has ended. One thread handles them in order, so a large upload
 * delays everything behind it, answers too.
 *
 *     host         ▇ calls ▇ ──message──┐                              ┌──answer──▇ promise settles
 *     GPU process                       ▇ handles ▇ polls      … polls ▇
 *     device                                    ▇▇▇▇ kernel ▇▇▇▇
 *
 * The device does not report that work has ended: the process polls after each message, then after
 * a while, then again and again. So a wait ends on a grid, and not when the kernel ends.
 */
import type { MachineProfile } from './machine-profile'
import type { Clock } from './clock'

/** Runs no earlier than `atNs`; returns when it is done. */
export type Command = (atNs: number) => number

/** A promise that waits for the device. */
export interface Question {
  /** When the device will have ended what it asks for; Infinity: not known yet. */
  readonly endsNs: () => number
  /** Work of the GPU process before it answers. Returns when that is done. */
  readonly prepare: Command
  readonly answer: () => void
}

/** The part of it that devices use. */
export type Process = Pick<GpuProcess, 'post' | 'flush' | 'ask' | 'askWhenEnded' | 'handled'>

export class GpuProcess {
  readonly #clock: Clock
  readonly #profile: MachineProfile['process']
  #message: Command[] = []
  #questions: Question[] = []
  #polls = 0
  #freeNs = 0
  /** For a picture: from when to when it handled a message, or brought back what was asked for. */
  handled: (startNs: number, endNs: number) => void = () => undefined

  constructor(clock: Clock, profile: MachineProfile) {
    this.#clock = clock
    this.#profile = profile.process
  }

  /** Goes over with the next message. */
  post(command: Command): void {
    this.#message.push(command)
  }

  flush(): void {
    const message = this.#message
    if (message.length === 0) return
    this.#message = []
    this.#clock.at(this.#clock.now + this.#profile.messageNs, (atNs) => {
      const startNs = Math.max(atNs, this.#freeNs)
      let doneNs = startNs + this.#profile.handleNs
      for (const command of message) doneNs = command(doneNs)
      this.handled(startNs, doneNs)
      this.#freeNs = this.#poll(doneNs)
      this.#pollAgain(this.#freeNs + this.#profile.firstPollNs)
    })
  }

  /** Answered as soon as it is handled: whether a command was valid, whether a kernel compiles. */
  ask(answer: () => void, takesNs = 0): void {
    this.post((atNs) => {
      this.#clock.task(atNs + takesNs + this.#profile.messageNs, answer)
      return atNs
    })
  }

  /** Answered at a poll after the device has ended what is asked for. */
  askWhenEnded(question: Question): void {
    this.post((atNs) => {
      this.#questions.push(question)
      return atNs
    })
  }

  #poll(atNs: number): number {
    const ended = this.#questions.filter(({ endsNs }) => endsNs() <= atNs)
    if (ended.length === 0) return atNs
    this.#questions = this.#questions.filter((question) => !ended.includes(question))
    let doneNs = atNs
    for (const { prepare } of ended) doneNs = prepare(doneNs)
    this.handled(atNs, doneNs)
    this.#clock.task(doneNs + this.#profile.messageNs, () => {
      for (const { answer } of ended) answer()
    })
    return doneNs
  }

  /** A newer message puts it off. */
  #pollAgain(atNs: number): void {
    this.#polls += 1
    const polls = this.#polls
    if (this.#questions.length === 0) return
    this.#clock.at(atNs, () => {
      if (polls !== this.#polls) return
      this.#freeNs = this.#poll(Math.max(atNs, this.#freeNs))
      this.#pollAgain(this.#freeNs + this.#profile.pollNs)
    })
  }
}
