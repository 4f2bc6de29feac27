/** Times and rates by size, and the crossovers and predictions that follow from them. Pure. */
import type { Metric } from '../../trace/report'
import type { DerivedSampler, View } from '../declare/metric'
import { variantsOf } from '../evidence'
import { findCrossover, predictSize, type Bounded, type Timed } from './crossover'
import { CPU, LATENCY, parseVariant, PLACES, READBACK, RESIDENT, UPLOAD, type Place } from './variants'

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

const FIGURE = { kind: 'derived', quantity: 'count', origin: 'derived' } as const
/** Sizes beyond those run are open ends. */
const sizeOrNull = (n: number | undefined): number | null => (n && Number.isFinite(n) ? n : null)

/** Size from which on the variant's place is faster than the CPU. */
export const crossover: DerivedSampler<unknown> = {
  ...FIGURE,
  derive: (view, named) => {
    const challenger = PLACES.find((place) => place === view.variant) ?? RESIDENT
    const times = everywhere(view, 'time-ms')
    const found = findCrossover(curveOf(times, 'time-ms', CPU), curveOf(times, 'time-ms', challenger))
    const value = sizeOrNull(found?.value)
    const note = noteOf(found)
    return {
      ...named,
      value,
      low: value && sizeOrNull(found?.low),
      high: value && sizeOrNull(found?.high),
      n: value === null ? 0 : Math.min(...times.map(({ n }) => n).filter((n) => n > 0)),
      origin: 'derived',
      ...(note === '' ? {} : { note }),
    }
  },
}

/** Why there is no crossover, or what its interval leaves open. */
function noteOf(found: ReturnType<typeof findCrossover>): string {
  if (!found) return 'no size was run both ways'
  const [first, last] = [String(found.sizes[0]), String(found.sizes.at(-1))]
  if (found.value === 0) return `the device is faster already at ${first}, the smallest size run`
  if (found.value === Infinity) return `the CPU is still faster at ${last}, the largest size run both ways`
  return [
    ...(found.low === 0 ? [`its interval may begin below ${first}`] : []),
    ...(found.high === Infinity ? [`its interval may end above ${last}`] : []),
  ].join('; ')
}

const exactly = (value: number): Bounded => ({ value, low: value, high: value })

/** The size that a rule of thumb names, from rates at the largest sizes, where overhead weighs least. */
export const ruleOfThumb = (
  kind: 'saved' | 'saved-with-latency' | 'computed',
): DerivedSampler<{ readonly uses: number }> => ({
  ...FIGURE,
  derive: (view, named) => {
    const gflops = everywhere(view, 'gflops')
    const [processor, device] = ([CPU, RESIDENT] as const).map((place) =>
      curveOf(gflops, 'gflops', place).at(-1),
    )
    const upload = boundsOf(view.get('upload-gb-per-s', UPLOAD))
    const readback = boundsOf(view.get('readback-gb-per-s', READBACK))
    const latency = view.get('latency-ms', LATENCY)
    const latencyMs = kind === 'saved-with-latency' ? boundsOf(latency) : exactly(0)
    const isKnown = [processor, device, upload, readback].every((rate) => rate && rate.low > 0)
    const rule =
      isKnown && processor && device && upload && readback && latencyMs
        ? predictSize(view.values.uses, {
            // Computed, not saved: against a device that computes everything in no time, all of that time would be saved.
            ...(kind === 'computed'
              ? { processor: device, device: exactly(Infinity) }
              : { processor, device }),
            upload,
            readback,
            latencyMs,
          })
        : null
    if (rule)
      return {
        ...named,
        value: rule.value,
        low: sizeOrNull(rule.low),
        high: sizeOrNull(rule.high),
        n: latency?.n ?? 0,
        origin: 'derived',
      }
    const isSlow = processor && device && device.value <= processor.value
    const note = isSlow
      ? 'the device computes no faster than the CPU here, so no size is large enough'
      : 'a rate that the rule needs was not measured'
    return { ...named, value: null, low: null, high: null, n: 0, origin: 'derived', note }
  },
})
