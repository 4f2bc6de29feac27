/** Whether the model says of a figure what was measured, as far as it claims to. */
import type { Metric } from '../trace/report'

/** It may be off by so much, or be within the recording's own interval: of a time relative, of a share in points of 1. */
const OFF_BY = { time: 0.15, share: 0.05 }

export function isNear(
  { unit, value, low, high }: Pick<Metric, 'unit' | 'value' | 'low' | 'high'>,
  modelled: number,
): boolean {
  if (value === null) return false
  if (low !== null && high !== null && modelled >= low && modelled <= high) return true
  return Math.abs(modelled - value) <= (unit === 'ratio' ? OFF_BY.share : OFF_BY.time * value)
}
