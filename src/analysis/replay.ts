/**
 * One repeat of a variant as a small machine that can be run again: the host's steps in program order, each submission as one piece of
 * work on a device that takes them first in, first out, and the waits that end because a piece has ended. Every length and every latency
 * is as measured, so that the machine run unchanged gives the measured times; only what is taken away makes it faster. In columns, as a
 * repeat of 512 steps is played nine times for one question. Times in ns.
 *
 *   host    ▇ work ▇│submit├─ latency ─┐          ┌─ notice ─┤▇ work ▇      start of a piece = the later of  submit + latency
 *   device                             ▇▇ piece ▇▇                                                 and  end before it + switch
 *
 * Max and plus alone: what is taken away can never make anything later. Not in it: work that now runs at the same time as other work
 * and slows it (memory, cores), and clocks that rise or fall with the load.
 */

/** Stretches of the host's thread, one after the other. */
export interface HostSteps {
  readonly length: number
  /** 1: a wait; 0: work. */
  readonly isWait: Uint8Array
  readonly lengthNs: Float64Array
  /** Of a wait: the piece whose end it heard of, and how long after that end it was over. -1: not known; it takes its time. */
  readonly piece: Int32Array
  readonly noticeNs: Float64Array
  /** The piece that is submitted when the step ends; -1 none. */
  readonly submits: Int32Array
}

/** Each one submission's passes and copies on the device, in the order of their submission. */
export interface Pieces {
  readonly length: number
  readonly lengthNs: Float64Array
  /** From submit() returned to its begin. `isQueued`: it was behind other work, and this is only the most it can have been. */
  readonly latencyNs: Float64Array
  /** From the end of the piece before to its begin. Not `isQueued`: the most it can have been. NaN for the first. */
  readonly switchNs: Float64Array
  readonly isQueued: Uint8Array
}

export interface Recipe {
  readonly lengthNs: number
  readonly steps: HostSteps
  readonly pieces: Pieces
  /** Where the last piece ended, measured, after the repeat's end: how far the clocks contradict each other, or work left running. */
  readonly overhangNs: number
}

export interface Removal {
  /** By step, 1: a wait that does not happen. */
  readonly waits: Uint8Array
  /** By step: host time that does not delay the device any more. */
  readonly hostNs: Float64Array
  /** By piece, 1: it begins as soon as the one before has ended and it was submitted. */
  readonly launches: Uint8Array
  /** By piece: idle time inside of it. */
  readonly insideNs: Float64Array
}

export const nothingRemoved = ({ steps, pieces }: Pick<Recipe, 'steps' | 'pieces'>): Removal => ({
  waits: new Uint8Array(steps.length),
  hostNs: new Float64Array(steps.length),
  launches: new Uint8Array(pieces.length),
  insideNs: new Float64Array(pieces.length),
})

/**
 * What the trace does not tell. likely: what could not be seen is like what was seen in the same repeat. soonest: only the work itself
 * takes time: a queued piece is ready at once, the device switches at once, the host hears at once. latest: the browser hands over one
 * submission at a time, so that latencies add up; the device takes as long to switch as the quickest launch took when it was idle; the
 * host hears as late as it ever did. How soon it hears is in doubt only where waits were taken away: those left are then other waits.
 */
export type Assumption = 'soonest' | 'likely' | 'latest'

/** The middle one, the later of two; `otherwise` where there is none. */
const middle = (values: Float64Array, otherwise: number): number => {
  const sorted = values.toSorted()
  return sorted[sorted.length >> 1] ?? otherwise
}

const leastOf = (values: Float64Array): number => {
  let least = Infinity
  for (const value of values) if (value < least) least = value
  return least
}

interface Costs {
  readonly latencyNs: Float64Array
  readonly switchNs: Float64Array
}

interface Played {
  /** From the repeat's begin to its end. */
  readonly lengthNs: number
  /** By piece. */
  readonly submitNs: Float64Array
  readonly startNs: Float64Array
}

/** One recipe, played as often as is asked. */
export class Replay {
  readonly #recipe: Recipe
  readonly #measured: Played
  /** Of pieces that found the device idle: how long each took to begin; of the others: how long the device took to switch. */
  readonly #launchesNs: Float64Array
  readonly #switchesNs: Float64Array
  /** The latest that a wait heard of its piece's end. */
  readonly #slowestNs: number
  readonly #costs = new Map<Assumption, Costs>()

