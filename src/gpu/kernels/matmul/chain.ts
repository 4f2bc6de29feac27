/**
 * A chain of layers, each y = alpha · x · W with the same W, in float64 and row by row: a row of
 * the result needs one row of x and all of W, n² multiply-adds a layer. The sum of all rows goes
 * through the chain as a row does, so the mean of a whole result is known too. Pure.
 */
import { samplePositions, tolerance } from './reference'

/**
 * The factor that keeps entries at the size they have: with W uniform in [-1, 1) a sum of n
 * products is √(n/3) times as large.
 */
export const layerScale = (n: number): number => Math.sqrt(3 / n)

/**
 * A row of numbers times a matrix of n columns. Four rows of it at a time: each sum is read and
 * written once for them.
 */
export function timesMatrix(
  vector: Float32Array | Float64Array,
  matrix: Float32Array,
  n: number,
): Float64Array {
  const sums = new Float64Array(n)
  for (let row = 0; row < vector.length; row += 4) {
    const [a, b, c, d] = [vector[row] ?? 0, vector[row + 1] ?? 0, vector[row + 2] ?? 0, vector[row + 3] ?? 0]
    for (let column = 0, at = row * n; column < n; column += 1, at += 1)
      sums[column] =
        (sums[column] ?? 0) +
        a * (matrix[at] ?? 0) +
        b * (matrix[at + n] ?? 0) +
        c * (matrix[at + 2 * n] ?? 0) +
        d * (matrix[at + 3 * n] ?? 0)
  }
  return sums
}

const through = (vector: Float32Array | Float64Array, weights: Float32Array): Float64Array => {
  const n = vector.length
  return timesMatrix(vector, weights, n).map((sum) => layerScale(n) * sum)
}

function sumOfRows(x: Float32Array, n: number): Float64Array {
  const sums = new Float64Array(n)
  for (let index = 0, column = 0; index < x.length; index += 1, column = column + 1 < n ? column + 1 : 0)
    sums[column] = (sums[column] ?? 0) + (x[index] ?? 0)
  return sums
}

const rootMeanSquare = (values: Float64Array): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length)

/** A number and how far the device's may be off. */
export interface Expected {
  readonly value: number
  readonly allowed: number
}

export interface ExpectedChain {
  /** Entries of the last layer's result that are looked at, by their index in it. */
  readonly entries: readonly (Expected & { readonly index: number })[]
  /** Means of each layer's result. */
  readonly means: readonly Expected[]
}

/**
 * In a layer, a sum of n random products is rounded n times on its way, and comes out wrong by some
 * √n roundings of its own size (tolerance() of reference.ts, taken relative to the root mean square
 * of the entries). W passes an error on at the size it has, as it does the entries; so errors add
 * up over the layers, at worst. For n = 2048 and 8 layers that is 2e-4 of an entry. Where a layer
 * is left out or done twice nearly every entry is another one, wrong by as much as it is.
 *
 * In the mean of rows · n entries, errors cancel as the entries themselves do, whose mean is about
 * 1/√(rows · n) of their size. Eight times as much is allowed, since errors that share a row are
 * not wholly independent.
 *
 * @param x rows × n; @param weights n × n
 */
export function expectedChain(
  x: Float32Array,
  weights: Float32Array,
  { n, layers, samples }: { readonly n: number; readonly layers: number; readonly samples: number },
): ExpectedChain {
  const rows = x.length / n
  const rowsLookedAt = [...new Set([0, rows - 1])]
  let vectors: readonly (Float32Array | Float64Array)[] = [
    sumOfRows(x, n),
    ...rowsLookedAt.map((row) => x.subarray(row * n, (row + 1) * n)),
  ]
  const means: Expected[] = []
  let entries: ExpectedChain['entries'] = []
  for (let layer = 1; layer <= layers; layer += 1) {
    const [sums = new Float64Array(n), ...ends] = vectors.map((vector) => through(vector, weights))
    const allowed = layer * tolerance(n, 1) * rootMeanSquare(ends[0] ?? sums)
    const value = sums.reduce((sum, each) => sum + each, 0) / (rows * n)
    means.push({ value, allowed: (8 * allowed) / Math.sqrt(rows * n) })
    entries =
      layer < layers
        ? []
        : samplePositions(rowsLookedAt.length, n, samples, layers).map(([end, column]) => ({
            index: (rowsLookedAt[end] ?? 0) * n + column,
            value: ends[end]?.[column] ?? Number.NaN,
            allowed,
          }))
    vectors = [sums, ...ends]
  }
  return { entries, means }
}
