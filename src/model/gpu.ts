/**
 * One GPU and its devices: each has a queue, and only one of them is served at a time. Where several have work they take turns, a slice each,
 * and a slice that ends holds up whatever kernel runs:
 *
 *     device 0   ▇▇▇▇▇▇▇▇        ▇▇▇▇▇▇▇▇        ▇▇
 *     device 1           ▇▇▇▇▇▇▇▇        ▇▇▇▇▇▇▇▇  ▇▇▇▇
 *
 * So work that arrives moves the ends of what others wait for. A moment is when something will happen by what is known so far; once it is
 * over it stays.
 */
import type { Card } from './card'

export interface Moment {
  ns: number
}

/** Of a submission: so far into its work. */
export interface Mark {
  readonly afterNs: number
  readonly moment: Moment
}

interface Work {
  readonly marks: readonly Mark[]
  readonly lengthNs: number
  notBeforeNs: number
  servedNs: number
  /** The first mark that is not reached. */
  next: number
}

/** From some time on. */
interface State {
  nowNs: number
  served: number
  sliceLeftNs: number
  /** By device, the oldest first. */
  readonly queues: Work[][]
}

export class Gpu {
  readonly #card: Card['device']
  readonly #state: State

  constructor(card: Card['device']) {
    this.#card = card
    this.#state = { nowNs: 0, served: 0, sliceLeftNs: card.sliceNs, queues: [] }
  }

  /** Which device it is. */
  open(): number {
    return this.#state.queues.push([]) - 1
  }

  /** One submission of a device's; `after`: when the one before it ends. Arrivals are in order of time. @returns when it ends */
  add(device: number, atNs: number, after: Moment, lengthNs: number, marks: readonly Mark[]): Moment {
    const state = this.#state
    this.#serve(state, atNs)
    const end: Moment = { ns: 0 }
    const work: Work = {
      marks: [...marks, { afterNs: lengthNs, moment: end }],
      lengthNs,
      notBeforeNs: atNs,
      servedNs: 0,
      next: 0,
    }
    const queue = state.queues[device] ?? []
    const isFirst = queue.push(work) === 1
    if (isFirst) work.notBeforeNs = Math.max(atNs, after.ns + this.#card.submitGapNs)
    if (state.queues.every((each) => each === queue || each.length === 0)) {
      // Nobody else: it follows what is there already.
      const startNs = Math.max(atNs, after.ns + this.#card.submitGapNs)
      for (const { afterNs, moment } of work.marks) moment.ns = startNs + afterNs
    } else {
      const queues = state.queues.map((each) => each.map((own) => ({ ...own })))
      this.#serve({ ...state, queues }, Infinity)
    }
    return end
  }

  #serve(state: State, untilNs: number): void {
    const { queues } = state
    const { sliceNs, switchNs, submitGapNs } = this.#card
    const waitsUntil = (device: number): number => queues[device]?.[0]?.notBeforeNs ?? Infinity
    while (state.nowNs < untilNs) {
      const ready = queues.flatMap((_, device) => (waitsUntil(device) <= state.nowNs ? [device] : []))
      if (ready.length === 0) {
        const nextNs = Math.min(...queues.map((_, device) => waitsUntil(device)))
        if (nextNs === Infinity) return
        state.nowNs = Math.min(untilNs, nextNs)
        continue
      }
      const isServed = ready.includes(state.served)
      if (!isServed || (state.sliceLeftNs <= 0 && ready.length > 1)) {
        state.served = ready.find((device) => device > state.served) ?? ready[0] ?? 0
        // What is put off has to be put away.
        if (isServed) state.nowNs += switchNs
        state.sliceLeftNs = sliceNs
      } else if (state.sliceLeftNs <= 0) state.sliceLeftNs = sliceNs
      const queue = queues[state.served] ?? []
      const [work] = queue
      if (!work) return
      const { nowNs } = state
      const takesNs = Math.min(work.lengthNs - work.servedNs, state.sliceLeftNs, Math.max(0, untilNs - nowNs))
      const reachedNs = work.servedNs + takesNs
      for (; ; work.next += 1) {
        const mark = work.marks[work.next]
        if (!mark || mark.afterNs > reachedNs) break
        mark.moment.ns = nowNs + mark.afterNs - work.servedNs
      }
      work.servedNs = reachedNs
      state.nowNs += takesNs
      state.sliceLeftNs -= takesNs
      if (work.servedNs < work.lengthNs) continue
      queue.shift()
      const [following] = queue
      if (following) following.notBeforeNs = Math.max(following.notBeforeNs, state.nowNs + submitGapNs)
    }
  }
}
