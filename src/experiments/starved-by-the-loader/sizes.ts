/** Sizes a batch so that its making takes the wanted time. Pure arithmetic. */
import { MAX_AUGMENTATIONS, type MakingTimes } from '../../lab/batch-maker'

/**
 * Augmentations of the batches in turn. `even` has many, so that a batch takes long to make and is
 * short to send. In `uneven` decoding takes about as long as two augmentations: the late batch
 * takes some 30 times as long as the others, and 10 times the mean, (15 · 2 + 62) / 16. Two steps
 * in flight and one batch ahead do not bridge that, eight ahead do.
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

/**
 * Numbers of a batch, a multiple of 4, whose making takes `targetMs` in the mean, where one of
 * `words` takes `madeMs`.
 */
export function wordsFor(targetMs: number, words: number, madeMs: number): number {
  const wanted = (targetMs / madeMs) * words
  return Math.max(LEAST_WORDS, Math.min(MOST_WORDS, Number.isFinite(wanted) ? 4 * Math.round(wanted / 4) : 0))
}
