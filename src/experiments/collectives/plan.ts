/** Which sizes are run, and how many messages make a window of a pair, by the time that two messages took. Pure arithmetic; times in ms. */
import { LEAST_SIZES } from '../../base/line-fit'
import { fitRun } from '../sizing'
import { costOf, timeMs, type Wire } from './curves'
import { GPU, KIB, PAIR, parseVariant, RING, type Operation, type Variant } from './variants'

/** Of two messages of such sizes, to and fro, a line is drawn that is good enough for estimates. */
export const TRIAL_KIB = [1, 1024] as const

/** To and fro between a pair, until the window is long beside the host clock's step, be it 5 µs or 100 µs. */
const PAIR_WINDOW_MS = 5
const MOST_TRIPS = 50
/** Filled before and checked after each window, and read and written meanwhile: a low rate for a core. */
const FILLED_BYTES_PER_MS = 4e5
/** Orders, the barrier, the lab's busy work before each window. */
const AROUND_MS = 12
/** 64 MiB for each of 8 ranks, and as much for what arrives. */
const MOST_BYTES = 2 ** 30

export interface CollectivesPlan {
  readonly sizes: readonly number[]
  readonly repeats: number
  /** Round trips in a window of a pair, by its KiB. */
  readonly trips: ReadonlyMap<number, number>
  /** KiB for which there is no time, or no memory, here. */
  readonly leftOut: readonly number[]
}

/** The wire by two trials: never less than nothing. `ms`: of one message, by TRIAL_KIB. */
export function wireOf([small, large]: readonly [number, number]): Wire<number> {
  const extraMs = Math.max(1e-3, large - small)
  return {
    alphaUs: Math.max(1, 1e3 * small),
    gbPerS: ((TRIAL_KIB[1] - TRIAL_KIB[0]) * KIB) / (extraMs * 1e6),
  }
}

/** `crowd`: ranks for each core, at least 1: they take turns. */
export function planCollectives(
  asked: {
    readonly operation: Operation
    readonly kib: readonly number[]
    readonly ranks: number
    readonly repeats: number
    readonly seconds: number
    /** Names of the variants. */
    readonly variants: readonly string[]
  },
  wire: Wire<number>,
  crowd: number,
): CollectivesPlan {
  const all = asked.kib.toSorted((a, b) => a - b)
  const messageMs = (kib: number) => timeMs({ messages: 1, share: 1 }, kib * KIB, wire)
  const tripsOf = (kib: number) =>
    Math.max(1, Math.min(MOST_TRIPS, Math.round(PAIR_WINDOW_MS / (2 * messageMs(kib)))))
  const windowMs = ({ program, ranks, kib }: Variant): number => {
    const filledMs = (crowd * kib * KIB) / FILLED_BYTES_PER_MS
    if (program === PAIR) return AROUND_MS + filledMs + 2 * tripsOf(kib) * messageMs(kib)
    const algorithm = program === GPU ? RING : program
    return AROUND_MS + filledMs + crowd * timeMs(costOf(asked.operation, algorithm, ranks), kib * KIB, wire)
  }
  const roundMs = (sizes: readonly number[]) =>
    asked.variants
      .flatMap((name) => parseVariant(name) ?? [])
      .filter(({ kib }) => sizes.includes(kib))
      .reduce((sum, variant) => sum + windowMs(variant), 0)
  const budgetMs = asked.seconds * 1e3
  for (
    let sizes = all.filter((kib) => 2 * asked.ranks * kib * KIB <= MOST_BYTES);
    ;
    sizes = sizes.slice(0, -1)
  ) {
    const { repeats } = fitRun({ steps: 1, repeats: asked.repeats }, budgetMs, () => roundMs(sizes))
    const fits = repeats >= Math.min(3, asked.repeats) && (repeats + 1) * roundMs(sizes) <= budgetMs
    if (!fits && sizes.length > LEAST_SIZES) continue
    return {
      sizes,
      repeats,
      trips: new Map(sizes.map((kib) => [kib, tripsOf(kib)])),
      leftOut: all.filter((kib) => !sizes.includes(kib)),
    }
  }
}
