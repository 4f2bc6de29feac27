/**
 * Metrics worked out from other metrics. The interval of a quotient holds every quotient that the two intervals allow: wider than
 * a spread of quotients would be, and true whether or not the two were disturbed together.
 */
import type { Metric } from '../trace/report'

type Named = Pick<Metric, 'name' | 'variant' | 'unit'>

const missing = (named: Named, why: string): Metric => ({
  ...named,
  value: null,
  low: null,
  high: null,
  n: 0,
  origin: 'derived',
  note: why,
})

/** above / below; null with the reason where either was not measured. Both are taken to be positive. */
export function quotient(named: Named, above: Metric | undefined, below: Metric | undefined): Metric {
  if (above?.value == null || below?.value == null || below.value <= 0) {
    const which = above?.value == null ? above : below
    return missing(named, which?.note ?? 'one of the two figures it is made of is missing')
  }
  const value = above.value / below.value
  const low = above.low === null || below.high === null ? null : Math.min(value, above.low / below.high)
  const high =
    above.high === null || below.low === null || below.low <= 0
      ? null
      : Math.max(value, above.high / below.low)
  return { ...named, value, low, high, n: Math.min(above.n, below.n), origin: 'derived' }
}

/** An amount of work over a metric in ms: flops give GFLOP/s, bytes GB/s. The clock stays the metric's own. */
export function rate(named: Named, amount: number, time: Metric): Metric {
  const exact: Metric = { ...time, value: amount, low: amount, high: amount }
  const perMs = quotient(named, exact, time)
  const giga = (value: number | null) => (value === null ? null : value / 1e6)
  return {
    ...perMs,
    value: giga(perMs.value),
    low: giga(perMs.low),
    high: giga(perMs.high),
    n: time.n,
    origin: time.origin,
    ...(time.note === undefined ? {} : { note: time.note }),
  }
}

/** A number that was not timed but follows from sizes: it has no spread. */
export const exactly = (named: Named, value: number, note: string): Metric => ({
  ...named,
  value,
  low: value,
  high: value,
  n: 1,
  origin: 'derived',
  note,
})
