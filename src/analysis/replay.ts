/**
 * One repeat of a variant as a small machine that can be run again: the host's steps in program
 * order, each submission as one piece of work on a device that takes them first in, first out, and
 * the waits that end because such work has ended. Every length and every latency is as measured, so
 * that the machine run unchanged gives the measured times; only what is taken away makes it faster.
 * Times in ns.
 *
 *   host    ▇ work ▇│submit├─ latency ─┐       ┌─ completion latency ─┤▇ work ▇      start of work = the later of  submit + latency
 *   device                             ▇▇ work ▇▇                                                 and  end before it + switch
 *
 * Max and plus alone: what is taken away can never make anything later. Not in it: work that now
 * runs at the same time as other work and slows it (memory, cores), and clocks that rise or fall
 * with the load.
 */

/** A segment of the host's thread; they come one after the other. */
export interface HostStep {
  readonly lengthNs: number
  readonly isWait: boolean
  /**
   * Of a wait: the work whose end it learned of, and how long after that end it was over. -1: not
   * known; it takes its time.
   */
  readonly heard: number
  readonly completionLatencyNs: number
  /** The work that is submitted when the step ends; -1 none. */
  readonly submits: number
}

/** One submission's passes and copies on the device. */
export interface DeviceWork {
  readonly lengthNs: number
  /**
   * From submit() returned to its begin. `isQueued`: it was behind other work, and this is only the
   * most it can have been.
   */
  readonly latencyNs: number
  /**
   * From the end of the work before to its begin. Not `isQueued`: the most it can have been. NaN
   * for the first.
   */
  readonly switchNs: number
  readonly isQueued: boolean
}

export interface ReplayModel {
  readonly lengthNs: number
  readonly steps: readonly HostStep[]
  /** In the order of submission. */
  readonly work: readonly DeviceWork[]
  /**
   * Where the last work ended, measured, after the repeat's end: how far the clocks contradict each
   * other, or work left running.
   */
  readonly overhangNs: number
}

/** By index of step or work. */
export interface Removal {
  /** Waits that do not happen. */
  readonly waits: Set<number>
  /** Host time of a step that does not delay the device any more. */
  readonly hostNs: Map<number, number>
  /** Work that begins as soon as the one before has ended and it was submitted. */
  readonly launches: Set<number>
  /** Idle time inside of work. */
  readonly insideNs: Map<number, number>
}

export const nothingRemoved = (): Removal => ({
  waits: new Set(),
  hostNs: new Map(),
  launches: new Set(),
  insideNs: new Map(),
})

/**
 * What the trace does not tell. likely: what could not be seen is like what was seen in the same
 * repeat. soonest: only the work itself takes time: queued work is ready at once, the device
 * switches at once, the host hears at once. latest: the browser hands over one submission at a
 * time, so that latencies add up; the device takes as long to switch as the quickest launch took
 * when it was idle; the host hears as late as it ever did. How soon it hears is in doubt only where
 * waits were taken away: those left are then other waits.
 */
export type Assumption = 'soonest' | 'likely' | 'latest'

/** The middle one, the later of two; 0 where there is none. */
const middle = (values: readonly number[]): number =>
  Float64Array.from(values).sort()[values.length >> 1] ?? 0

type Costs = Pick<DeviceWork, 'latencyNs' | 'switchNs'>

interface Played {
  /** From the repeat's begin to its end. */
  readonly lengthNs: number
  /** By work. */
  readonly submitNs: readonly number[]
  readonly startNs: readonly number[]
}

/** One model, played as often as is asked. */
export class Replay {
  readonly #model: ReplayModel
  readonly #measured: Played
  /**
   * Of work that found the device idle: how long each took to begin; of the rest: how long the
   * device took to switch.
   */
  readonly #launchesNs: readonly number[]
  readonly #switchesNs: readonly number[]
  /** The latest that a wait learned of its work's end. */
  readonly #slowestNs: number
  readonly #costs = new Map<Assumption, readonly Costs[]>()

