/**
 * Figures worked out from other figures. The interval of a quotient holds every quotient that the
 * two intervals allow: wider than a spread of quotients would be, and true whether or not the two
 * were disturbed together. Pure.
 */
import type { Metric } from '../trace/report'

/** A value with its interval; a bound that is not known is null. */
export interface Interval {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

const isKnown = (bound: number | null): bound is number => bound !== null && Number.isFinite(bound)

/** Combines two bounds; null if one of them is not known. */
export const both = (
  a: number | null,
  b: number | null,
  combine: (a: number, b: number) => number,
): number | null => (isKnown(a) && isKnown(b) ? combine(a, b) : null)

/**
 * a / b, both taken to be positive; null where b is nothing. Without an upper bound where b may be
 * nothing.
 */
export function divide(a: Interval, b: Interval): Interval | null {
  if (b.value <= 0) return null
  const value = a.value / b.value
  return {
    value,
    low: both(a.low, b.high, (x, y) => Math.min(value, x / y)),
    high: b.low !== null && b.low <= 0 ? null : both(a.high, b.low, (x, y) => Math.max(value, x / y)),
  }
}

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

/** above / below; null with the reason where either was not measured. */
export function quotient(named: Named, above: Metric | undefined, below: Metric | undefined): Metric {
  const divided = isMeasured(above) && isMeasured(below) ? divide(above, below) : null
  if (!divided) {
    const which = isMeasured(above) ? below : above
    return missing(named, which?.note ?? 'one of the two figures it is made of is missing')
  }
  return { ...named, ...divided, n: Math.min(above?.n ?? 0, below?.n ?? 0), origin: 'derived' }
}
const isMeasured = (metric: Metric | undefined): metric is Metric & Interval => metric?.value != null

/**
 * An amount of work over a metric in ms: flops give GFLOP/s, bytes GB/s. The clock stays the
 * metric's own.
 */
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
