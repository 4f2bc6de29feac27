/**
 * One repeat of a variant as a small machine that can be run again: the host's steps in program order, each submission as one piece of
 * work on a device that takes them first in, first out, and the waits that end because a piece has ended. Every length and every latency
 * is as measured, so that the machine run unchanged gives the measured times; only what is taken away makes it faster. Times in ns.
 *
 *   host    ▇ work ▇│submit├─ latency ─┐          ┌─ notice ─┤▇ work ▇      start of a piece = the later of  submit + latency
 *   device                             ▇▇ piece ▇▇                                                 and  end before it + switch
 *
 * Max and plus alone: what is taken away can never make anything later. Not in it: work that now runs at the same time as other work
 * and slows it (memory, cores), and clocks that rise or fall with the load.
 */

/** A stretch of the host's thread. */
export interface HostStep {
  readonly type: 'work' | 'wait'
  readonly lengthNs: number
  /** Of a wait: the piece whose end it heard of, and how long after that end it was over. -1: not known; it takes its time. */
  readonly piece: number
  readonly noticeNs: number
  /** The piece that is submitted when the step ends; -1 none. */
  readonly submits: number
}

/** One submission's passes and copies on the device. In the order of their submission. */
export interface Piece {
  readonly lengthNs: number
  /** From submit() returned to its begin. `isQueued`: it was behind other work, and this is only the most it can have been. */
  readonly latencyNs: number
  /** From the end of the piece before to its begin. Not `isQueued`: the most it can have been. NaN for the first. */
  readonly switchNs: number
  readonly isQueued: boolean
}

export interface Recipe {
  readonly lengthNs: number
  readonly steps: readonly HostStep[]
  readonly pieces: readonly Piece[]
  /** Where the last piece ended, measured, after the repeat's end: how far the clocks contradict each other, or work left running. */
  readonly overhangNs: number
}

export interface Removal {
  /** Waits that do not happen, as indices of steps. */
  readonly waits: ReadonlySet<number>
  /** By step: host time that does not delay the device any more. */
  readonly hostNs: ReadonlyMap<number, number>
  /** Pieces that begin as soon as the one before has ended and they were submitted. */
  readonly launches: ReadonlySet<number>
  /** By piece: idle time inside of it. */
  readonly insideNs: ReadonlyMap<number, number>
}

export const NOTHING_REMOVED: Removal = {
  waits: new Set(),
  hostNs: new Map(),
  launches: new Set(),
  insideNs: new Map(),
}

/**
 * What the trace does not tell. likely: what could not be seen is like what was seen in the same repeat. soonest: only the work itself
 * takes time: a queued piece is ready at once, the device switches at once, the host hears at once. latest: the browser hands over one
 * submission at a time, so that latencies add up; the device takes as long to switch as the quickest launch took when it was idle; the
 * host hears as late as it ever did. How soon it hears is in doubt only where waits were taken away: those left are then other waits.
 */
export type Assumption = 'soonest' | 'likely' | 'latest'

const middle = (values: readonly number[], otherwise: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? otherwise
}

interface Costs {
  readonly latencyNs: number
  readonly switchNs: number
}

/** Costs of each piece under an assumption: never more than was measured, so that the whole is reproduced. */
function costsOf(
  { pieces }: Recipe,
  assumption: Assumption,
  submitNs: readonly number[],
  startNs: readonly number[],
): readonly Costs[] {
  const isSoonest = assumption === 'soonest'
  const seen = pieces.filter(({ isQueued }) => !isQueued).map(({ latencyNs }) => latencyNs)
  const quickest = Math.max(0, Math.min(...seen))
  const likelyLatency = isSoonest ? 0 : Math.max(0, middle(seen, 0))
  const switches = pieces
    .filter(({ isQueued, switchNs }) => isQueued && !Number.isNaN(switchNs))
    .map(({ switchNs }) => switchNs)
  const likely = Math.max(0, middle(switches, 0))
  const likelySwitch = { soonest: 0, likely, latest: Math.max(likely, quickest) }[assumption]
  let handedOver = -Infinity
  return pieces.map(({ latencyNs, switchNs, isQueued }, index) => {
    const switching = isQueued ? switchNs : Math.min(switchNs, likelySwitch)
    if (assumption !== 'latest')
      return { latencyNs: isQueued ? Math.min(latencyNs, likelyLatency) : latencyNs, switchNs: switching }
    const [submitted, started] = [submitNs[index] ?? 0, startNs[index] ?? 0]
    const begin = Math.max(submitted, handedOver)
    const most = started - begin
    const latency = isQueued ? Math.min(most, likelyLatency) : most
    handedOver = begin + latency
    return { latencyNs: latency, switchNs: switching }
  })
}

interface Played {
  /** From the repeat's begin to its end. */
  readonly lengthNs: number
  readonly submitNs: readonly number[]
  readonly startNs: readonly number[]
}

/** How long after a piece's end a wait is over, under an assumption. */
function noticesOf({ steps }: Recipe, removal: Removal, assumption: Assumption): (step: HostStep) => number {
  if (assumption === 'likely' || removal.waits.size === 0) return ({ noticeNs }) => noticeNs
  if (assumption === 'soonest') return ({ noticeNs }) => Math.min(0, noticeNs)
  const seen = steps
    .filter(({ type, piece }) => type === 'wait' && piece >= 0)
    .map(({ noticeNs }) => noticeNs)
  const slowest = Math.max(...seen)
  return () => slowest
}

function play(
  recipe: Recipe,
  removal: Removal,
  costs: readonly Costs[] | null,
  isSerial: boolean,
  noticeOf: (step: HostStep) => number,
): Played {
  const submitNs: number[] = []
  const startNs: number[] = []
  const endNs: number[] = []
  let [host, deviceFree, handedOver] = [0, -Infinity, -Infinity]
  const { steps, pieces } = recipe
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index]
    if (!step) break
    if (step.type === 'work') host += Math.max(0, step.lengthNs - (removal.hostNs.get(index) ?? 0))
    else if (!removal.waits.has(index)) {
      const ended = endNs[step.piece]
      host = ended === undefined ? host + step.lengthNs : Math.max(host, ended + noticeOf(step))
    }
    const piece = step.submits < 0 ? undefined : pieces[step.submits]
    if (!piece) continue
    const { latencyNs, switchNs } = costs?.[step.submits] ?? piece
    const isFree = removal.launches.has(step.submits)
    const latency = isFree ? Math.min(0, latencyNs) : latencyNs
    const ready = (isSerial ? Math.max(host, handedOver) : host) + latency
    handedOver = ready
    const after = Number.isNaN(switchNs)
      ? -Infinity
      : deviceFree + (isFree ? Math.min(0, switchNs) : switchNs)
    const start = Math.max(ready, after)
    const end = start + piece.lengthNs - (removal.insideNs.get(step.submits) ?? 0)
    submitNs[step.submits] = host
    startNs[step.submits] = start
    endNs[step.submits] = end
    deviceFree = end
  }
  return { lengthNs: Math.max(host, deviceFree - recipe.overhangNs), submitNs, startNs }
}

/** How long the repeat takes when something is taken away, ns. With nothing taken away: as long as it took. */
export function replay(recipe: Recipe, removal: Removal, assumption: Assumption): number {
  const measured = play(recipe, NOTHING_REMOVED, null, false, ({ noticeNs }) => noticeNs)
  const costs = costsOf(recipe, assumption, measured.submitNs, measured.startNs)
  const notices = noticesOf(recipe, removal, assumption)
  return play(recipe, removal, costs, assumption === 'latest', notices).lengthNs
}
