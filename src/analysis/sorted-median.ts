/**
 * The median of values in order, of columns of 10^5: base/stats.ts takes any list, and with it as long as the rest of an analysis. NaN of none.
 */
export function sortedMedian(sorted: Float64Array): number {
  const above = sorted[sorted.length >> 1] ?? Number.NaN
  return sorted.length % 2 === 1 ? above : ((sorted[(sorted.length >> 1) - 1] ?? Number.NaN) + above) / 2
}
