/**
 * What is uploaded, so that each batch can be told from every other: batch b is the words [b·STRIDE, b·STRIDE + words) of one pool
 * of pseudo-random floats. Filling a staging buffer is one memcpy, as a DataLoader's collate is, and any word can be checked.
 */
import { fillValue } from '../../kernels/data/fill'

/** Odd, and larger than a gather's neighbourhood: two batches never agree in a sampled word by accident of alignment. */
const STRIDE_WORDS = 1021
const POOL_SEED = 7

export interface BatchPool {
  readonly words: number
  readonly batch: (index: number) => Float32Array
  /** The f32 at a position of a batch. */
  readonly valueAt: (index: number, position: number) => number
}

/** Allocates words + batches · 1021 floats: for 64 MiB and 128 batches 0.8 % more than one batch. */
export function createBatchPool(words: number, batches: number): BatchPool {
  const pool = new Float32Array(words + batches * STRIDE_WORDS)
  // Written in full: a page that was never touched would be mapped in during the first measured fill.
  for (let index = 0; index < pool.length; index += 1) pool[index] = fillValue(index, POOL_SEED)
  return {
    words,
    batch: (index) => pool.subarray(index * STRIDE_WORDS, index * STRIDE_WORDS + words),
    valueAt: (index, position) => pool[index * STRIDE_WORDS + position] ?? Number.NaN,
  }
}
