/** What a program returned, beside what comes out of the network. */
import { wrongNumber } from '../../../gpu/kernels/matmul/seeded-entry'
import type { RunOf } from '../../../exercises/run-facts'
import { expectedNetwork, LOGGED, ROWS, type Network } from './network'

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
