/**
 * The ratio of two figures, B over A, with every ratio that their two intervals allow. Intervals of two runs are not made of
 * pairs, so nothing narrower is true. A verdict needs intervals that do not meet.
 */
import type { Metric } from '../trace/report'

/** more, less: B against A, intervals apart. same: both exact and equal. undecided: they overlap. unknown: there is nothing to judge by. */
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

export function differenceOf(a: Metric, b: Metric): Difference {
  if (a.unit !== b.unit) return { ratio: null, verdict: 'unknown', why: 'they are in different units' }
  return { ratio: ratioOf(a, b), ...judge(a, b) }
}
