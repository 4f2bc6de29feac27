/**
 * The browser's GPU process. What a page calls becomes commands; a message carries them over, at submit() or when the page's task has ended.
 * One thread handles them in order: so a large upload delays all that comes after it, answers too. For each thread of the page it looks by
 * itself.
 *
 *     host         ▇ calls ▇ ──message──┐                              ┌──answer──▇ promise settles
 *     GPU process                       ▇ handles ▇ looks      … looks ▇
 *     device                                    ▇▇▇▇ kernel ▇▇▇▇
 *
 * Nothing reports to it that work has ended, but on a card without looks (CUDA's events): it looks. Chromium's does whenever it has handled a
 * message, then after a while, then again and again; Firefox's by a timer alone. So a wait ends on a grid, and not when the kernel ends.
 */
import type { Card } from './card'
import type { Clock } from './clock'

/** Handled from then on; returns when that is done. */
type Command = (atNs: number) => number

/** A promise that waits for the device. */
interface Question {
  /** When the device will have ended what it asks for; Infinity: not known yet. */
  readonly endsNs: () => number
  /** What the GPU process does before it answers. Returns when that is done. */
  readonly prepare: Command
  readonly answer: () => void
}

/** Of each host, which has a thread: what it sends, and what is looked for on its behalf. */
interface Channel {
  message: Command[]
  questions: Question[]
  looks: number
}

export class GpuProcess {
  readonly #clock: Clock
  readonly #card: Card['process']
  /** By host. */
  readonly #channels: Channel[] = []
  #freeNs = 0
  /** For a picture: from when to when it handled a message, or brought back what was asked for. */
  handled: (startNs: number, endNs: number) => void = () => undefined

  constructor(clock: Clock, card: Card) {
    this.#clock = clock
    this.#card = card.process
  }

  /** Goes over with the next message. */
  post(command: Command): void {
    this.#channel.message.push(command)
  }

  get #channel(): Channel {
    return (this.#channels[this.#clock.host] ??= { message: [], questions: [], looks: 0 })
  }

  flush(): void {
    const channel = this.#channel
    const { message } = channel
    if (message.length === 0) return
    channel.message = []
    this.#clock.at(this.#clock.now + this.#card.messageNs, (atNs) => {
      const startNs = Math.max(atNs, this.#freeNs)
      let doneNs = startNs + this.#card.handleNs
      for (const command of message) doneNs = command(doneNs)
      this.handled(startNs, doneNs)
      const { looksAtMessages, firstLookNs, lookNs } = this.#card
      this.#freeNs = looksAtMessages ? this.#look(channel, doneNs) : doneNs
      // A timer that goes by itself is put off by no message.
      this.#lookAgain(
        channel,
        looksAtMessages ? this.#freeNs + firstLookNs : lookNs * Math.ceil(doneNs / lookNs),
      )
    })
  }

  /** Answered as soon as it is handled: whether a command was valid, whether a kernel compiles. */
  ask(answer: () => void, takesNs = 0): void {
    this.post((atNs) => {
      this.#clock.task(atNs + takesNs + this.#card.messageNs, answer)
      return atNs
    })
  }

  /** Answered at a look after the device has ended what is asked for. */
  askWhenEnded(question: Question): void {
    const channel = this.#channel
    this.post((atNs) => {
      channel.questions.push(question)
      return atNs
    })
  }

  #look(channel: Channel, atNs: number): number {
    const ended = channel.questions.filter(({ endsNs }) => endsNs() <= atNs)
    if (ended.length === 0) return atNs
    channel.questions = channel.questions.filter((question) => !ended.includes(question))
    let doneNs = atNs
    for (const { prepare } of ended) doneNs = prepare(doneNs)
    this.handled(atNs, doneNs)
    this.#clock.task(doneNs + this.#card.messageNs, () => {
      for (const { answer } of ended) answer()
    })
    return doneNs
  }

  /** A newer message puts it off. */
  #lookAgain(channel: Channel, atNs: number): void {
    channel.looks += 1
    const { looks } = channel
    if (channel.questions.length === 0) return
    const lookNs = this.#card.lookNs > 0 ? atNs : nextEndNs(channel, atNs)
    if (lookNs === Infinity) return
    this.#clock.at(lookNs, () => {
      if (looks !== channel.looks) return
      this.#freeNs = this.#look(channel, Math.max(lookNs, this.#freeNs))
      this.#lookAgain(channel, this.#freeNs + this.#card.lookNs)
    })
  }
}

/** Where nobody needs to look: when the next that is waited for ends. A newer message says what is not known yet. */
const nextEndNs = ({ questions }: Channel, atNs: number): number =>
  Math.max(atNs, Math.min(...questions.map(({ endsNs }) => endsNs())))
