/**
 * How an explanation speaks of a run: it quotes a metric only where there is one, compares two only by their intervals, and says
 * first what kind of machine the figures are from. Every function is total: a metric that is missing yields no sentence, never a gap
 * in one.
 */
import type { Metric } from '../trace/report'
import { aboutThisMachine, isSound, whereFrom } from '../experiments/declare/machine'
import { factorInWords as factor } from '../experiments/declare/wording'
import type { Prose, Quote } from './lesson'

export { idleInWords, inTimes } from '../experiments/declare/wording'
export { aboutThisMachine, isSound, whereFrom }

export type MetricKey = readonly [name: string, variant: string]
type Paragraph = string | null

/** Paragraphs in order; null ones are left out. */
export const paragraphs = (...parts: readonly Paragraph[]): Prose => parts.filter((part) => part !== null)

/** Sentences of one paragraph; null where all of them are. */
export function sentences(...parts: readonly Paragraph[]): Paragraph {
  const said = parts.filter((part) => part !== null)
  return said.length > 0 ? said.join(' ') : null
}

/** The metric's value where it was measured, else null. */
export function measured(quote: Quote, [name, variant]: MetricKey): number | null {
  const value = quote.get(name, variant)?.value ?? null
  return value !== null && Number.isFinite(value) ? value : null
}

/** A text over quoted metrics, if every one of them was measured; else `otherwise`. */
export function whenMeasured(
  quote: Quote,
  keys: readonly MetricKey[],
  text: (...quoted: string[]) => string,
  otherwise: Paragraph = null,
): Paragraph {
  if (keys.some((key) => measured(quote, key) === null)) return otherwise
  return text(...keys.map(([name, variant]) => quote.metric(name, variant)))
}

export type Comparison = 'above' | 'below' | 'overlap' | 'unmeasured'

/** Is `left` above or below `right`? Only where their intervals are apart; a comparison of medians alone is no claim. */
export function compare(quote: Quote, left: MetricKey, right: MetricKey): Comparison {
  const [a, b] = [quote.get(...left), quote.get(...right)]
  if (a === undefined || b === undefined) return 'unmeasured'
  const [aLow, aHigh, bLow, bHigh] = [a.low, a.high, b.low, b.high]
  if (aLow === null || aHigh === null || bLow === null || bHigh === null) return 'unmeasured'
  if (measured(quote, left) === null || measured(quote, right) === null) return 'unmeasured'
  if (aLow > bHigh) return 'above'
  if (aHigh < bLow) return 'below'
  return 'overlap'
}

const unitInMs: Partial<Record<Metric['unit'], number>> = { ms: 1, us: 1e-3, ns: 1e-6 }

/** Ratio of two durations whatever their units, or null. */
export function durationRatio(quote: Quote, left: MetricKey, right: MetricKey): number | null {
  const inMs = (key: MetricKey): number | null => {
    const value = measured(quote, key)
    const unit = unitInMs[quote.get(...key)?.unit ?? 'count']
    return value === null || unit === undefined ? null : value * unit
  }
  const [a, b] = [inMs(left), inMs(right)]
  return a === null || b === null || b <= 0 ? null : a / b
}

/** The smallest ratio that both intervals allow: for a divisor as coarse as a clock's step, the median's ratio would say too much. */
export function leastRatio(quote: Quote, left: MetricKey, right: MetricKey): number | null {
  const [a, b] = [quote.get(...left), quote.get(...right)]
  const [aUnit, bUnit] = [unitInMs[a?.unit ?? 'count'], unitInMs[b?.unit ?? 'count']]
  if (aUnit === undefined || bUnit === undefined || a?.low == null || b?.high == null || b.high <= 0)
    return null
  if (measured(quote, left) === null || measured(quote, right) === null) return null
  const ratio = (a.low * aUnit) / (b.high * bUnit)
  return Number.isFinite(ratio) ? ratio : null
}

/** A metric that is a factor, with its interval; null where it was not measured. */
export function factorInWords(quote: Quote, key: MetricKey): string | null {
  const value = measured(quote, key)
  const { low = null, high = null } = quote.get(...key) ?? {}
  return value === null ? null : factor({ value, low, high })
}

/** The variants that have this metric, in the order of the report. */
export const variantsWith = ({ report }: Quote, name: string): readonly string[] =>
  report.metrics
    .filter((metric) => metric.name === name && metric.value !== null)
    .map(({ variant }) => variant)

/** A whole explanation: where the figures are from, what they show, what kind of machine it was. */
export function explanation(quote: Quote, shown: (quote: Quote) => Prose): Prose {
  if (!isSound(quote)) return [...whereFrom(quote), ...aboutThisMachine(quote)]
  const body = shown(quote)
  return [
    ...whereFrom(quote),
    ...(body.length > 0 ? body : [quote.report.verdict.text]),
    ...aboutThisMachine(quote),
  ]
}
