/**
 * Checks a matmul against float64 on sampled entries. A and B are given as functions, so matrices
 * of any size cost nothing here. Errors are measured against scale = Σ|a||b|, what rounding errors
 * are proportional to; relative to the entry itself they have no bound, since the entry may cancel
 * to nothing. Sources: Higham, Accuracy and Stability of Numerical Algorithms, §3.1; Higham and
 * Mary, A New Approach to Probabilistic Rounding Error Analysis (2019).
 */
import { randomWord } from '../pcg'

export type Position = readonly [row: number, column: number]
export type ValueAt = (row: number, column: number) => number

/**
 * Tile edges of our kernels, where a mistake would show: 16 (tiled), 64 (register-blocked) and 128
 * (vectorised).
 */
const TILE_SIZES = [16, 64, 128]

/**
 * Rows (or columns) at both ends and on both sides of tile edges: of the first tile and of the
 * last, which may be cut off.
 */
function edges(size: number): readonly number[] {
  const found = TILE_SIZES.flatMap((tile) => {
    const lastTile = Math.floor((size - 1) / tile) * tile
    return [tile - 1, tile, lastTile - 1, lastTile]
  })
  return [...new Set(found)].filter((at) => at > 0 && at < size - 1).sort((one, other) => one - other)
}

/**
 * min(count, m·n) distinct entries: the four corners, then tile edges (rows' and columns' paired in
 * opposite order, and each once with the far end), then pseudo-random ones. The first 30 or so are
 * the same for every seed.
 */
export function samplePositions(m: number, n: number, count: number, seed: number): readonly Position[] {
  const rows = edges(m)
  const columns = edges(n).toReversed()
  const wanted: Position[] = [
    [0, 0],
    [m - 1, n - 1],
    [0, n - 1],
    [m - 1, 0],
  ]
  for (let i = 0; i < Math.max(rows.length, columns.length); i += 1) {
    wanted.push([rows[i] ?? m - 1, columns[i] ?? n - 1])
    wanted.push([rows[i] ?? 0, n - 1], [m - 1, columns[i] ?? 0])
  }
  const total = m * n
  const size = Math.min(count, total)
  const taken = new Set<number>()
  for (const [row, column] of wanted) if (taken.size < size) taken.add(row * n + column)
  for (let i = 0; taken.size < size; i += 1) {
    // Two words: one has 32 bits, and entries may be more numerous. A taken entry gives way to the
    // next free one.
    let at = (randomWord(2 * i, seed) * 2 ** 21 + (randomWord(2 * i + 1, seed) >>> 11)) % total
    while (taken.has(at)) at = (at + 1) % total
    taken.add(at)
  }
  return [...taken].map((at) => [Math.floor(at / n), at % n] as const)
}

/** Entry (row, column) of A·B in float64, and the scale of its rounding errors. */
export function referenceEntry(
  row: number,
  column: number,
  k: number,
  aAt: ValueAt,
  bAt: ValueAt,
): { readonly value: number; readonly scale: number } {
  let value = 0
  let scale = 0
  for (let i = 0; i < k; i += 1) {
    const product = aAt(row, i) * bAt(i, column)
    value += product
    scale += Math.abs(product)
  }
  return { value, scale }
}

/**
 * Unit roundoff of f32, round to nearest: one operation is off by at most this share of its result.
 */
const UNIT_ROUNDOFF = 2 ** -24
/**
 * A bound λ·√n·u on n roundings of mean zero fails with probability 2n·exp(−λ²/2) at most: 2e-10
 * for λ = 8 and n = 8192.
 */
const LAMBDA = 8

/**
 * How far |got − expected| / scale may rightly be from 0, after `steps` products of length k were
 * added up, where expected and scale are sums over all steps.
 *
 * One product: each of its k terms passes through at most k + 1 roundings (the multiplication, k −
 * 1 additions, alpha), fused or not, in any order of summation. Worst case (k + 1)·u of scale; but
 * roundings go up and down, and the bound λ·√(k + 1)·u of Higham and Mary holds but for one case in
 * 10^9.
 *
 * Adding up: step s rounds a sum of at most s products, so by at most u·s·scale₁; over N steps
 * u·N(N + 1)/2·scale₁, which is u·(N + 1)/2 of N·scale₁. Worst case here, not √N: the same product
 * added again and again is rounded the same way again and again.
 *
 * It grows as √k and N/2 and stays far below a missing step, which changes an entry by about √k/3
 * where scale is N·k/4 (operands uniform in [-1, 1)): for k = 1024 and N = 100, 10.7 against at
 * most 0.47.
 */
export const tolerance = (k: number, steps: number): number =>
  UNIT_ROUNDOFF * (LAMBDA * Math.sqrt(k + 1) + (steps + 1) / 2)

export type Comparison = ReturnType<typeof compareSamples>

/**
 * Entry by entry; `scale` is what `allowed` is relative to. Where scale is 0, the result must be
 * exact.
 */
export function compareSamples(
  expected: readonly ReturnType<typeof referenceEntry>[],
  got: ArrayLike<number>,
  allowed: number,
) {
  const checked = expected.length
  if (got.length !== checked)
    throw new Error(`Compared ${String(got.length)} values with ${String(checked)} expected.`)
  let failed = 0
  /** Largest |got − expected| / scale; Infinity where an entry is not a number. */
  let maxRelativeError = 0
  for (const [index, { value, scale }] of expected.entries()) {
    const error = Math.abs((got[index] ?? Number.NaN) - value)
    const relative = error === 0 ? 0 : error / scale
    const counted = Number.isNaN(relative) ? Number.POSITIVE_INFINITY : relative
    if (counted > allowed) failed += 1
    maxRelativeError = Math.max(maxRelativeError, counted)
  }
  return { checked, failed, maxRelativeError, tolerance: allowed }
}
