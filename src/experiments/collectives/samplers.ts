/** How the figures of collectives are read off windows: times, α and B of point-to-point messages, and where naive and ring cross. Pure. */
import { findCrossover, type Bounded, type Timed } from '../../base/crossover'
import { median } from '../../base/stats'
import type { Metric } from '../../trace/report'
import { lineThrough } from '../declare/line'
import {
  NOT_NEGATIVE,
  SHARE,
  type DerivedSampler,
  type Named,
  type RepeatSampler,
  type View,
} from '../declare/metric'
import { lengthOf, makespan, rankSteps, type MetricRef } from '../declare/samplers'
import { variantsOf } from '../evidence'
import type { Evidence, Window } from '../run-types'
import { busFactor, crossingFactor } from './curves'
import { KIB, NAIVE, PAIR, parseVariant, RING, variantOf, type Operation, type ProgramName } from './variants'

export interface Has {
  readonly operation: Operation
  readonly ranks: number
}
type OwnView = View<Has>

const bytesOf = (variant: string): number => (parseVariant(variant)?.kib ?? 0) * KIB
const tripsIn = ({ derived }: Evidence, variant: string): number => {
  const kib = String(parseVariant(variant)?.kib ?? '')
  const [, count] = new RegExp(`(?:^| )${kib}=(\\d+)`).exec(String(derived['trips'] ?? '')) ?? []
  return count === undefined ? 1 : Number(count)
}

const messageNs = ({ evidence }: OwnView, window: Window): number =>
  lengthOf(window) / (2 * tripsIn(evidence, window.variant))
/** Half of a round trip between two ranks. */
export const message: RepeatSampler<Has> = {
  ...makespan,
  sample: messageNs,
  systematic: ({ evidence, variant }) => rankSteps(evidence) / (2 * tripsIn(evidence, variant)),
}

/** Bytes over time, brought to the bytes that a link carries. */
export const busBytes = ({ variant, values: { operation, ranks } }: OwnView): number =>
  bytesOf(variant) * busFactor(operation, ranks)

/** The variant of another program at the same size, in the same repeat. */
const beside = (
  program: ProgramName,
  value: (own: number, other: number) => number,
): Pick<RepeatSampler<Has>, 'sample' | 'systematic' | 'missing'> => ({
  sample: (view, window) => {
    const kib = parseVariant(view.variant)?.kib ?? 0
    const other = view.windowOf(variantOf(program, view.values.ranks, kib), window.repeat)
    return other ? value(lengthOf(window), lengthOf(other)) : null
  },
  systematic: (view) => {
    const kib = parseVariant(view.variant)?.kib ?? 0
    const lengthsOf = (name: string) =>
      view.evidence.windows.filter(({ variant }) => variant === name).map(lengthOf)
    const own = median(lengthsOf(view.variant))
    const other = median(lengthsOf(variantOf(program, view.values.ranks, kib)))
    return Math.abs(value(own, other)) * (rankSteps(view.evidence) / own + rankSteps(view.evidence) / other)
  },
  missing: () => `${program} was not run at this size`,
})

/** How many times as long as the ring's naive's window took. */
export const lead: RepeatSampler<Has> = {
  kind: 'repeats',
  quantity: 'ratio',
  origin: 'host-clock',
  range: NOT_NEGATIVE,
  isFactor: true,
  ...beside(NAIVE, (own, other) => other / own),
}

/** Of the window with tensors on the GPU, what the ring alone does not take. */
export const wayShare: RepeatSampler<Has> = {
  kind: 'repeats',
  quantity: 'ratio',
  origin: 'host-clock',
  range: SHARE,
  ...beside(RING, (own, other) => Math.max(0, 1 - other / own)),
}

export const line = lineThrough<Has>({
  variants: ({ evidence }) =>
    variantsOf(evidence)
      .filter((variant) => parseVariant(variant)?.program === PAIR)
      .toSorted((a, b) => bytesOf(a) - bytesOf(b)),
  bytes: bytesOf,
  timeNs: messageNs,
  // A message's end is seen by the rank that it reaches.
  periodNs: () => 0,
  // What stays in a core's cache goes at some times the rate of what does not: no line is nearer. The farthest is told with α and B.
  mostError: 1,
})

