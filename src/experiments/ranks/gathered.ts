/** What rank 0 has gathered, against a float64 reference. */
import { checkProduct, positionsOf } from '../../lab/check-product'
import type { Verification } from '../../trace/report'
import { expectedProduct } from '../square-matmul'

const SAMPLES = 64
const SEED_SAMPLES = 83

/** What is missing is wrong. */
export function ofProduct(output: unknown, n: number, times: number, size: number): Verification {
  const parts = Array.isArray(output) ? (output as readonly unknown[]) : []
  const expected = expectedProduct(n, times)
  const positions = positionsOf(expected, SAMPLES, SEED_SAMPLES)
  const rows = n / size
  const got = positions.map(([row, column]) => {
    const part = parts[Math.floor(row / rows)]
    return part instanceof Float32Array && part.length === rows * n
      ? (part[(row % rows) * n + column] ?? Number.NaN)
      : Number.NaN
  })
  return checkProduct(
    expected,
    positions,
    got,
    'entries of the gathered product, against a float64 reference',
  )
}
