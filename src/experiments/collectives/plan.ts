/**
 * Picks the sizes that are run, and how many messages make a window of a pair, by the time that two
 * messages took. Pure arithmetic; times in ms.
 */
import { LEAST_SIZES } from '../../base/line-fit'
import { fitRun } from '../sizing'
import { timeMs, type Wire } from '../declare/line'
import { costOf } from './curves'
import { KIB, PAIR, collectiveOf, type Operation, type Collective } from './variants'

/** A line through two messages of such sizes, to and fro, is good enough for estimates. */
export const TRIAL_KIB = [1, 1024] as const

/** A pair sends to and fro until the host clock's step is half a percent of the window. */
const PAIR_WINDOW_STEPS = 200
const MOST_TRIPS = 50
/**
 * Filled before and checked after each window, and read and written meanwhile: a low rate for a
 * core.
 */
const FILLED_BYTES_PER_MS = 4e5
/** Orders, the barrier, the lab's busy work before each window. */
const AROUND_MS = 12
/**
 * Operations up to here have short windows: what disturbs one of them takes longer than it does.
 */
const OFTEN_KIB = 1024
/**
 * 7 become 13 where windows are short. Of 7 samples the interval of the median is from the least to
 * the greatest (base/stats.ts), so one disturbed window decides it; of 13 it leaves three out at
 * each end. A line through the messages of a repeat needs all sizes in it.
 */
export const repeatsOf = ({ program, kib }: Collective, repeats: number): number =>
  program !== PAIR && kib <= OFTEN_KIB ? 2 * repeats - 1 : repeats
/**
 * Fits the wire through two trials; neither part is below zero. `ms` has a message's times, by
 * TRIAL_KIB.
 */
export function wireOf([small, large]: readonly [number, number]): Wire<number> {
  const extraMs = Math.max(1e-3, large - small)
  return {
    alphaUs: Math.max(1, 1e3 * small),
    gbPerS: ((TRIAL_KIB[1] - TRIAL_KIB[0]) * KIB) / (extraMs * 1e6),
  }
}

/**
 * `crowd`: ranks for each core, at least 1: they take turns. `hostStepNs`: of the clock that times
 * a pair's windows.
 */
export function planCollectives(
  asked: {
    readonly operation: Operation
    readonly kib: readonly number[]
    readonly repeats: number
    readonly seconds: number
    /** Names of the variants. */
    readonly variants: readonly string[]
  },
  wire: Wire<number>,
  crowd: number,
  hostStepNs: number,
) {
  const messageMs = (kib: number) => timeMs({ messages: 1, share: 1 }, kib * KIB, wire)
  const tripsOf = (kib: number) =>
    Math.max(
      1,
      Math.min(MOST_TRIPS, Math.round((PAIR_WINDOW_STEPS * hostStepNs) / 1e6 / (2 * messageMs(kib)))),
    )
  const windowMs = ({ program, ranks, kib }: Collective): number => {
    const filledMs = (crowd * kib * KIB) / FILLED_BYTES_PER_MS
    if (program === PAIR) return AROUND_MS + filledMs + 2 * tripsOf(kib) * messageMs(kib)
    return AROUND_MS + filledMs + crowd * timeMs(costOf(asked.operation, program, ranks), kib * KIB, wire)
  }
  const variants = asked.variants.flatMap((name) => collectiveOf(name) ?? [])
  const roundMs = (sizes: readonly number[]) =>
    variants.filter(({ kib }) => sizes.includes(kib)).reduce((sum, variant) => sum + windowMs(variant), 0)
  const budgetMs = asked.seconds * 1e3
  const least = Math.min(3, asked.repeats)
  for (let sizes = asked.kib.toSorted((a, b) => a - b); ; sizes = sizes.slice(0, -1)) {
    const { repeats } = fitRun({ ...asked, steps: 1 }, () => roundMs(sizes))
    const fits = repeats >= least && (repeats + 1) * roundMs(sizes) <= budgetMs
    if (!fits && sizes.length > LEAST_SIZES) continue
    return {
      sizes,
      repeats,
      /** Round trips in a window of a pair, by its KiB. */
      trips: new Map(sizes.map((kib) => [kib, tripsOf(kib)])),
    }
  }
}
