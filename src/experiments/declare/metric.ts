/**
 * A metric, declared once: what it is called, which variants have it, and how it is read off the
 * evidence. Its unit follows from its name, and is checked against what the sampler yields. Pure.
 */
import { madeOnce } from '../../base/lists'
import { summarise } from '../../analysis/metrics'
import type { Metric, MetricOrigin } from '../../trace/report'
import { unitOfName, type Unit } from '../../text/figure'
import { variantsOf, VariantSpans, windowsOf } from '../evidence'
import type { MetricMeta } from '../experiment'
import type { Evidence, Window } from '../run-types'

/** Names a metric, and its variant. */
export type Named = Pick<Metric, 'name' | 'variant' | 'unit'>

/** One variant of a run, as a sampler sees it. */
export interface View<Values> {
  readonly evidence: Evidence
  readonly values: Values
  readonly variant: string
  readonly spans: VariantSpans
  /** The variant's windows, in the order measured. */
  readonly windows: readonly Window[]
  /** The window of another variant in the same repeat: the two were measured next to each other. */
  readonly windowOf: (variant: string, repeat: number) => Window | undefined
  /**
   * Another declared metric; worked out when it is asked for. Throws where a metric depends on
   * itself.
   */
  readonly get: (name: string, variant?: string) => Metric | undefined
}

interface SamplerBase<Values> {
  readonly quantity: 'time' | 'ratio' | 'count' | 'rate'
  /** Limits that the quantity cannot pass; its interval is cut there. */
  readonly range?: readonly [number, number]
  readonly isFactor?: boolean
  /**
   * Adds what is known of the metric besides: a bound of its own, or what its figure stands for.
   */
  readonly amend?: (metric: Metric, view: View<Values>) => Partial<Metric>
}
/**
 * One sample for each repeat. Times are in ns, rates in bytes (or flops) per ns; ratios and counts
 * as they are.
 */
export interface RepeatSampler<Values> extends SamplerBase<Values> {
  /** Left out, it is the host's clock. */
  readonly origin?: MetricOrigin
  /**
   * Null: this repeat has no sample. NaN: it should have one; it is counted in the metric's note.
   */
  readonly sample: (view: View<Values>, window: Window) => number | null
  /** The clocks' steps may have moved the median by so much, in the sample's unit. */
  readonly systematic?: (view: View<Values>) => number
  /** Says why no repeat has a sample. */
  readonly missing?: (view: View<Values>) => string
}

/** Derives a whole metric from other metrics or from sizes. */
export interface DerivedSampler<Values> extends SamplerBase<Values> {
  readonly derive: (view: View<Values>, named: Named) => Metric
}
type Sampler<Values> = RepeatSampler<Values> | DerivedSampler<Values>

/** Facts of a metric that do not follow from its name and its sampler. */
interface MetricOptions<Values> {
  readonly unit?: Unit
  readonly isFactor?: boolean
  /** The measured variants that have it; all if left out. */
  readonly variants?: (variant: string, values: Values) => boolean
  /** Instead of measured variants, these; '' stands for the whole run. */
  readonly at?: readonly string[] | ((measured: readonly string[], values: Values) => readonly string[])
  /** A reader must know this to read a value; nothing is added if there is none. */
  readonly note?: string
}
/** Metrics by name, in the order of a table: `'step-ms': ['Time of a step', windowOver(steps)]`. */
export type WrittenMetrics<Values> = Readonly<
  Record<string, readonly [label: string, sample: Sampler<Values>, more?: MetricOptions<Values>]>
>
export interface MetricDeclaration<Values> extends MetricMeta, MetricOptions<Values> {
  readonly unit: Unit
  readonly sample: Sampler<Values>
}

/** Declares a metric for the variants of these names alone. */
export const only = (...names: readonly string[]) => ({
  variants: (variant: string): boolean => names.includes(variant),
})

export const SHARE = [0, 1] as const
export const NOT_NEGATIVE = [0, Infinity] as const

const TIME_NS: Partial<Record<Unit, number>> = { ms: 1e6, us: 1e3, ns: 1 }
const UNITS: Readonly<Record<Sampler<unknown>['quantity'], readonly Unit[]>> = {
  time: ['ms', 'us', 'ns'],
  ratio: ['ratio', 'flop/byte'],
  count: ['count', 'bytes'],
  rate: ['GB/s', 'GFLOP/s'],
}

/** The end of its name says the unit; a ratio and a count need not say so. */
const unitOf = (name: string, quantity: Sampler<unknown>['quantity'] = 'ratio'): Unit | undefined =>
  unitOfName(name) ?? (quantity === 'ratio' || quantity === 'count' ? quantity : undefined)

/**
 * Adds to each metric what follows from its name and its sampler. Throws if its unit is none of its
 * sampler's quantity.
 */
