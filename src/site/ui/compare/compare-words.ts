/**
 * A difference in words and figures: one unit a row, its sign said, and no verdict that the intervals do not carry. And a whole comparison
 * in one sentence: what was changed, what that did to the first figure, and whether the spread of the repeats would do as much.
 */
import type { Bounds, Difference, ShownComparison, Unlike } from '../../state/comparison'
import type { Metric } from '../../../trace/report'
import { metricText, pickUnit, withUnit, type MetricText, type Scaled } from '../format'

export interface DifferenceText {
  readonly a: string
  readonly b: string
  readonly rangeA: string
  readonly rangeB: string
  readonly change: string
  readonly changeRange: string
  readonly ratio: string
  readonly verdict: string
}

const NOT_MEASURED = 'not measured'
const MINUS = '\u2212'

const range = (metric: Metric, unit: Scaled): string => {
  const text = metricText(metric, unit)
  return !text || text.low === '' ? '' : `${text.low} to ${text.high}`
}

const figure = (metric: Metric, unit: Scaled): string => {
  const text = metricText(metric, unit)
  return text ? withUnit(text.figure, text.unit) : NOT_MEASURED
}

const signed = (text: string): string => (/[1-9]/.test(text) && !text.startsWith(MINUS) ? `+${text}` : text)

/** Below this share of what was subtracted, a difference is the rounding of clocks kept as floating-point numbers. */
const ROUNDING = 1e-6

function withoutRounding({ value, low, high }: Bounds, most: number): Bounds {
  const snap = <Value extends number | null>(end: Value): Value | 0 =>
    end !== null && Math.abs(end) < ROUNDING * most ? 0 : end
  return { value: snap(value), low: snap(low), high: snap(high) }
}

function asMetric({ a, b }: Difference, { value, low, high }: Bounds): Metric {
  return { ...a, value, low, high, n: Math.min(a.n, b.n), origin: 'derived' }
}

function verdictWords({ verdict, why, unit }: Difference): string {
  const isTime = unit === 'ms' || unit === 'us' || unit === 'ns'
  switch (verdict) {
    case 'more':
      return isTime ? 'longer in B' : 'higher in B'
    case 'less':
      return isTime ? 'shorter in B' : 'lower in B'
    case 'same':
      return 'the same'
    case 'undecided':
      return `not decided: ${why}`
    case 'unknown':
      return `no verdict: ${why}`
  }
}

/** An end that cannot be given (A may be 0) is left open, and said to be. */
function ratioText({ figure: value, unit, low, high }: MetricText): string {
  const text = withUnit(value, unit)
  if (low !== '' && high !== '') return `${text} (${low} to ${high})`
  return low === '' ? text : `${text} (at least ${low})`
}

export function differenceText(difference: Difference): DifferenceText {
  const { a, b, change, ratio, name, unit } = difference
  const most = Math.max(...[a, b].map(({ value, high }) => Math.abs(high ?? value ?? 0)))
  const scaled = pickUnit(unit, most, name)
  // Two shares differ by percentage points; one as so many times the other would say nothing of the whole.
  const isShare = scaled.label === '%'
  const changeUnit = isShare ? { ...scaled, label: 'percentage points' } : scaled
  const changed = change && asMetric(difference, withoutRounding(change, most))
  const changeText = changed && metricText(changed, changeUnit)
  const times =
    ratio && !isShare && metricText({ ...asMetric(difference, ratio), unit: 'ratio', name: 'speedup' })
  return {
    a: figure(a, scaled),
    b: figure(b, scaled),
    rangeA: range(a, scaled),
    rangeB: range(b, scaled),
    change: changeText ? signed(withUnit(changeText.figure, changeText.unit)) : '',
    changeRange:
      !changeText || changeText.low === '' ? '' : `${signed(changeText.low)} to ${signed(changeText.high)}`,
    ratio: times ? ratioText(times) : '',
    verdict: verdictWords(difference),
  }
}

/** More settings than this are counted: the notice below lists them. */
const MOST_NAMED = 3

export interface Compared {
  readonly comparison: Pick<ShownComparison, 'metrics' | 'unlike' | 'figuresOf'>
  readonly variantA: string
  readonly variantB: string
  /** One run, and one variant of it. */
  readonly isSame: boolean
  /** The metric that the experiment leads with. */
  readonly headline: string | undefined
  /** How a metric, or a parameter, is labelled. */
  readonly labelOf: (name: string) => string
}

/** What was set apart: changed by the reader, or to be known before any figure is read. Of two experiments not their parameters too. */
export function setApart(unlike: readonly Unlike[]): readonly Unlike[] {
  const isOther = unlike.some(({ what }) => what === 'experiment')
  return unlike.filter(
    ({ what, weight }) =>
      weight === 'adapter' || (weight === 'settings' && (!isOther || what === 'experiment')),
  )
}

function changeText({ comparison, variantA, variantB, labelOf }: Compared): string {
  const apart = setApart(comparison.unlike)
  const isOther = apart.some(({ what }) => what === 'experiment')
  const settings = apart.filter(({ weight }) => weight === 'settings')
  const adapters = apart.filter(({ weight }) => weight === 'adapter')
  const instead = ({ what, a, b }: Unlike) => `${labelOf(what)} ${b} instead of ${a}`
  // A trace from elsewhere is of no experiment.
  const kinds = settings.find(({ what, a, b }) => what === 'experiment' && (a === '') !== (b === ''))
  if (kinds) {
    const kind = (experiment: string) => (experiment === '' ? 'a trace' : `a run of ${experiment}`)
    return [
      `A is ${kind(kinds.a)}, B is ${kind(kinds.b)}`,
      ...adapters.map((each) => `with ${instead(each)}`),
    ].join(', ')
  }
  const parts = [
    ...(variantA === variantB || isOther ? [] : [`‘${variantB}’ instead of ‘${variantA}’`]),
    ...(settings.length > MOST_NAMED
      ? [`${String(settings.length)} different settings`]
      : settings.map(instead)),
    ...adapters.map(instead),
  ]
  if (parts.length > 0) return `B has ${new Intl.ListFormat('en').format(parts)}`
  return comparison.figuresOf === 'traces' ? 'A and B are two traces' : 'A and B have the same settings'
}

const beyondWords = ({ why }: Difference): string =>
  why === '' ? 'beyond the spread' : `not decided, as ${why}`

function headlineText(difference: Difference, label: string): string {
  const { a, b, change, changeRange, ratio } = differenceText(difference)
  if (change === '') return `${label} is not compared (${difference.why.replace(/\.$/, '')})`
  if (difference.verdict === 'same') return `${label} is ${b} in both`
  const interval = changeRange === '' ? '' : ` (${changeRange})`
  const by = ratio === '' ? `a difference of ${change}${interval}` : `a ratio of ${ratio}`
  return `${label} is ${b} against ${a}, ${by}, ${beyondWords(difference)}`
}

/** The metric that the experiment leads with, or else the first that both have. */
function leading({ comparison, headline }: Compared): Difference | undefined {
  // Of two variants of one run, a figure of the whole run is one and the same.
  const metrics = comparison.metrics.filter(({ a, b }) => a !== b)
  const lead = metrics.find(({ name }) => name === headline)
  return lead?.change ? lead : (metrics.find(({ change }) => change !== null) ?? lead)
}

export function comparisonSentence(compared: Compared): string {
  const { isSame, labelOf } = compared
  if (isSame) return 'A and B are the same run.'
  const difference = leading(compared)
  const result = difference
    ? headlineText(difference, labelOf(difference.name))
    : 'no figure is common to both'
  return `${changeText(compared)}: ${result}.`
}
