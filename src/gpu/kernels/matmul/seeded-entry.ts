/**
 * Entries of a product whose operands the fill kernel makes from seeds, and how far the device's
 * may be off. Pure.
 */
import { fillOf } from '../data/fill'
import type { Expected } from './chain'
import { referenceEntry, tolerance } from './reference'

/**
 * C = times · A·B, all n × n: `times` products were added up. The tolerance has its reasons in
 * reference.ts.
 */
export interface SeededProduct {
  readonly n: number
  readonly seedA: number
  readonly seedB: number
  readonly times?: number
}

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

export function seededEntry(
  { n, seedA, seedB, times = 1 }: SeededProduct,
  row: number,
  column: number,
): Expected {
  const { aAt, bAt } = seededOperands({ n, k: n, seedA, seedB })
  const { value, scale } = referenceEntry(row, column, n, aAt, bAt)
  return { value: value * times, allowed: tolerance(n, times) * scale * times }
}

/**
 * Says where a number differs from the expected one; null where it is right. NaN and other
 * non-numbers are wrong.
 */
export function wrongNumber(
  subject: string,
  got: unknown,
  { value, allowed }: Expected,
  whose: string,
): string | null {
  if (typeof got === 'number' && Math.abs(got - value) <= allowed) return null
  const shown = typeof got === 'number' && !Number.isNaN(got) ? got.toPrecision(6) : 'no number'
  return `${subject} is ${value.toPrecision(6)} (± ${allowed.toPrecision(1)}); ${whose} ${shown}.`
}
