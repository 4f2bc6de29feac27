/** What the two ranks exchange, known to the lab's half and to the grader: whole numbers that stay exact in float32. Pure. */
import { randomWord } from '../../../gpu/kernels/pcg'

export const ROUNDS = 4
export const WORDS = 64
export const RANKS = [0, 1] as const
/** Times 3 in each round at most: below 2^24 for the 4 rounds. */
const LARGEST = 1000

/** By round: the blocks of both ranks as they stand before it; last, the results. */
export function blocksOf(seed: number): readonly (readonly Float32Array[])[] {
  let blocks = RANKS.map((rank) =>
    Float32Array.from({ length: WORDS }, (_, index) => randomWord(index + rank * WORDS, seed) % LARGEST),
  )
  const all = [blocks]
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = blocks
    blocks = RANKS.map((rank) =>
      (before[rank] ?? new Float32Array()).map((own, index) => 2 * own + (before[1 - rank]?.[index] ?? NaN)),
    )
    all.push(blocks)
  }
  return all
}

/** What a run notes. */
export type Exchange = {
  facts: { seed: number }
  found: {
    /** What each rank sent, number after number: a block may go over the wire in parts. */
    sent0: ArrayLike<number>
    sent1: ArrayLike<number>
    /** By rank: blocks. */
    received: readonly number[]
    /** What rank 0 returned, then rank 1. */
    got: ArrayLike<number>
    waits: readonly number[]
  }
}
