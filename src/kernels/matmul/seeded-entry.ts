/** Entries of a product whose operands the fill kernel makes from seeds, and how far the device's may be off. Pure. */
import { fillValue } from '../data/fill'
import type { Expected } from './chain'
import { referenceEntry, tolerance } from './reference'

/** C = times · A·B, all n × n: `times` products were added up. The tolerance has its reasons in reference.ts. */
export interface SeededProduct {
  readonly n: number
  readonly seedA: number
  readonly seedB: number
  readonly times?: number
}

export function seededEntry(
  { n, seedA, seedB, times = 1 }: SeededProduct,
  row: number,
  column: number,
): Expected {
  const { value, scale } = referenceEntry(
    row,
    column,
    n,
    (at, k) => fillValue(at * n + k, seedA),
    (k, at) => fillValue(k * n + at, seedB),
  )
  return { value: value * times, allowed: tolerance(n, times) * scale * times }
}

/** Where a number is another one than expected, in words; null where it is right. Whatever is no number, NaN too, is wrong. */
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
