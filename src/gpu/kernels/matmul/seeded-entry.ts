/** Entries of a product whose operands the fill kernel makes from seeds. Pure. */
import { fillOf } from '../data/fill'
import { referenceEntry } from './reference'

/** A (rows of k) and B (k rows of n). */
type Operands = Readonly<Record<'n' | 'k' | 'seedA' | 'seedB', number>>

/** By row and column. */
export function seededOperands({ n, k, seedA, seedB }: Operands) {
  const [a, b] = [fillOf(seedA), fillOf(seedB)]
  return {
    aAt: (row: number, at: number) => a(row * k + at),
    bAt: (at: number, column: number) => b(at * n + column),
  }
}

/** Entries of A · B, and the scales of their rounding errors. */
export function seededEntries(
  operands: Operands,
  positions: readonly (readonly [row: number, column: number])[],
) {
  const { aAt, bAt } = seededOperands(operands)
  return positions.map(([row, column]) => referenceEntry(row, column, operands.k, aAt, bAt))
}
