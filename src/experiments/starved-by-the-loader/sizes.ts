/** How large a batch is, so that its making takes the wanted time, and how long a window takes. Pure arithmetic. */
import { MAX_AUGMENTATIONS, type MakingTimes } from '../../lab/batch-maker'
import { makersOf } from './variants'

/**
 * Augmentations of the batches in turn. Even: many, so that a batch takes long to make and is short to send. Uneven: decoding takes about as
 * long as two augmentations, so the late batch takes some 30 times as long as the others, and 10 times the mean, (15 · 2 + 62) / 16. Two
 * steps in flight and one batch ahead do not bridge that, eight ahead do.
 */
export const PATTERNS = {
  even: [MAX_AUGMENTATIONS],
  uneven: [0, 0, 0, 0, 0, 0, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0],
} as const
export type Pattern = readonly number[]

/** 4 MiB: sending more would count beside the making. */
const MOST_WORDS = 2 ** 20
/** 16 KiB */
const LEAST_WORDS = 2 ** 12

/** Mean time of making a batch, ms, where one of `words` takes these times. */
export const meanMakeMs = (pattern: Pattern, { decodeMs, augmentMs }: MakingTimes): number =>
  decodeMs + (augmentMs * pattern.reduce((sum, rounds) => sum + rounds, 0)) / pattern.length

/** Numbers of a batch, a multiple of 4, whose making takes `targetMs` in the mean, where one of `words` takes `madeMs`. */
export function wordsFor(targetMs: number, words: number, madeMs: number): number {
  const wanted = (targetMs / madeMs) * words
  return Math.max(LEAST_WORDS, Math.min(MOST_WORDS, Number.isFinite(wanted) ? 4 * Math.round(wanted / 4) : 0))
}

/** About how long a window of `steps` takes: two steps are in flight, and as many batches are made at a time as there are cores. */
export function windowMs(
  variant: string,
  steps: number,
  {
    computeMs,
    makeMs,
    roundTripMs,
    cores,
  }: Readonly<Record<'computeMs' | 'makeMs' | 'roundTripMs' | 'cores', number>>,
): number {
  const makers = makersOf(variant)
  const step = Math.max(computeMs, roundTripMs / 2)
  if (!makers) return steps * step + roundTripMs
  const atATime = Math.max(1, Math.min(makers.workers, cores - 1))
  return makeMs + steps * Math.max(step, makeMs / atATime) + roundTripMs
}
