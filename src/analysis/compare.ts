/**
 * Two runs compared, or two variants of one: aligned at their first submit, steps matched, every difference with bounds, and
 * what else differs between them (adapter, parameters, browser), since a difference is explained by it until shown otherwise. Pure.
 */
import type { PlacedTrace } from '../trace/place'
import { adapterNameOf } from '../trace/adapter-name'
import type { Report } from '../trace/report'
import { alignTwo, countedVariants, firstSubmit, firstWindowEnd, type Zero } from './align'
import { metricDifferences, type Difference } from './difference'
import type { Interval } from './types'
import { matchSteps, stepDifferences, type KindOfStep, type MatchedSteps } from './matched-steps'

export interface Side {
  readonly placed: PlacedTrace
  readonly report: Report | null
  /** '' where the run has no counted variants. */
  readonly variant: string
}

/** Something the two runs do not have in common. */
export interface Unlike {
  readonly what: string
  readonly a: string
  readonly b: string
  /** adapter, settings: they did not measure the same thing. derived: sizes and rates that each run worked out. The rest: circumstances. */
  readonly weight: 'adapter' | 'settings' | 'derived' | 'circumstances'
}

export interface Comparison {
  /** At their own zero, on one axis. */
  readonly a: PlacedTrace
  readonly b: PlacedTrace
  readonly zeroA: Zero
  readonly zeroB: Zero
  /** From just before 0 to just after the longer of the first counted repeats: where to begin to look. */
  readonly opening: Interval
  readonly metrics: readonly Difference[]
  readonly steps: MatchedSteps
  readonly kinds: readonly KindOfStep[]
  readonly unlike: readonly Unlike[]
}

type Setting = string | number | boolean | readonly string[] | undefined

function say(value: Setting): string {
  if (value === undefined) return 'not set'
  return typeof value === 'object' ? value.join(', ') : String(value)
}

function unlikeEntries(
  a: Readonly<Record<string, Setting>>,
  b: Readonly<Record<string, Setting>>,
  weight: Unlike['weight'],
): readonly Unlike[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .map((what) => ({ what, a: say(a[what]), b: say(b[what]), weight }))
    .filter((entry) => entry.a !== entry.b)
}

const adapterName = ({ placed, report }: Side): string =>
  report?.environment.adapterName ?? (adapterNameOf(placed.trace.info) || 'not known')

/** The weightiest first. */
function unlikeness(a: Side, b: Side): readonly Unlike[] {
  const [one, other] = [a.placed.trace.info, b.placed.trace.info]
  const environment = ({ userAgent, crossOriginIsolated }: typeof one) => ({
    browser: userAgent,
    'cross-origin isolated': crossOriginIsolated,
  })
  return [
    ...unlikeEntries({ adapter: adapterName(a) }, { adapter: adapterName(b) }, 'adapter'),
    ...unlikeEntries({ experiment: one.experiment }, { experiment: other.experiment }, 'settings'),
    ...unlikeEntries(one.params, other.params, 'settings'),
    ...unlikeEntries(one.derived, other.derived, 'derived'),
    ...unlikeEntries(environment(one), environment(other), 'circumstances'),
  ]
}

function openingOf(a: PlacedTrace, variantA: string, b: PlacedTrace, variantB: string): Interval {
  const ends = [firstWindowEnd(a, variantA), firstWindowEnd(b, variantB)].filter((end) => end !== null)
  const length = ends.length > 0 ? Math.max(...ends) : a.endOfAllNs
  return { start: -0.04 * length, end: 1.04 * length }
}

export interface StepPair {
  readonly aNs: number
  readonly bNs: number
  /** B less A, and what the steps of the two clocks may have moved it by. */
  readonly changeNs: number
  readonly boundNs: number
}

/** How long a step took in each, on its lane's own clock. */
export function stepPair({ a, b }: Pick<Comparison, 'a' | 'b'>, spanA: number, spanB: number): StepPair {
  const lengthOf = ({ trace: { spans, lanes, clocks } }: PlacedTrace, span: number) => ({
    lengthNs: (spans.end[span] ?? Number.NaN) - (spans.start[span] ?? Number.NaN),
    stepNs: clocks[lanes[spans.lane[span] ?? -1]?.clock ?? -1]?.stepNs ?? 0,
  })
  const [one, other] = [lengthOf(a, spanA), lengthOf(b, spanB)]
  return {
    aNs: one.lengthNs,
    bNs: other.lengthNs,
    changeNs: other.lengthNs - one.lengthNs,
    boundNs: one.stepNs + other.stepNs,
  }
}

export function compareRuns(a: Side, b: Side): Comparison {
  const [zeroA, zeroB] = [firstSubmit(a.placed, a.variant), firstSubmit(b.placed, b.variant)]
  const [placedA, placedB] = alignTwo(a.placed, b.placed, zeroA.timeNs, zeroB.timeNs)
  const steps = matchSteps(a.placed, b.placed, a.variant, b.variant)
  return {
    a: placedA,
    b: placedB,
    zeroA,
    zeroB,
    opening: openingOf(placedA, a.variant, placedB, b.variant),
    metrics: metricDifferences(a.report?.metrics ?? [], b.report?.metrics ?? [], a.variant, b.variant),
    steps,
    kinds: stepDifferences(a.placed, b.placed, a.variant, b.variant, steps),
    unlike: unlikeness(a, b),
  }
}

export { countedVariants }
