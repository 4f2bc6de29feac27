/**
 * `lab analyze FILE --before EARLIER`: what differs between the two files, and what that did to
 * the first figure that both have, in one sentence.
 */
import { differenceOf, type Bounds, type Difference } from '../src/analysis/difference'
import { summariseDevices } from '../src/analysis/devices'
import { metricText, pickUnit, withUnit, type MetricText, type Scaled } from '../src/site/ui/format'
import { MINUS } from '../src/base/figures'
import { adapterNameOf } from '../src/trace/adapter-name'
import { placeTrace, type PlacedTrace } from '../src/trace/place'
import type { Metric, Report } from '../src/trace/report'
import { REPEAT_NONE, spanKindIndex, type RunInfo } from '../src/trace/schema'
import { readOne, type ReadFile } from './lab-analyze'

interface Side {
  readonly placed: PlacedTrace
  readonly report: Report | null
  /** Variants with a counted repeat, in the order of their first one; none in a profile. */
  readonly variants: readonly string[]
}

const WINDOW = spanKindIndex('window')

function sideOf({ opened: { trace, report } }: ReadFile): Side {
  const { spans, strings } = trace
  const found = new Set<number>()
  for (let span = 0; span < spans.length; span += 1)
    if ((spans.repeat[span] ?? REPEAT_NONE) >= 0 && spans.kind[span] === WINDOW)
      found.add(spans.variant[span] ?? -1)
  return {
    placed: placeTrace(trace),
    report,
    variants: [...found].flatMap((index) => strings[index] ?? []),
  }
}

/** The figure of a profile, named as experiments name it. */
const DEVICE_BUSY = 'device-busy-ratio'

/** How busy a profile's device was; null for none that worked, and for several. */
function busyOf({ placed }: Side): Metric | null {
  const ratios = summariseDevices(placed).flatMap(({ busyRatio }) => busyRatio ?? [])
  const [value] = ratios
  if (value === undefined || ratios.length > 1) return null
  const figure = { name: DEVICE_BUSY, variant: '', unit: 'ratio', origin: 'derived' } as const
  return { ...figure, value, low: null, high: null, n: 1 }
}

/** The first figure of the variant, or else of the whole run, that was measured in both. */
function firstDifference(a: Side, b: Side, variantA: string, variantB: string): Difference | undefined {
  if (!a.report && !b.report) {
    const [one, other] = [busyOf(a), busyOf(b)]
    const why = 'each was recorded once, which has no spread'
    return one && other ? { ...differenceOf(one, other), why } : undefined
  }
  const pairs = (own: string, counterpart: string) =>
    (a.report?.metrics ?? [])
      .filter(({ variant }) => variant === own)
      .flatMap((metric) => {
        const match = b.report?.metrics.find(
          ({ name, variant }) => name === metric.name && variant === counterpart,
        )
        return match ? [differenceOf(metric, match)] : []
      })
  return [...pairs(variantA, variantB), ...pairs('', '')].find(({ change }) => change !== null)
}

/** A setting, or the adapter, that the two files do not have in common. */
interface Unlike {
  readonly what: string
  readonly a: string
  readonly b: string
}

/** More settings than this are counted. */
const MOST_NAMED = 3

const instead = ({ what, a, b }: Unlike) => `${what} ${b} instead of ${a}`
type Setting = RunInfo['params'][string] | undefined
const unlike = (what: string, ...values: readonly [Setting, Setting]): readonly Unlike[] => {
  const [a = '', b = ''] = values.map((value = 'not set') => String(value))
  return a === b ? [] : [{ what, a, b }]
}

const adapterName = ({ placed, report }: Side): string =>
  report?.environment.adapterName ?? (adapterNameOf(placed.trace.info) || 'not known')

