/** The network of this mend: worker and grader work out from the same seeds what comes out of it. */
import { expectedChain, filled } from '../../../kernels/matmul/chain'
import { wrongNumber } from '../../../kernels/matmul/seeded-entry'
import type { RunOf } from '../../../mend/run-facts'

export const LAYERS = 8
/** Of its result the mean is asked for. Two layers follow, and the second writes over it. */
export const LOGGED = 5
export const ROWS = 32
/** Columns of a result; 32 · 1024 values may be returned, and are checked in some 100 ms. */
export const SIDES = [64, 128, 256, 512, 1024] as const
const SAMPLES = 64

/** @internal Tests make their evidence with it. */
export const expectedNetwork = (n: number, seedX: number, seedW: number) =>
  expectedChain(filled(ROWS * n, seedX), filled(n * n, seedW), { n, layers: LAYERS, samples: SAMPLES })

/** What a run notes. */
export type Network = {
  facts: { n: number; seedX: number; seedW: number }
  /** When each layer was encoded, ns since the trace's origin. */
  found: { encodedNs: readonly number[] }
}

/** What is wrong with what a program returned, in words; null where nothing is. */
export function wrongResult({ facts: { n, seedX, seedW }, output }: RunOf<Network>): string | null {
  if (typeof output !== 'object' || output === null || !('result' in output) || !('mean' in output))
    return 'Your program must return `{ result, mean }`.'
  const result: readonly unknown[] = Array.isArray(output.result) ? output.result : []
  if (result.length !== ROWS * n)
    return `The result has ${String(ROWS * n)} values; your program returned ${String(result.length)}.`
  const { entries, means } = expectedNetwork(n, seedX, seedW)
  const whose = 'your program returned'
  for (const entry of entries) {
    const at = `Entry (${String(Math.floor(entry.index / n))}, ${String(entry.index % n)}) of the result`
    const wrong = wrongNumber(at, result[entry.index], entry, whose)
    if (wrong !== null) return wrong
  }
  const mean = means[LOGGED]
  return mean ? wrongNumber(`The mean after layer ${String(LOGGED)}`, output.mean, mean, whose) : null
}
