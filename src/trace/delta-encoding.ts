/**
 * Columns of a file as differences between rows: of times and indices that grow, few differ, and
 * gzip finds them again and again.
 */
import type { Column } from './columns'

/** Up to this, the difference of two numbers is exact too. */
const LARGEST = 2 ** 52

const isExact = (value: number): boolean =>
  Number.isInteger(value) && Math.abs(value) <= LARGEST && !Object.is(value, -0)

/**
 * Each row less the one before it; null where bytes are few anyway, or the sum would not give the
 * same numbers back.
 */
export function deltaEncode(column: Column): Column | null {
  if (column.BYTES_PER_ELEMENT < 4) return null
  if (column instanceof Float64Array && !column.every(isExact)) return null
  const differences = column.slice()
  // 32-bit columns wrap round, here and in the sum.
  for (let row = 1; row < column.length; row += 1)
    differences[row] = (column[row] ?? 0) - (column[row - 1] ?? 0)
  return differences
}

/** Undoes `differencesOf`, in place. */
export function deltaDecode(column: Column): void {
  for (let row = 1; row < column.length; row += 1) column[row] = (column[row] ?? 0) + (column[row - 1] ?? 0)
}
