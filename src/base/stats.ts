/**
 * Order statistics for repeats of a measurement: medians and the interval that holds the true
 * median, with no assumption on how the samples are distributed. No values, or a NaN among them,
 * give NaN: nothing is dropped in silence.
 */

/** NaN comes last. */
const ascending = (values: ArrayLike<number>): Float64Array => new Float64Array(values).sort()

/**
 * Linear between the two nearest order statistics (Hyndman and Fan's type 7); `fraction` from 0 to
 * 1.
 */
export function quantile(values: ArrayLike<number>, fraction: number): number {
  const sorted = ascending(values)
  if (Number.isNaN(sorted.at(-1) ?? Number.NaN)) return Number.NaN
  const position = Math.min(1, Math.max(0, fraction)) * (sorted.length - 1)
  const below = Math.floor(position)
  const low = sorted[below] ?? Number.NaN
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? Number.NaN
  // Equal neighbours may be infinite: their difference would be NaN.
  return low === high ? low : low + (high - low) * (position - below)
}

/** The value at a share of the sorted values, not interpolated; `none` where there are none. */
export function orderStatistic(values: readonly number[], share: number, none: number): number {
  if (values.length === 0) return none
  const sorted = ascending(values)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? none
}

export const median = (values: ArrayLike<number>): number => quantile(values, 0.5)

interface MedianInterval {
  readonly median: number
  readonly low: number
  readonly high: number
  /**
   * Probability that [low, high] holds the true median, for independent samples. Below 0.9 only
   * where n < 5.
   */
  readonly coverage: number
}

const WANTED_COVERAGE = 0.9

/**
 * The interval of the median by order statistics. Each sample is below the true median with
 * probability 1/2, so the k-th smallest and the k-th largest of n hold it between them with
 * probability 1 − 2·P(Binomial(n, 1/2) ≤ k − 1). The largest k that keeps 90 % is taken: n = 5: k =
 * 1, min to max, 1 − 2/32 = 93.8 %; n = 8: k = 2, 1 − 2·9/256 = 93.0 %; n = 20: k = 6, 95.9 %. n <
 * 5 cannot reach 90 %: min to max, 87.5 % for 4, 75 % for 3, 50 % for 2, 0 for 1 (the value
 * itself).
 */
export function medianInterval(values: readonly number[]): MedianInterval {
  const count = values.length
  const sorted = ascending(values)
  if (Number.isNaN(sorted.at(-1) ?? Number.NaN))
    return { median: Number.NaN, low: Number.NaN, high: Number.NaN, coverage: 0 }
  // P(Binomial(n, 1/2) ≤ k − 1), summed term by term: C(n, i) / 2^n from its logarithm, which does
  // not underflow.
  let rank = 1
  let coverage = 0
  let tail = 0
  let logTerm = -count * Math.LN2
  for (let k = 1; 2 * k <= count + 1; k += 1) {
    tail += Math.exp(logTerm)
    logTerm += Math.log((count - k + 1) / k)
    const covered = Math.max(0, 1 - 2 * tail)
    if (k > 1 && covered < WANTED_COVERAGE) break
    rank = k
    coverage = covered
  }
  return {
    median: median(values),
    low: sorted[rank - 1] ?? Number.NaN,
    high: sorted[count - rank] ?? Number.NaN,
    coverage,
  }
}
