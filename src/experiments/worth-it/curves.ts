/** Times and rates by size, and the crossovers and predictions that follow from them. Pure. */
import type { Metric } from '../../trace/report'
import type { DerivedSampler, View } from '../declare/metric'
import { variantsOf } from '../evidence'
import { findCrossover, type Bounded, type Timed } from '../../base/crossover'
import { predictSize } from './crossover'
import { CPU, parseVariant, READBACK, RESIDENT, ROUND_TRIP, UPLOAD, type Place } from './variants'

type Uses = Readonly<Record<'uses', number>>

/** Infinity stands for an end that is open; null where there is no value. */
function boundsOf(metric: Metric | undefined): Bounded | null {
  if (metric?.value == null || !Number.isFinite(metric.value)) return null
  const { value, low, high } = metric
  return { value, low: low ?? value, high: high ?? value }
}

/** A metric's values at one place by size, ascending; sizes without a value are left out. */
export const curveOf = (metrics: readonly Metric[], name: string, place: Place): readonly Timed[] =>
  metrics
    .flatMap((metric) => {
      const sized = parseVariant(metric.variant)
      const bounds = boundsOf(metric)
      return metric.name === name && sized?.place === place && bounds ? [{ n: sized.n, ...bounds }] : []
    })
    .toSorted((a, b) => a.n - b.n)

/** A metric of every variant that has it. */
const everywhere = ({ evidence, get }: View<unknown>, name: string): readonly Metric[] =>
  variantsOf(evidence).flatMap((variant) => get(name, variant) ?? [])

/** 0 and Infinity are sizes beyond all that were run: open ends. */
const orOpen = (n: number): number | null => (n > 0 && Number.isFinite(n) ? n : null)

/** A size as a metric of `n` repeats, or why there is none. */
const sizeSampler = (
  find: (view: View<Uses>) => { size: Bounded | null; n: number; note: string },
): DerivedSampler<Uses> => ({
  kind: 'derived',
  quantity: 'count',
  origin: 'derived',
  derive: (view, named) => {
    const { size, n, note } = find(view)
    const noted = { ...named, origin: 'derived' as const, ...(note === '' ? {} : { note }) }
    const value = size && orOpen(size.value)
    if (value === null) return { ...noted, value, low: null, high: null, n: 0 }
    return { ...noted, value, low: size && orOpen(size.low), high: size && orOpen(size.high), n }
  },
})

/** Size from which on the variant's place is faster than the CPU. */
export const crossover = sizeSampler((view) => {
  const times = everywhere(view, 'time-ms')
  const challenger = view.variant === ROUND_TRIP ? ROUND_TRIP : RESIDENT
  const size = findCrossover(curveOf(times, 'time-ms', CPU), curveOf(times, 'time-ms', challenger))
  return { size, n: Math.min(...times.map(({ n }) => n).filter((n) => n > 0)), note: noteOf(size) }
})

/** Why there is no crossover, or what its interval leaves open. */
function noteOf(found: ReturnType<typeof findCrossover>): string {
  if (!found) return 'no size was run both ways'
  const [first, last] = [String(found.sizes[0]), String(found.sizes.at(-1))]
  if (found.value === 0) return `the device is faster already at ${first}, the smallest size run`
  if (found.value === Infinity) return `the CPU is still faster at ${last}, the largest size run both ways`
  const below = found.low === 0 ? [`its interval may begin below ${first}`] : []
  const above = found.high === Infinity ? [`its interval may end above ${last}`] : []
  return [...below, ...above].join('; ')
}

const exactly = (value: number): Bounded => ({ value, low: value, high: value })

/** The size that a rule of thumb names, from rates at the largest sizes, where overhead weighs least. */
export const ruleOfThumb = (kind: 'saved' | 'saved-with-latency' | 'computed') =>
  sizeSampler((view) => {
    const rates = everywhere(view, 'gflops')
    const processor = curveOf(rates, 'gflops', CPU).at(-1)
    const device = curveOf(rates, 'gflops', RESIDENT).at(-1)
    const upload = boundsOf(view.get('upload-gb-per-s', UPLOAD))
    const readback = boundsOf(view.get('readback-gb-per-s', READBACK))
    const trip = view.get('latency-ms', ROUND_TRIP)
    const latencyMs = kind === 'saved-with-latency' ? boundsOf(trip) : exactly(0)
    const isKnown = [processor, device, upload, readback].every((rate) => rate && rate.low > 0)
    const note =
      processor && device && device.value <= processor.value
        ? 'the device computes no faster than the CPU here, so no size is large enough'
        : 'a rate that the rule needs was not measured'
    if (!isKnown || !processor || !device || !upload || !readback || !latencyMs)
      return { size: null, n: 0, note }
    // Computed, not saved: against a device that computes everything in no time, all of that time would be saved.
    const sides =
      kind === 'computed' ? { processor: device, device: exactly(Infinity) } : { processor, device }
    const size = predictSize(view.values.uses, { ...sides, upload, readback, latencyMs })
    return { size, n: trip?.n ?? 0, note: size ? '' : note }
  })
