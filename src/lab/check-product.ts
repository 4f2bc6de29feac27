/**
 * Sampled entries of a product against a float64 reference: what makes a timed matmul a verified
 * one.
 */
import { readWords, type OwnedBuffer, type RunContext } from '../gpu'
import { compareSamples, referenceEntry, samplePositions, tolerance } from '../gpu/kernels/matmul/reference'
import type { Verification } from '../trace/report'

export interface ProductTerm {
  readonly aAt: (row: number, k: number) => number
  readonly bAt: (k: number, column: number) => number
  /** How often this product was added. */
  readonly times: number
}

/** C (rows × columns) = Σ times · A·B over the terms. */
export interface ExpectedProduct {
  readonly rows: number
  readonly columns: number
  readonly k: number
  readonly terms: readonly ProductTerm[]
}

/** Positions that a check reads: corners, edges, and `samples` others by `seed`. */
export const positionsOf = (
  { rows, columns }: Pick<ExpectedProduct, 'rows' | 'columns'>,
  samples: number,
  seed: number,
): readonly (readonly [row: number, column: number])[] => samplePositions(rows, columns, samples, seed)

/** `got` are the entries at `positions`, in their order. */
export function checkProduct(
  { k, terms }: ExpectedProduct,
  positions: readonly (readonly [row: number, column: number])[],
  got: ArrayLike<number>,
  what: string,
): Verification {
  const entries = positions.map(([row, column]) => {
    let value = 0
    let scale = 0
    for (const { aAt, bAt, times } of terms) {
      const entry = referenceEntry(row, column, k, aAt, bAt)
      value += entry.value * times
      scale += entry.scale * times
    }
    return { value, scale }
  })
  const steps = terms.reduce((sum, { times }) => sum + times, 0)
  return { ...compareSamples(entries, got, tolerance(k, steps)), what }
}

/** The same for a product that is still on the device: only the sampled words are read back. */
export async function checkProductOnDevice(
  context: RunContext,
  c: OwnedBuffer,
  expected: ExpectedProduct,
  { samples, seed, what }: { readonly samples: number; readonly seed: number; readonly what: string },
): Promise<Verification> {
  const positions = positionsOf(expected, samples, seed)
  const words = await readWords(
    context,
    c,
    positions.map(([row, column]) => row * expected.columns + column),
  )
  return checkProduct(expected, positions, new Float32Array(words.buffer), what)
}

/** Several verifications of one run as one. */
export const mergeVerifications = (all: readonly Verification[]): Verification => ({
  checked: all.reduce((sum, one) => sum + one.checked, 0),
  failed: all.reduce((sum, one) => sum + one.failed, 0),
  maxRelativeError: all.reduce((max, one) => Math.max(max, one.maxRelativeError), 0),
  tolerance: all.reduce((max, one) => Math.max(max, one.tolerance), 0),
  what: [...new Set(all.map((one) => one.what))].join('; '),
})

/** Of what is right bit for bit, or wrong. */
export const exactly = (checked: number, failed: number, what: string): Verification => ({
  checked,
  failed,
  maxRelativeError: 0,
  tolerance: 0,
  what,
})
