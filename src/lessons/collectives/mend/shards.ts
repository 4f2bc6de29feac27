/** What the ranks add up, known to the lab's half and to the grader: whole numbers whose sums are exact in float32. Pure. */
import { randomWord } from '../../../gpu/kernels/pcg'

export const SIZE = 4
export const RANKS = [0, 1, 2, 3] as const
/** Of each rank; a block is a quarter. */
export const WORDS = 64
export const BLOCK = WORDS / SIZE
const LARGEST = 1000

/** By rank. */
export const buffersOf = (seed: number): readonly Float32Array[] =>
  RANKS.map((rank) =>
    Float32Array.from({ length: WORDS }, (_, index) => randomWord(index + rank * WORDS, seed) % LARGEST),
  )

/** The sum of one block over some ranks. */
const sumOf = (
  buffers: readonly Float32Array[],
  block: number,
  ranks: readonly number[],
): readonly number[] =>
  Array.from({ length: BLOCK }, (_, index) =>
    ranks.reduce((sum, rank) => sum + (buffers[rank]?.[block * BLOCK + index] ?? NaN), 0),
  )

/** By rank: its block of the sums. */
export const resultsOf = (seed: number): readonly (readonly number[])[] => {
  const buffers = buffersOf(seed)
  return RANKS.map((rank) => sumOf(buffers, rank, RANKS))
}

/** What each rank sends to the next one: block after block, the sum over the ranks that it has come from. It began at the rank behind its owner. */
export const sentOf = (seed: number): readonly (readonly number[])[] => {
  const buffers = buffersOf(seed)
  return RANKS.map((rank) =>
    Array.from({ length: SIZE - 1 }, (_, step) => {
      const block = (rank - step - 1 + SIZE) % SIZE
      const from = Array.from({ length: step + 1 }, (_each, back) => (rank - back + SIZE) % SIZE)
      return sumOf(buffers, block, from)
    }).flat(),
  )
}

/** What a run notes. */
export type Shards = {
  facts: { seed: number }
  found: Record<`sent${(typeof RANKS)[number]}`, ArrayLike<number>> & {
    /** By rank: numbers sent and received in all, and those sent to another rank than the next. */
    sent: readonly number[]
    received: readonly number[]
    elsewhere: readonly number[]
    /** What each rank returned. */
    got: ArrayLike<number>
    waits: readonly number[]
  }
}
