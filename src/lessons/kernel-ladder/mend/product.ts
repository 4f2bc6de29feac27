/** What worker and grader both know of the product that a learner's kernel computes. */
import { samplePositions, type Position } from '../../../gpu/kernels/matmul/reference'
import { randomWord } from '../../../gpu/kernels/pcg'

/** The lab starts one workgroup for each block of so many rows and columns. */
export const BLOCK = 16

/** Words behind C that no kernel may write. */
export const GUARD_WORDS = 1024

/** What every word of C holds before the small product: as f32 a number of millions. No NaN, which a compiler may take for anything. */
export const NOT_WRITTEN = 0x4b0dead5

/** The small product, which is compared entry by entry: its last workgroups are cut off, at another place in each grading. */
export const smallSize = (seed: number): number => 4 * BLOCK + 1 + (randomWord(0, seed) % (BLOCK - 1))

const SAMPLES = 192

/** Entries of the large product that are compared: corners, edges of workgroups, and others by the seed. */
export const sampledPositions = (n: number, seed: number): readonly Position[] =>
  samplePositions(n, n, SAMPLES, seed)

/** The kernel has no workgroup memory. */
export const NO_TILES = -1

/** The pass that a learner's kernel runs in, by its name in the trace. */
export const PRODUCT_PASS = 'product'

/** What a run notes: of the small product, whose words are all read, or of the large one, whose entries are sampled. */
export type Product = {
  facts: {
    n: number
    seedA: number
    seedB: number
    seedSamples: number
    /** In the kernel's text, or NO_TILES. */
    barriers: number
  }
  found: {
    /** All of C and GUARD_WORDS behind it. */
    words: ArrayLike<number>
    entries: ArrayLike<number>
    /** The largest n that was computed, and what it took, ms. */
    reached: number
    reachedMs: number
    /** By the host's clock: a submission of one product, one of `many`. */
    onceMs: number
    manyMs: number
    many: number
  }
}
