/**
 * Time of a transfer over its size as a line: t = α + s / B. α is what each transfer costs,
 * whatever it carries, and B the rate of bytes alone (Hockney, "The communication challenge for
 * MPP: Intel Paragon and Meiko CS-2", Parallel Computing 20, 1994, where α is t₀ and B is r∞; the
 * size at which half of the time is α, there n½, is α · B). Pure.
 */

/**
 * A line of two parameters is put to a test by what is beyond two sizes; leaving one out must leave
 * three.
 */
export const LEAST_SIZES = 4

export interface Point {
  readonly bytes: number
  readonly ns: number
}
export interface Line {
  readonly alphaNs: number
  /** 1 / B. */
  readonly nsPerByte: number
}

const timeOn = ({ alphaNs, nsPerByte }: Line, bytes: number): number => alphaNs + nsPerByte * bytes

/**
 * The line for which the sum of squared relative errors, ((α + s / B − t) / t)², is least: each
 * size weighs the same, from 4 KiB to the largest, whose errors in ms would be all that counts
 * otherwise. Null for points of fewer than two sizes, and where one has no time.
 */
export function fitLine(points: readonly Point[]): Line | null {
  let [w, wx, wxx, wy, wxy] = [0, 0, 0, 0, 0]
  for (const { bytes, ns } of points) {
    if (!(ns > 0)) return null
    const weight = 1 / (ns * ns)
    w += weight
    wx += weight * bytes
    wxx += weight * bytes * bytes
    wy += weight * ns
    wxy += weight * bytes * ns
  }
  const determinant = w * wxx - wx * wx
  if (new Set(points.map(({ bytes }) => bytes)).size < 2 || !(determinant > 0)) return null
  return { alphaNs: (wxx * wy - wx * wxy) / determinant, nsPerByte: (w * wxy - wx * wy) / determinant }
}

/** The largest distance of a point from the line, as a share of that point's time. */
export const worstError = (line: Line, points: readonly Point[]): number =>
  Math.max(...points.map(({ bytes, ns }) => Math.abs(timeOn(line, bytes) / ns - 1)))

/** The lines through all points but one. */
export const withoutEach = (points: readonly Point[]): readonly Line[] =>
  points.flatMap((_, left) => fitLine(points.toSpliced(left, 1)) ?? [])
