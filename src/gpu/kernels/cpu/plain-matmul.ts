/**
 * Matmul in plain TypeScript, for browsers in which the library does not load, and for ranks, which
 * would load it each: 1 to 4 GFLOP/s on a core that does 28 with WebAssembly SIMD.
 */
import { timesMatrix } from '../matmul/chain'

interface Shape {
  /** Rows of A and C. */
  readonly rows?: number
  /** Columns of A, rows of B. */
  readonly inner?: number
}

/** C = A·B, row-major, with n columns; n × n all three where nothing else is said. */
export function multiplyPlain(
  a: Float32Array,
  b: Float32Array,
  n: number,
  { rows = n, inner = n }: Shape = {},
): Float32Array<ArrayBuffer> {
  const c = new Float32Array(rows * n)
  for (let row = 0; row < rows; row += 1)
    c.set(timesMatrix(a.subarray(row * inner, (row + 1) * inner), b, n), row * n)
  return c
}
