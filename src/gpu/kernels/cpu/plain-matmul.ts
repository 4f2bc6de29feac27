/**
 * Matmul in plain TypeScript: 4 × 4 sums at a time, B's four columns first gathered side by side.
 * For browsers in which the library does not load, and for ranks, which would load it each; about 5
 * GFLOP/s on a core that does 28 with WebAssembly SIMD.
 */
const TILE = 4

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
  const columns = new Float32Array(TILE * inner)
  const wholeRows = rows - (rows % TILE)
  const wholeColumns = n - (n % TILE)
  for (let column = 0; column < wholeColumns; column += TILE) {
    for (let k = 0; k < inner; k += 1)
      for (let j = 0; j < TILE; j += 1) columns[k * TILE + j] = b[k * n + column + j] ?? 0
    for (let row = 0; row < wholeRows; row += TILE) multiplyTile(a, columns, c, { n, inner, row, column })
  }
  for (let row = 0; row < rows; row += 1)
    for (let column = row < wholeRows ? wholeColumns : 0; column < n; column += 1) {
      let sum = 0
      for (let k = 0; k < inner; k += 1) sum += (a[row * inner + k] ?? 0) * (b[k * n + column] ?? 0)
      c[row * n + column] = sum
    }
  return c
}

/** Sixteen sums in locals: as many as the compiler keeps in registers. */
function multiplyTile(
  a: Float32Array,
  columns: Float32Array,
  c: Float32Array,
  {
    n,
    inner,
    row,
    column,
  }: { readonly n: number; readonly inner: number; readonly row: number; readonly column: number },
): void {
  const [row0, row1, row2, row3] = [row * inner, (row + 1) * inner, (row + 2) * inner, (row + 3) * inner]
  let [s00, s01, s02, s03] = [0, 0, 0, 0]
  let [s10, s11, s12, s13] = [0, 0, 0, 0]
  let [s20, s21, s22, s23] = [0, 0, 0, 0]
  let [s30, s31, s32, s33] = [0, 0, 0, 0]
  for (let k = 0; k < inner; k += 1) {
    const b0 = columns[k * TILE] ?? 0
    const b1 = columns[k * TILE + 1] ?? 0
    const b2 = columns[k * TILE + 2] ?? 0
    const b3 = columns[k * TILE + 3] ?? 0
    const a0 = a[row0 + k] ?? 0
    s00 += a0 * b0
    s01 += a0 * b1
    s02 += a0 * b2
    s03 += a0 * b3
    const a1 = a[row1 + k] ?? 0
    s10 += a1 * b0
    s11 += a1 * b1
    s12 += a1 * b2
    s13 += a1 * b3
    const a2 = a[row2 + k] ?? 0
    s20 += a2 * b0
    s21 += a2 * b1
    s22 += a2 * b2
    s23 += a2 * b3
    const a3 = a[row3 + k] ?? 0
    s30 += a3 * b0
    s31 += a3 * b1
    s32 += a3 * b2
    s33 += a3 * b3
  }
  c.set([s00, s01, s02, s03], row * n + column)
  c.set([s10, s11, s12, s13], (row + 1) * n + column)
  c.set([s20, s21, s22, s23], (row + 2) * n + column)
  c.set([s30, s31, s32, s33], (row + 3) * n + column)
}