/** Of an algorithm, ascending; a size without a value is left out. */
export const curveOf = (
  metrics: readonly Metric[],
  name: string,
  program: ProgramName,
): readonly (Timed & { readonly kib: number })[] =>
  metrics
    .flatMap((metric) => {
      const parsed = parseVariant(metric.variant)
      const { value, low, high } = metric
      if (metric.name !== name || parsed?.program !== program || !value) return []
      return [{ n: parsed.kib, kib: parsed.kib, value, low: low ?? value, high: high ?? value }]
    })
    .toSorted((a, b) => a.n - b.n)

/** 0 and Infinity are sizes beyond all that were run: open ends. */
const orOpen = (kib: number): number | null => (kib > 0 && Number.isFinite(kib) ? kib : null)

const size = (named: Named, found: Bounded | null, n: number, note: string): Metric => {
  const value = found && orOpen(found.value)
  const noted = { ...named, origin: 'derived' as const, ...(note === '' ? {} : { note }) }
  if (value === null) return { ...noted, value, low: null, high: null, n: 0 }
  return { ...noted, value, low: found && orOpen(found.low), high: found && orOpen(found.high), n }
}

/** KiB from which on the ring is faster than naive at every size that was run. */
export const crossover: DerivedSampler<Has> = {
  kind: 'derived',
  quantity: 'count',
  origin: 'derived',
  derive: ({ evidence, get }, named) => {
    const times = variantsOf(evidence).flatMap((variant) => get('collective-ms', variant) ?? [])
    const [naive, ring] = [curveOf(times, 'collective-ms', NAIVE), curveOf(times, 'collective-ms', RING)]
    const found = findCrossover(naive, ring)
    const counts = times.map(({ n }) => n).filter((n) => n > 0)
    return size(named, found, counts.length > 0 ? Math.min(...counts) : 0, noteOf(found))
  },
}

function noteOf(found: ReturnType<typeof findCrossover>): string {
  if (!found) return 'no size was run both ways'
  const [first, last] = [String(found.sizes[0]), String(found.sizes.at(-1))]
  if (found.value === 0) return `the ring is faster already at ${first} KiB, the smallest size run`
  if (found.value === Infinity) return `naive is still faster at ${last} KiB, the largest size run`
  const below = found.low === 0 ? [`its interval may begin below ${first} KiB`] : []
  const above = found.high === Infinity ? [`its interval may end above ${last} KiB`] : []
  return [...below, ...above].join('; ')
}

const known = (metric: Metric | undefined): Bounded | null =>
  metric?.value == null
    ? null
    : { value: metric.value, low: metric.low ?? metric.value, high: metric.high ?? metric.value }

/** The same, by the model with α and B of point-to-point messages. */
export const predicted: DerivedSampler<Has> = {
  kind: 'derived',
  quantity: 'count',
  origin: 'derived',
  derive: ({ values, get }, named) => {
    const factor = crossingFactor(values.operation, values.ranks)
    if (factor === 0) return size(named, null, 0, 'by the model the ring is faster at every size')
    if (!Number.isFinite(factor)) return size(named, null, 0, 'by the model the ring is faster at no size')
    const [alpha, rate] = [get('alpha-us'), get('gb-per-s')]
    const [us, gbPerS] = [known(alpha), known(rate)]
    if (!us || !gbPerS) return size(named, null, 0, alpha?.note ?? 'α and B were not measured')
    // µs · GB/s are 1000 bytes.
    const at = (edge: keyof Bounded) => (factor * us[edge] * gbPerS[edge] * 1e3) / KIB
    return size(named, { value: at('value'), low: at('low'), high: at('high') }, alpha?.n ?? 0, '')
  },
}

export const timeOfBytes: MetricRef = { name: 'collective-ms' }
