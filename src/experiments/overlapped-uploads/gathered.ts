/** What each step of a window gathered of its batch, and whether that is of its own. */
import { GATHER_WORDS, gatherPosition } from '../../gpu/kernels/data/gather'
import type { Operands } from '../../lab/operands'
import type { Verification } from '../../trace/report'

export const SEED_GATHER = 11

/** Batches of which each number is known. */
export type KnownBatches = Pick<Operands, 'words' | 'valueAt'>

/** Bit for bit: step i must have gathered the words of batch i. */
export function compareArrivals(got: Uint32Array, batches: KnownBatches): Verification {
  const bits = new DataView(new ArrayBuffer(4))
  let failed = 0
  got.forEach((word, index) => {
    const batch = Math.floor(index / GATHER_WORDS)
    const position = gatherPosition(index % GATHER_WORDS, SEED_GATHER + batch, batches.words)
    bits.setFloat32(0, batches.valueAt(batch, position))
    if (bits.getUint32(0) !== word) failed += 1
  })
  return {
    checked: got.length,
    failed,
    maxRelativeError: 0,
    tolerance: 0,
    what: `${String(GATHER_WORDS)} words of each uploaded batch, bit for bit`,
  }
}