  constructor(recipe: Recipe) {
    this.#recipe = recipe
    const { steps, pieces } = recipe
    this.#measured = this.#play(nothingRemoved(recipe), pieces, false, steps.noticeNs)
    this.#launchesNs = pieces.latencyNs.filter((_, at) => pieces.isQueued[at] === 0)
    this.#switchesNs = pieces.switchNs.filter((ns, at) => pieces.isQueued[at] === 1 && !Number.isNaN(ns))
    let slowestNs = -Infinity
    for (let at = 0; at < steps.length; at += 1)
      if (steps.isWait[at] === 1 && (steps.piece[at] ?? -1) >= 0)
        slowestNs = Math.max(slowestNs, steps.noticeNs[at] ?? slowestNs)
    this.#slowestNs = slowestNs
  }

  /** How long the repeat takes when something is taken away, ns. With nothing taken away: as long as it took. */
  lengthNs(removal: Removal, assumption: Assumption): number {
    let costs = this.#costs.get(assumption)
    if (!costs) this.#costs.set(assumption, (costs = this.#costsOf(assumption)))
    return this.#play(removal, costs, assumption === 'latest', this.#noticesOf(removal, assumption)).lengthNs
  }

  /** Costs of each piece under an assumption: never more than was measured, so that the whole is reproduced. */
  #costsOf(assumption: Assumption): Costs {
    const { pieces } = this.#recipe
    const isSoonest = assumption === 'soonest'
    const quickest = Math.max(0, leastOf(this.#launchesNs))
    const likelyLatency = isSoonest ? 0 : Math.max(0, middle(this.#launchesNs, 0))
    const likely = Math.max(0, middle(this.#switchesNs, 0))
    const likelySwitch = { soonest: 0, likely, latest: Math.max(likely, quickest) }[assumption]
    const latencyNs = new Float64Array(pieces.length)
    const switchNs = new Float64Array(pieces.length)
    let handedOver = -Infinity
    for (let at = 0; at < pieces.length; at += 1) {
      const isQueued = pieces.isQueued[at] === 1
      const switching = pieces.switchNs[at] ?? 0
      switchNs[at] = isQueued ? switching : Math.min(switching, likelySwitch)
      if (assumption !== 'latest') {
        const most = pieces.latencyNs[at] ?? 0
        latencyNs[at] = isQueued ? Math.min(most, likelyLatency) : most
        continue
      }
      const begin = Math.max(this.#measured.submitNs[at] ?? 0, handedOver)
      const most = (this.#measured.startNs[at] ?? 0) - begin
      const latency = isQueued ? Math.min(most, likelyLatency) : most
      handedOver = begin + latency
      latencyNs[at] = latency
    }
    return { latencyNs, switchNs }
  }

  /** How long after a piece's end each wait is over, under an assumption. */
  #noticesOf({ waits }: Removal, assumption: Assumption): Float64Array {
    const { noticeNs } = this.#recipe.steps
    if (assumption === 'likely' || !waits.includes(1)) return noticeNs
    if (assumption === 'soonest') return noticeNs.map((ns) => Math.min(0, ns))
    return new Float64Array(noticeNs.length).fill(this.#slowestNs)
  }

  #play(removal: Removal, costs: Costs, isSerial: boolean, noticeNs: Float64Array): Played {
    const { steps, pieces, overhangNs } = this.#recipe
    const submitNs = new Float64Array(pieces.length)
    const startNs = new Float64Array(pieces.length)
    const endNs = new Float64Array(pieces.length)
    let [host, deviceFree, handedOver] = [0, -Infinity, -Infinity]
    // Pieces are submitted in their order: those before this one have an end.
    let submitted = 0
    for (let at = 0; at < steps.length; at += 1) {
      const length = steps.lengthNs[at] ?? 0
      if (steps.isWait[at] === 0) host += Math.max(0, length - (removal.hostNs[at] ?? 0))
      else if (removal.waits[at] === 0) {
        const heard = steps.piece[at] ?? -1
        const isKnown = heard >= 0 && heard < submitted
        host = isKnown ? Math.max(host, (endNs[heard] ?? 0) + (noticeNs[at] ?? 0)) : host + length
      }
      const piece = steps.submits[at] ?? -1
      if (piece < 0) continue
      const isFree = removal.launches[piece] === 1
      const latencyNs = costs.latencyNs[piece] ?? 0
      const switchNs = costs.switchNs[piece] ?? 0
      const ready =
        (isSerial ? Math.max(host, handedOver) : host) + (isFree ? Math.min(0, latencyNs) : latencyNs)
      handedOver = ready
      const after = Number.isNaN(switchNs)
        ? -Infinity
        : deviceFree + (isFree ? Math.min(0, switchNs) : switchNs)
      const start = Math.max(ready, after)
      const end = start + (pieces.lengthNs[piece] ?? 0) - (removal.insideNs[piece] ?? 0)
      submitNs[piece] = host
      startNs[piece] = start
      endNs[piece] = end
      deviceFree = end
      submitted = piece + 1
    }
    return { lengthNs: Math.max(host, deviceFree - overhangNs), submitNs, startNs }
  }
}
