/** Samples over repeats -> one metric with its spread. A number that could not be measured is null with the reason. */
import { medianInterval } from '../base/stats'
import type { Metric, MetricOrigin } from '../trace/report'

export interface Samples {
  readonly name: string
  /** '' where the metric belongs to the whole run. */
  readonly variant?: string
  readonly unit: Metric['unit']
  readonly origin: MetricOrigin
  /** One a repeat, warm-up left out. */
  readonly samples: readonly number[]
  /**
   * The error that the clocks' steps, or a clock fit's bound, may add to the value, in the metric's
   * unit; ± widens the interval.
   */
  readonly systematic?: number | undefined
  /** Limits that the quantity itself cannot pass, such as 0 and 1 for a share: the interval is cut there. */
  readonly range?: readonly [number, number] | undefined
  readonly note?: string | undefined
}

const NOTHING = 'no repeat gave a value'

/**
 * Median, and the interval of the median by order statistics (base/stats: ≥ 90 % from five repeats on, min to max below),
 * widened by the systematic bound. Samples that are not finite do not count; the note says how many.
 */
export function summarise({ variant = '', systematic = 0, range, note, ...given }: Samples): Metric {
  const { name, unit, origin } = given
  const samples = given.samples.filter(Number.isFinite)
  const dropped = given.samples.length - samples.length
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(dropped > 0 ? [`${String(dropped)} of ${String(given.samples.length)} repeats gave no value`] : []),
  ]
  if (samples.length === 0) {
    const why = notes.length > 0 ? notes.join('; ') : NOTHING
    return { name, variant, value: null, unit, low: null, high: null, n: 0, origin, note: why }
  }
  const { median, low, high } = medianInterval(samples)
  const widen = Number.isFinite(systematic) ? Math.abs(systematic) : 0
  if (!Number.isFinite(systematic)) notes.push('the bound of the clock is not known')
  const [least, most] = range ?? [-Infinity, Infinity]
  return {
    name,
    variant,
    value: median,
    unit,
    low: Math.min(median, Math.max(least, low - widen)),
    high: Math.max(median, Math.min(most, high + widen)),
    n: samples.length,
    origin,
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  }
}
