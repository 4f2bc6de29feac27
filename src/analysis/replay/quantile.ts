/** The value at a share of the sorted values, not interpolated; `none` where there are none. */
export function quantile(values: readonly number[], share: number, none: number): number {
  if (values.length === 0) return none
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? none
}
