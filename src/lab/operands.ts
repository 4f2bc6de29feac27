/**
 * Operands in host memory, each different from every other: operand i is the words [i·STRIDE,
 * i·STRIDE + words) of one pool of pseudo-random floats. Filling a staging buffer with one is a
 * single memcpy, as a DataLoader's collate is, and any word can be checked: an upload that did not
 * happen, or one step's data in another step, gives wrong results.
 */
import { keep } from '../base/buffer-registry'
import { fillInto } from '../gpu/kernels/data/fill'

/**
 * Odd, and a multiple of no size that is run: two operands never agree in a sampled word by
 * accident of alignment.
 */
const STRIDE_WORDS = 1021

/**
 * Allocates words + count · 1021 floats: for 64 MiB and 128 operands 0.8 % more than one of them.
 */
export function createOperands(words: number, count: number, seed: number) {
  const pool = new Float32Array(words + count * STRIDE_WORDS)
  // Written in full: a page that was never touched would be mapped in during the first measured
  // fill.
  fillInto(pool, 0, seed)
  keep(pool)
  return {
    words,
    of: (index: number, length = words): Float32Array<ArrayBuffer> =>
      pool.subarray(index * STRIDE_WORDS, index * STRIDE_WORDS + length),
    /** The f32 at a position of an operand. */
    valueAt: (index: number, position: number): number => pool[index * STRIDE_WORDS + position] ?? Number.NaN,
  }
}
export type Operands = ReturnType<typeof createOperands>
