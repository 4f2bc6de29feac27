/**
 * Metrics over a size by which variants differ: curves, where two of them cross, and charts of
 * them. Pure.
 */
import { findCrossover, type Bounded, type Timed } from '../../base/crossover'
import type { FigurePoint, FigureThreshold } from '../../trace/figure'
import { findMetric, type Metric } from '../../trace/report'
import type { DerivedSampler, View } from './metric'

/** The size of a variant that is on the curve; null or left out for others. */
type SizeOf = (variant: string) => number | null | undefined

/**
 * A metric with its interval; null where it has no value. Infinity stands for an end that is open.
 */
export function boundsOf(metric: Metric | undefined): Bounded | null {
  if (metric?.value == null || !Number.isFinite(metric.value)) return null
  const { value, low, high } = metric
  return { value, low: low ?? value, high: high ?? value }
}

/** The metrics of this name on a curve with their sizes, ascending. */
const sized = (metrics: readonly Metric[], name: string, sizeOf: SizeOf) =>
  metrics
    .flatMap((metric) => {
      const n = metric.name === name ? sizeOf(metric.variant) : null
      return n == null ? [] : [{ n, metric }]
    })
    .toSorted((a, b) => a.n - b.n)

/** Sizes without a value are left out. */
export const curveOf = (metrics: readonly Metric[], name: string, sizeOf: SizeOf): readonly Timed[] =>
  sized(metrics, name, sizeOf).flatMap(({ n, metric }) => {
    const bounds = boundsOf(metric)
    return bounds ? [{ n, ...bounds }] : []
  })

/** 0 and Infinity are sizes beyond all that were run: open ends. */
const orOpen = (size: number): number | null => (size > 0 && Number.isFinite(size) ? size : null)

/** A size as a metric of `n` repeats, or why there is none. */
export const sizeSampler = <Values>(
  find: (view: View<Values>) => {
    readonly size: Bounded | null
    readonly n: number
    readonly note: string
  },
): DerivedSampler<Values> => ({
  quantity: 'count',
  derive: (view, named) => {
    const { size, n, note } = find(view)
    const noted = { ...named, origin: 'derived' as const, ...(note === '' ? {} : { note }) }
    const value = size && orOpen(size.value)
    if (value === null) return { ...noted, value, low: null, high: null, n: 0 }
    return { ...noted, value, low: size && orOpen(size.low), high: size && orOpen(size.high), n }
  },
})

/**
 * The size from which on the challenger is faster than the incumbent at every size that was run,
 * with why there is none, or what its interval leaves open. `of` has both as sentences call them.
 */
export function crossoverOf(
  times: readonly Metric[],
  incumbent: readonly Timed[],
  challenger: readonly Timed[],
  of: {
    readonly incumbent: string
    readonly challenger: string
    readonly unit: string
    readonly largest: string
  },
) {
  const size = findCrossover(incumbent, challenger)
  const counts = times.map(({ n }) => n).filter((n) => n > 0)
  const noted = (note: string) => ({ size, n: counts.length > 0 ? Math.min(...counts) : 0, note })
  if (!size) return noted('no size was run both ways')
  const [first, last] = [size.sizes[0], size.sizes.at(-1)].map((each) => `${String(each)}${of.unit}`)
  if (size.value === 0)
    return noted(`${of.challenger} is faster already at ${String(first)}, the smallest size run`)
  if (size.value === Infinity)
    return noted(`${of.incumbent} is still faster at ${String(last)}, the largest size run${of.largest}`)
  const below = size.low === 0 ? [`its interval may begin below ${String(first)}`] : []
  const above = size.high === Infinity ? [`its interval may end above ${String(last)}`] : []
  return noted([...below, ...above].join('; '))
}

/**
 * A logarithmic axis has no room for a time of zero, which a coarse clock may give, nor for an
 * interval that begins there.
 */
const point = (x: number, y: number, low: number | null, high: number | null): readonly FigurePoint[] =>
  y > 0 ? [{ x, y, ...(low && high ? { low, high } : { low: null, high: null }), label: '' }] : []

/** Measured points over the size in this unit. */
export const pointsOf = (
  metrics: readonly Metric[],
  name: string,
  sizeOf: SizeOf,
  unit = 1,
): readonly FigurePoint[] =>
  sized(metrics, name, sizeOf).flatMap(({ n, metric: { value, low, high } }) =>
    value === null ? [] : point(n / unit, value, low, high),
  )

const POINTS_A_POWER = 2
/** A curve between two sizes of a logarithmic axis. */
export function curveBetween(from: number, to: number, at: (x: number) => Bounded): readonly FigurePoint[] {
  const count = Math.max(1, Math.round(POINTS_A_POWER * Math.log2(to / from)))
  return Array.from({ length: count + 1 }, (_, index) => from * (to / from) ** (index / count)).flatMap(
    (x) => {
      const { value, low, high } = at(x)
      return point(x, value, low, high)
    },
  )
}

/** Sizes that the run worked out, in this unit; none for one without a value. */
export const thresholdsOf = (
  metrics: readonly Metric[],
  names: readonly (readonly [name: string, variant: string, label: string])[],
  unit = 1,
): readonly FigureThreshold[] =>
  names.flatMap(([name, variant, label]) => {
    const { value = null, low = null, high = null } = findMetric(metrics, name, variant) ?? {}
    const scaled = (bound: number | null) => (bound === null ? null : bound / unit)
    return value ? [{ axis: 'x', value: value / unit, low: scaled(low), high: scaled(high), label }] : []
  })
