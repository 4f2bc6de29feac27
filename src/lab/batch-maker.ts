/**
 * The work of a DataLoader's dataset on the host: decodes samples of one byte a number to floats in
 * [-1, 1], then augments them, one pass over the batch for each augmentation. A seed determines all
 * of it, so any number of any batch can be computed again: the check does not care which thread
 * made it.
 */
import { median } from '../base/stats'
import { randomWord, wordsOf } from '../gpu/kernels/pcg'

/** Odd, and a multiple of no size that is run: two batches never agree by accident of alignment. */
const STRIDE = 1021
/**
 * An augmentation scales by 1 ± 2 % and shifts by up to 0.02: after MAX_AUGMENTATIONS a number is
 * below 2 still, after 60 below 6.
 */
const STRENGTH = 0.02
export const MAX_AUGMENTATIONS = 15

export interface BatchOptions {
  /** Numbers in a batch. */
  readonly words: number
  /** How many batches there are. */
  readonly count: number
  readonly seed: number
  /** Augmentations of the batches in turn: with [1, 1, 15] every third takes longer. */
  readonly augmentations: readonly number[]
}

/** Allocates words + count · 1021 bytes: the dataset. */
export function createBatchMaker({ words, count, seed, augmentations }: BatchOptions) {
  const samples = new Uint8Array(words + count * STRIDE)
  const byteAt = wordsOf(seed)
  for (let index = 0; index < samples.length; index += 1) samples[index] = byteAt(index)
  const decoded = Float32Array.from({ length: 256 }, (_, byte) => (byte - 127.5) / 127.5)
  /** In [-STRENGTH, STRENGTH). */
  const jitter = (index: number, which: number): number =>
    STRENGTH * (randomWord(2 * MAX_AUGMENTATIONS * index + which, seed + 1) * 2 ** -31 - 1)
  const factorOf = (index: number, round: number): number => 1 + jitter(index, 2 * round)
  const shiftOf = (index: number, round: number): number => jitter(index, 2 * round + 1)
  const roundsOf = (index: number): number => augmentations[index % augmentations.length] ?? 0
  return {
    words,
    /** Writes batch `index` into the first `words` of `into`. */
    make: (index: number, into: Float32Array): void => {
      const first = index * STRIDE
      for (let at = 0; at < words; at += 1) into[at] = decoded[samples[first + at] ?? 0] ?? 0
      const rounds = roundsOf(index)
      for (let round = 0; round < rounds; round += 1) {
        const factor = factorOf(index, round)
        const shift = shiftOf(index, round)
        for (let at = 0; at < words; at += 1) into[at] = (into[at] ?? 0) * factor + shift
      }
    },
    /** The f32 at a position of a batch, bit for bit. */
    valueAt: (index: number, position: number): number => {
      let value = decoded[samples[index * STRIDE + position] ?? 0] ?? 0
      // Rounds as the array rounds on writing.
      const rounds = roundsOf(index)
      for (let round = 0; round < rounds; round += 1)
        value = Math.fround(value * factorOf(index, round) + shiftOf(index, round))
      return value
    },
  }
}

export type BatchMaker = ReturnType<typeof createBatchMaker>

export interface MakingTimes {
  /** Time of a batch without augmentations, ms. */
  readonly decodeMs: number
  /** Time of one augmentation of a batch, ms. */
  readonly augmentMs: number
}

const TIMED = 3
const TIMED_ROUNDS = 4

/** Measures how long this thread takes for a batch of this many numbers. */
export function timeMaking(words: number, seed: number): MakingTimes {
  const into = new Float32Array(words)
  const msOf = (rounds: number): number => {
    const maker = createBatchMaker({ words, count: 1, seed, augmentations: [rounds] })
    const times = Array.from({ length: TIMED + 1 }, () => {
      const startMs = performance.now()
      maker.make(0, into)
      return performance.now() - startMs
    })
    return median(times.slice(1)) // the first compiles, and touches the memory
  }
  const decodeMs = msOf(0)
  return { decodeMs, augmentMs: Math.max(0, msOf(TIMED_ROUNDS) - decodeMs) / TIMED_ROUNDS }
}