export const declareMetrics = <Values>(
  written: WrittenMetrics<Values>,
): readonly MetricDeclaration<Values>[] =>
  Object.entries(written).map(([name, [label, sample, more]]) => {
    const { quantity } = sample
    const unit = more?.unit ?? unitOf(name, quantity)
    if (!unit) throw new Error(`The name of metric '${name}' ends in no unit of a ${quantity}.`)
    if (!UNITS[quantity].includes(unit))
      throw new Error(`Metric '${name}' is declared in ${unit}; its sampler yields a ${quantity}.`)
    const isFactor = sample.isFactor ?? name.endsWith('-factor')
    return { name, label, unit, ...(isFactor ? { isFactor } : {}), ...more, sample }
  })

function measureOne<Values>(declared: MetricDeclaration<Values>, view: View<Values>): Metric {
  const metric = sampled(declared, view)
  return { ...metric, ...declared.sample.amend?.(metric, view) }
}

function sampled<Values>(declared: MetricDeclaration<Values>, view: View<Values>): Metric {
  const { name, unit, sample, note } = declared
  const named = { name, variant: view.variant, unit }
  if ('sample' in sample) return ofRepeats(sample, view, named, note)
  const metric = sample.derive(view, named)
  return metric.value === null || note === undefined ? metric : { ...metric, note }
}

/** The samples of a variant's repeats as one metric. `note` is for a metric that has some. */
export function ofRepeats<Values>(
  sampler: RepeatSampler<Values>,
  view: View<Values>,
  named: Named,
  note?: string,
): Metric {
  const scale = TIME_NS[named.unit] ?? 1
  const samples = view.windows
    .map((window) => sampler.sample(view, window))
    .filter((value) => value !== null)
    .map((value) => value / scale)
  const why = samples.length === 0 ? sampler.missing?.(view) : note
  return summarise({
    ...named,
    origin: sampler.origin ?? 'host-clock',
    samples,
    range: sampler.range,
    systematic: (sampler.systematic?.(view) ?? 0) / scale,
    ...(why === undefined ? {} : { note: why }),
  })
}

/** The variants, or places, that have a metric in a run which measured these variants. */
function placesOf<Values>(
  { variants, at }: MetricDeclaration<Values>,
  measured: readonly string[],
  values: Values,
): readonly string[] {
  if (at !== undefined) return typeof at === 'function' ? at(measured, values) : at
  return measured.filter((variant) => variants?.(variant, values) ?? true)
}

/** Lists the metrics of such a run, each with its variant; '' stands for the whole run. */
export const metricKeys = <Values>(
  declarations: readonly MetricDeclaration<Values>[],
  measured: readonly string[],
  values: Values,
): readonly { readonly name: string; readonly variant: string }[] =>
  declarations.flatMap((declared) =>
    placesOf(declared, measured, values).map((variant) => ({ name: declared.name, variant })),
  )

/**
 * Every declared metric of a run. Metrics of the measured variants that follow each other are
 * listed variant by variant; metrics with places of their own (`at`) stand where they are declared.
 */
export function measureMetrics<Values>(
  declarations: readonly MetricDeclaration<Values>[],
  evidence: Evidence,
  values: Values,
): readonly Metric[] {
  const measured = variantsOf(evidence)
  const spans = new Map<string, VariantSpans>()
  const done = new Map<string, Metric>()
  const underWay = new Set<string>()

  const viewOf = (variant: string): View<Values> => {
    return {
      evidence,
      values,
      variant,
      spans: madeOnce(spans, variant, () => new VariantSpans(evidence, variant)),
      windows: windowsOf(evidence, variant),
      windowOf: (other, repeat) =>
        windowsOf(evidence, other).find((candidate) => candidate.repeat === repeat),
      get: (name, place = '') => {
        const declared = declarations.find((one) => one.name === name)
        if (!declared) throw new Error(`No metric '${name}' is declared.`)
        return placesHere(declared).includes(place) ? measure(declared, place) : undefined
      },
    }
  }
  const placesHere = (declared: MetricDeclaration<Values>) => placesOf(declared, measured, values)
  const measure = (declared: MetricDeclaration<Values>, variant: string): Metric => {
    const key = `${declared.name} ${variant}`
    const known = done.get(key)
    if (known) return known
    if (underWay.has(key)) throw new Error(`The metric '${key}' depends on itself.`)
    underWay.add(key)
    const metric = measureOne(declared, viewOf(variant))
    done.set(key, metric)
    return metric
  }

  const metrics: Metric[] = []
  let block: MetricDeclaration<Values>[] = []
  const endBlock = () => {
    for (const variant of measured)
      for (const declared of block)
        if (placesHere(declared).includes(variant)) metrics.push(measure(declared, variant))
    block = []
  }
  for (const declared of declarations) {
    if (declared.at === undefined) {
      block.push(declared)
      continue
    }
    endBlock()
    for (const place of placesHere(declared)) metrics.push(measure(declared, place))
  }
  endBlock()
  return metrics
}
