/** Time against size, where the crossing of two lines is the answer. Pure. */
import type { Metric } from '../../trace/report'
import type { View } from '../declare/metric'
import { variantsOf } from '../evidence'
import type { Bounded } from '../../base/crossover'
import { boundsOf, crossoverOf, curveOf, pointsOf, sizeSampler, thresholdsOf } from '../declare/sizes'
import { predictSize } from './crossover'
import { CPU, READBACK, RESIDENT, ROUND_TRIP, sizeAt, UPLOAD, type Place } from './variants'
import type { Figure, FigureHue } from '../../trace/figure'
import type { Evidence } from '../run-types'

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

const LINES: readonly { readonly id: Place; readonly label: string; readonly hue: FigureHue }[] = [
  { id: CPU, label: 'CPU', hue: 'variant-2' },
  { id: ROUND_TRIP, label: 'device, there and back', hue: 'variant-3' },
  { id: RESIDENT, label: 'device, data stays there', hue: 'variant-1' },
]

const THRESHOLDS = [
  ['crossover-n', ROUND_TRIP, 'measured crossover'],
  ['rule-n', ROUND_TRIP, 'rule by time saved'],
  ['rule-latency-n', ROUND_TRIP, 'rule with latency'],
] as const

export function figuresOfWorthIt(
  metrics: readonly Metric[],
  { params }: Pick<Evidence, 'params'>,
): readonly Figure[] {
  const lines = timeBySize(metrics, Number(params['uses']))
  return lines.series.length > 0 ? [lines] : []
}

/** @param uses products of one upload */
function timeBySize(metrics: readonly Metric[], uses: number): Figure {
  const reading =
    'Where the line of the round trip falls below that of the CPU, the device is worth the transfers.'
  const products = `${String(uses)} products`
  return {
    id: 'time-by-size',
    title: 'Time by size',
    caption: uses === 1 ? reading : `Each time holds ${products} of one upload. ${reading}`,
    x: { label: 'size n, for matrices n × n', unit: '', scale: 'log2' },
    y: { label: `time of ${uses === 1 ? 'a product' : products}`, unit: 'ms', scale: 'log10' },
    series: LINES.flatMap((line) => {
      const points = pointsOf(metrics, 'time-ms', sizeAt(line.id))
      return points.length > 0 ? [{ ...line, marks: 'points-and-line', points }] : []
    }),
    thresholds: thresholdsOf(metrics, THRESHOLDS),
  }
}
