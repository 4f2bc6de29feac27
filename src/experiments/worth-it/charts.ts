/** Time against size, where the crossing of two lines is the answer. Pure. */
import type { Metric } from '../../trace/report'
import { variantsOf } from '../evidence'
import { crossoverOf, curveOf, pointsOf, sizeSampler, thresholdsOf } from '../declare/sizes'
import { CPU, RESIDENT, ROUND_TRIP, sizeAt, type Place } from './variants'
import type { Figure, FigureHue, FigureSeries } from '../../trace/figure'
import type { Evidence } from '../run-types'

/** Size from which on the round trip is faster than the CPU. */
export const crossover = sizeSampler<unknown>(({ evidence, get }) => {
  const times = variantsOf(evidence).flatMap((variant) => get('time-ms', variant) ?? [])
  const curveAt = (place: Place) => curveOf(times, 'time-ms', sizeAt(place))
  return crossoverOf(times, curveAt(CPU), curveAt(ROUND_TRIP), {
    incumbent: 'the CPU',
    challenger: 'the device',
    unit: '',
    largest: ' both ways',
  })
})

const LINES: readonly { readonly id: Place; readonly label: string; readonly hue: FigureHue }[] = [
  { id: CPU, label: 'CPU', hue: 'variant-2' },
  { id: ROUND_TRIP, label: 'device, there and back', hue: 'variant-3' },
  { id: RESIDENT, label: 'device, data stays there', hue: 'variant-1' },
]

/** A product is done `uses` times for each upload. */
export function figuresOfWorthIt(
  metrics: readonly Metric[],
  { params }: Pick<Evidence, 'params'>,
): readonly Figure[] {
  const series = LINES.flatMap((line): readonly FigureSeries[] => {
    const points = pointsOf(metrics, 'time-ms', sizeAt(line.id))
    return points.length > 0 ? [{ ...line, marks: 'points-and-line', points }] : []
  })
  if (series.length === 0) return []
  const uses = Number(params['uses'])
  const products = `${String(uses)} products`
  const reading =
    'Where the line of the round trip falls below that of the CPU, the device is worth the transfers.'
  return [
    {
      id: 'time-by-size',
      title: 'Time by size',
      caption: uses === 1 ? reading : `Each time holds ${products} of one upload. ${reading}`,
      x: { label: 'size n, for matrices n × n', unit: '', scale: 'log2' },
      y: { label: `time of ${uses === 1 ? 'a product' : products}`, unit: 'ms', scale: 'log10' },
      series,
      thresholds: thresholdsOf(metrics, [['crossover-n', ROUND_TRIP, 'measured crossover']]),
    },
  ]
}
