/** What is sent: the lab's operands, which worker and grader work out from the same seed. */
import { operandValue } from '../../../gpu/kernels/data/operand'

const bits = new DataView(new ArrayBuffer(4))
export function bitsAt(batch: number, position: number, seed: number): number {
  bits.setFloat32(0, operandValue(batch, position, seed))
  return bits.getUint32(0)
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
