/** The network of this mend: worker and grader work out from the same seeds what comes out of it. */
import { filled } from '../../../gpu/kernels/data/fill'
import { expectedChain } from '../../../gpu/kernels/matmul/chain'

export const LAYERS = 8
/** Of its result the mean is asked for. Two layers follow, and the second writes over it. */
export const LOGGED = 5
export const ROWS = 32
/** Columns of a result; 32 · 1024 values may be returned, and are checked in some 100 ms. */
export const SIDES = [64, 128, 256, 512, 1024] as const
const SAMPLES = 64

export const expectedNetwork = (n: number, seedX: number, seedW: number) =>
  expectedChain(filled(ROWS * n, seedX), filled(n * n, seedW), { n, layers: LAYERS, samples: SAMPLES })

/** What a run notes. */
export type Network = {
  facts: { n: number; seedX: number; seedW: number }
  /** When each layer was encoded, ns since the trace's origin. */
  found: { encodedNs: readonly number[] }
}