function changeText(a: Side, b: Side, variantA: string, variantB: string): string {
  const [one, other] = [a.placed.trace.info, b.placed.trace.info]
  const adapters = unlike('adapter', adapterName(a), adapterName(b))
  if (one.experiment !== other.experiment && (one.experiment === '' || other.experiment === '')) {
    const kind = (experiment: string) => (experiment === '' ? 'a trace' : `a run of ${experiment}`)
    const said = `A is ${kind(one.experiment)}, B is ${kind(other.experiment)}`
    return [said, ...adapters.map((each) => `with ${instead(each)}`)].join(', ')
  }
  // Parameters of two experiments say nothing to each other.
  const isOther = one.experiment !== other.experiment
  const names = [...new Set([...Object.keys(one.params), ...Object.keys(other.params)])]
  const settings = isOther
    ? unlike('experiment', one.experiment, other.experiment)
    : names.flatMap((name) => unlike(name, one.params[name], other.params[name]))
  const parts = [
    ...(variantA === variantB || isOther ? [] : [`‘${variantB}’ instead of ‘${variantA}’`]),
    ...(settings.length > MOST_NAMED
      ? [`${String(settings.length)} different settings`]
      : settings.map(instead)),
    ...adapters.map(instead),
  ]
  if (parts.length > 0) return `B has ${new Intl.ListFormat('en').format(parts)}`
  return a.report || b.report ? 'A and B have the same settings' : 'A and B are two traces'
}

const TIMES: Scaled = { label: '×', scale: 1 }
const signed = (text: string): string => (/[1-9]/.test(text) && !text.startsWith(MINUS) ? `+${text}` : text)

/** An end that cannot be given (A may be 0) is left open, and said to be. */
function ratioText({ figure, unit, low, high }: MetricText): string {
  const text = withUnit(figure, unit)
  if (low !== '' && high !== '') return `${text} (${low} to ${high})`
  return low === '' ? text : `${text} (at least ${low})`
}

function resultText(difference: Difference | undefined): string {
  if (!difference) return 'no figure is common to both'
  const { a, b, change, ratio, name, unit, verdict, why } = difference
  const most = Math.max(...[a, b].map(({ value, high }) => Math.abs(high ?? value ?? 0)))
  const scaled = pickUnit(unit, most, name)
  const said = ({ value, low, high }: Bounds, as: Scaled, of: Partial<Metric> = {}) =>
    metricText({ ...a, ...of, value, low, high }, as)
  const [before, now] = [metricText(a, scaled), metricText(b, scaled)].map((text) =>
    text ? withUnit(text.figure, text.unit) : '',
  )
  const label = name === DEVICE_BUSY ? 'Device busy' : name
  if (verdict === 'same') return `${label} is ${now} in both`
  // Two shares differ by percentage points; their ratio would say nothing of the whole.
  const isShare = scaled.label === '%'
  const times = ratio && !isShare && said(ratio, TIMES, { unit: 'ratio', name: 'speedup' })
  const by = change && said(change, isShare ? { ...scaled, label: 'percentage points' } : scaled)
  const interval = !by || by.low === '' ? '' : ` (${signed(by.low)} to ${signed(by.high)})`
  const far = times
    ? `a ratio of ${ratioText(times)}`
    : `a difference of ${by ? signed(withUnit(by.figure, by.unit)) : ''}${interval}`
  const trust = why === '' ? 'beyond the spread' : `not decided, as ${why}`
  return `${label} is ${now} against ${before}, ${far}, ${trust}`
}

/** @throws CommandError where the earlier one cannot be read */
export async function beforeText(earlier: string, now: ReadFile): Promise<string> {
  const [a, b] = [sideOf(await readOne(earlier)), sideOf(now)]
  const [variantA = ''] = a.variants
  const variantB = b.variants.includes(variantA) ? variantA : (b.variants[0] ?? '')
  const difference = firstDifference(a, b, variantA, variantB)
  const sentence = `${changeText(a, b, variantA, variantB)}: ${resultText(difference)}`
  return `A is ${earlier}, B is ${now.analysis.file}. ${sentence}.`
}
