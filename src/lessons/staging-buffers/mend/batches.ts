/** What is sent: worker and grader work it out from the same seed. Batch i is a stretch of one pool, so that any word of any batch is known. */
import { fillValue } from '../../../kernels/data/fill'

/** Odd, and no size of a batch: two batches never agree by accident of alignment. */
const STRIDE_WORDS = 1021

const bits = new DataView(new ArrayBuffer(4))
export function bitsAt(batch: number, position: number, seed: number): number {
  bits.setFloat32(0, fillValue(batch * STRIDE_WORDS + position, seed))
  return bits.getUint32(0)
}

/** Of so many words each, in memory of the host. */
export function createBatches(words: number, count: number, seed: number): (batch: number) => Float32Array {
  const pool = new Float32Array(words + count * STRIDE_WORDS)
  for (let index = 0; index < pool.length; index += 1) pool[index] = fillValue(index, seed)
  return (batch) => pool.subarray(batch * STRIDE_WORDS, batch * STRIDE_WORDS + words)
}

/** What a run notes. */
export type Loads = {
  facts: { seed: number; batchBytes: number; steps: number }
  found: {
    /** Staging buffers that were written into, and the bytes of all of them. */
    stagingUsed: number
    stagingBytes: number
    /** GATHER_WORDS of each batch. */
    kept: ArrayLike<number>
  }
}
