/**
 * Samples over repeats -> one metric with its spread, and two metrics -> their ratio. A number that
 * could not be measured is null with the reason.
 */
import { medianInterval } from '../base/stats'
import type { Metric, MetricOrigin } from '../trace/report'

interface Samples {
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
  /**
   * Limits that the quantity itself cannot pass, such as 0 and 1 for a share: the interval is cut
   * there.
   */
  readonly range?: readonly [number, number] | undefined
  readonly note?: string | undefined
}

const NOTHING = 'no repeat gave a value'

/**
 * Median, and the interval of the median by order statistics (base/stats: ≥ 90 % from five repeats
 * on, min to max below), widened by the systematic bound. Samples that are not finite do not count;
 * the note says how many.
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

/**
 * more, less: B against A, intervals apart. same: both exact and equal. undecided: they overlap.
 * unknown: there is nothing to judge by.
 */
type DifferenceVerdict = 'more' | 'less' | 'same' | 'undecided' | 'unknown'

interface Bounds {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

interface Difference {
  /** B over A; null where it has no meaning (a figure that is missing, zero or negative). */
  readonly ratio: Bounds | null
  readonly verdict: DifferenceVerdict
  /** Why there is no verdict; '' where there is one. */
  readonly why: string
}

/** Fewer repeats than this have no spread to speak of. */
const FEWEST_REPEATS = 3

const hasInterval = (metric: Metric): boolean => metric.low !== null && metric.high !== null

/** A size or a count that follows from the settings: no repeat could change it. */
const isExact = ({ value, low, high, origin }: Metric): boolean =>
  origin === 'derived' && value !== null && low === value && high === value

function ratioOf(a: Metric, b: Metric): Bounds | null {
  if (a.value === null || b.value === null || a.value <= 0 || b.value < 0) return null
  const low = b.low !== null && a.high !== null && b.low >= 0 ? b.low / a.high : null
  const high = b.high !== null && a.low !== null && a.low > 0 ? b.high / a.low : null
  return { value: b.value / a.value, low, high }
}

function judge(a: Metric, b: Metric): Pick<Difference, 'verdict' | 'why'> {
  const unknown = (why: string) => ({ verdict: 'unknown' as const, why })
  for (const [which, { value, note }] of [
    ['A', a],
    ['B', b],
  ] as const)
    if (value === null) return unknown(`not measured in ${which}${note === undefined ? '' : `: ${note}`}`)
  if (!hasInterval(a) || !hasInterval(b)) return unknown('one of the two has no interval')
  const few = [a, b].find((metric) => metric.n < FEWEST_REPEATS && !isExact(metric))
  if (few) return unknown(`${String(few.n)} counted ${few.n === 1 ? 'repeat is' : 'repeats are'} too few`)
  const [aLow, aHigh, bLow, bHigh] = [a.low ?? 0, a.high ?? 0, b.low ?? 0, b.high ?? 0] // hasInterval
  if (bLow > aHigh) return { verdict: 'more', why: '' }
  if (bHigh < aLow) return { verdict: 'less', why: '' }
  if (isExact(a) && isExact(b)) return { verdict: 'same', why: '' }
  return { verdict: 'undecided', why: 'the intervals overlap' }
}

/**
 * The ratio of two figures, B over A, with every ratio that their two intervals allow. Intervals of
 * two runs are not made of pairs, so nothing narrower is true. A verdict needs intervals that do
 * not meet.
 */
export function differenceOf(a: Metric, b: Metric): Difference {
  if (a.unit !== b.unit) return { ratio: null, verdict: 'unknown', why: 'they are in different units' }
  return { ratio: ratioOf(a, b), ...judge(a, b) }
}