  constructor(model: ReplayModel) {
    this.#model = model
    const { steps, work } = model
    this.#measured = this.#play(nothingRemoved(), work, false, (step) => step.completionLatencyNs)
    this.#launchesNs = work.flatMap(({ isQueued, latencyNs }) => (isQueued ? [] : [latencyNs]))
    this.#switchesNs = work.flatMap(({ isQueued, switchNs }) =>
      isQueued && !Number.isNaN(switchNs) ? [switchNs] : [],
    )
    this.#slowestNs = steps.reduce(
      (most, { heard, completionLatencyNs }) => (heard >= 0 ? Math.max(most, completionLatencyNs) : most),
      -Infinity,
    )
  }

  /**
   * How long the repeat takes when something is taken away, ns. With nothing taken away: as long as
   * it took.
   */
  lengthNs(removal: Removal, assumption: Assumption): number {
    let costs = this.#costs.get(assumption)
    if (!costs) this.#costs.set(assumption, (costs = this.#costsOf(assumption)))
    const isCertain = assumption === 'likely' || removal.waits.size === 0
    const completionLatencyNs = ({ completionLatencyNs: ns }: HostStep): number =>
      isCertain ? ns : assumption === 'soonest' ? Math.min(0, ns) : this.#slowestNs
    return this.#play(removal, costs, assumption === 'latest', completionLatencyNs).lengthNs
  }

  /**
   * Costs of each work under an assumption: never more than was measured, so that the whole is
   * reproduced.
   */
  #costsOf(assumption: Assumption): readonly Costs[] {
    const quickest = Math.max(
      0,
      this.#launchesNs.reduce((least, ns) => Math.min(least, ns), Infinity),
    )
    const likelyLatency = assumption === 'soonest' ? 0 : Math.max(0, middle(this.#launchesNs))
    const likely = Math.max(0, middle(this.#switchesNs))
    const likelySwitch = { soonest: 0, likely, latest: Math.max(likely, quickest) }[assumption]
    let handedOver = -Infinity
    return this.#model.work.map(({ isQueued, latencyNs, switchNs }, at) => {
      const begin = Math.max(this.#measured.submitNs[at] ?? 0, handedOver)
      const most = assumption === 'latest' ? (this.#measured.startNs[at] ?? 0) - begin : latencyNs
      const latency = isQueued ? Math.min(most, likelyLatency) : most
      handedOver = begin + latency
      return { latencyNs: latency, switchNs: isQueued ? switchNs : Math.min(switchNs, likelySwitch) }
    })
  }

  #play(
    removal: Removal,
    costs: readonly Costs[],
    isSerial: boolean,
    completionLatencyNs: (step: HostStep) => number,
  ): Played {
    const { steps, work, overhangNs } = this.#model
    const submitNs: number[] = []
    const startNs: number[] = []
    const endNs: number[] = []
    let [host, deviceFree, handedOver] = [0, -Infinity, -Infinity]
    for (let at = 0; at < steps.length; at += 1) {
      const step = steps[at]
      if (!step) break
      if (!step.isWait) host += Math.max(0, step.lengthNs - (removal.hostNs.get(at) ?? 0))
      else if (!removal.waits.has(at)) {
        // Work is submitted in its order: what comes before this has an end.
        const heardNs = endNs[step.heard]
        host =
          heardNs === undefined ? host + step.lengthNs : Math.max(host, heardNs + completionLatencyNs(step))
      }
      const own = work[step.submits]
      const cost = costs[step.submits]
      if (!own || !cost) continue
      const isFree = removal.launches.has(step.submits)
      const ready =
        (isSerial ? Math.max(host, handedOver) : host) +
        (isFree ? Math.min(0, cost.latencyNs) : cost.latencyNs)
      handedOver = ready
      const after = Number.isNaN(cost.switchNs)
        ? -Infinity
        : deviceFree + (isFree ? Math.min(0, cost.switchNs) : cost.switchNs)
      const start = Math.max(ready, after)
      deviceFree = start + own.lengthNs - (removal.insideNs.get(step.submits) ?? 0)
      submitNs[step.submits] = host
      startNs[step.submits] = start
      endNs[step.submits] = deviceFree
    }
    return { lengthNs: Math.max(host, deviceFree - overhangNs), submitNs, startNs }
  }
}
