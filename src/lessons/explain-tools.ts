/**
 * How an explanation speaks of a run: it quotes a metric only where there is one, compares two only by their intervals, and says
 * first what kind of machine the figures are from. Every function is total: a metric that is missing yields no sentence, never a gap
 * in one.
 */
import type { Metric } from '../trace/report'
import type { Prose, Quote } from './lesson'

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

const twoDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
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

/** 9.13 -> '9.1 times'. Two digits: a ratio of two medians deserves no more. */
export const inTimes = (ratio: number): string => `${twoDigits.format(ratio)} times`

/**
 * A metric that is a factor, with its interval: '1.05 times (1.03 to 1.08)'. Shares read well as per cent, factors do not, so this does
 * not go through `quote.metric`.
 */
export function factorInWords(quote: Quote, key: MetricKey): string | null {
  const value = measured(quote, key)
  if (value === null) return null
  const { low = null, high = null } = quote.get(...key) ?? {}
  const known = low !== null && high !== null && Number.isFinite(low) && Number.isFinite(high)
  const interval = known ? ` (${threeDigits.format(low)} to ${threeDigits.format(high)})` : ''
  return `${threeDigits.format(value)} times${interval}`
}

/** A busy share as people picture it: 0.09 -> 'idle 10 of every 11 milliseconds', 0.8 -> 'idle 1 of every 5 milliseconds'. */
export function idleInWords(busy: number): string {
  if (!(busy > 0)) return 'idle all the time'
  if (busy >= 0.98) return 'hardly ever idle'
  // The smallest numbers that are within 5 % of the rarer of the two states.
  const tolerance = 0.05 * Math.min(busy, 1 - busy)
  for (let every = 2; every <= 100; every += 1) {
    const idle = Math.min(every - 1, Math.max(1, Math.round((1 - busy) * every)))
    if (Math.abs(idle / every - (1 - busy)) <= tolerance) {
      return `idle ${String(idle)} of every ${String(every)} milliseconds`
    }
  }
  return 'idle nearly all the time'
}

/** What to know of the run before any figure of it is read. */
export function whereFrom(quote: Quote): Prose {
  const { report, origin = 'live' } = quote
  const { environment, validity, verification } = report
  return paragraphs(
    origin === 'live'
      ? null
      : `These figures are from a run recorded on ${environment.adapterName}. They are not your machine's.`,
    verification.failed > 0
      ? `**Some results were wrong**: ${String(verification.failed)} of ${String(verification.checked)} sampled values differ from the reference. A fast wrong answer proves nothing, so take no figure of this run as true.`
      : null,
    validity.valid
      ? null
      : `**This run does not count.** ${validity.reasons.join(' ')} Run it again; until then nothing is concluded from it.`,
  )
}

/** Only valid, verified runs are explained. */
export const isSound = ({ report }: Quote): boolean =>
  report.validity.valid && report.verification.failed === 0

const fiveDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 })
const plain = (value: number): string => fiveDigits.format(value)

const COARSE_DEVICE_STEP_NS = 1000 // finer steps do not show beside passes of 0.1 ms and more
const COARSE_HOST_STEP_US = 50 // between an isolated page's 5 µs and an ordinary one's 100 µs
const SLOW_COMPLETION_MS = 20 // some browsers look for finished work on a timer of 100 ms

/** Why the figures are as they are on this machine: software adapter, clocks, how late it hears of an end. */
export function aboutThisMachine(quote: Quote): Prose {
  const { environment, clock } = quote.report
  const deviceStepNs = environment.deviceClockStepNs
  return paragraphs(
    environment.isSoftware
      ? `**The device here is software.** ${environment.adapterName} carries out WebGPU on the processor, so [[host:host]] and [[device:device]] share the same ${String(environment.hardwareConcurrency)} logical cores. The order of events and the mechanisms are real. How long things take, and how much one hides behind the other, says nothing about a GPU.`
      : null,
    clock.state === 'no-timestamps'
      ? 'This browser gave no device timestamps. What the device did is unseen; every figure here is what the host could see from outside.'
      : null,
    clock.state === 'infeasible'
      ? "The two clocks could not be fitted to each other: some pieces of evidence contradict. Durations on the device still hold, but where they lie on the host's axis is unknown."
      : null,
    clock.state === 'fitted' && deviceStepNs !== null && deviceStepNs >= COARSE_DEVICE_STEP_NS
      ? `Device timestamps come in steps of ${plain(deviceStepNs / 1000)} µs here: the browser coarsens them for everyone's privacy. One short pass may be off by a whole step; the intervals allow for it.`
      : null,
    environment.hostClockStepUs >= COARSE_HOST_STEP_US
      ? `The host's clock moves in steps of ${plain(environment.hostClockStepUs)} µs here, because this page is not cross-origin isolated. A call that takes less than a step cannot be timed singly.`
      : null,
    (environment.completionLatencyMs ?? 0) >= SLOW_COMPLETION_MS
      ? `This browser says that work is done about ${plain(environment.completionLatencyMs ?? 0)} ms after it was. Some look on a slow timer. Whatever waits for the device pays that each time.`
      : null,
  )
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
