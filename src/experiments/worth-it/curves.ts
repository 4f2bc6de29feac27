/** Times and rates by size, and the crossovers and predictions that follow from them. Pure. */
import type { Metric } from '../../trace/report'
import type { View } from '../declare/metric'
import { variantsOf } from '../evidence'
import type { Bounded } from '../../base/crossover'
import { boundsOf, crossoverOf, curveOf, sizeSampler } from '../declare/sizes'
import { predictSize } from './crossover'
import { CPU, READBACK, RESIDENT, ROUND_TRIP, sizeAt, UPLOAD, type Place } from './variants'

type Uses = Readonly<Record<'uses', number>>

const curveAt = (metrics: readonly Metric[], name: string, place: Place) =>
  curveOf(metrics, name, sizeAt(place))

/** A metric of every variant that has it. */
const everywhere = ({ evidence, get }: View<unknown>, name: string): readonly Metric[] =>
  variantsOf(evidence).flatMap((variant) => get(name, variant) ?? [])

/** Size from which on the variant's place is faster than the CPU. */
export const crossover = sizeSampler<Uses>((view) => {
  const times = everywhere(view, 'time-ms')
  const challenger = view.variant === ROUND_TRIP ? ROUND_TRIP : RESIDENT
  return crossoverOf(times, curveAt(times, 'time-ms', CPU), curveAt(times, 'time-ms', challenger), {
    incumbent: 'the CPU',
    challenger: 'the device',
    unit: '',
    largest: ' both ways',
  })
})

const exactly = (value: number): Bounded => ({ value, low: value, high: value })

/** The size that a rule of thumb names, from rates at the largest sizes, where overhead weighs least. */
export const ruleOfThumb = (kind: 'saved' | 'saved-with-latency' | 'computed') =>
  sizeSampler<Uses>((view) => {
    const rates = everywhere(view, 'gflops')
    const processor = curveAt(rates, 'gflops', CPU).at(-1)
    const device = curveAt(rates, 'gflops', RESIDENT).at(-1)
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
