/** Time against size, both logarithmic: where the lines cross is the answer. Pure. */
import type { Figure, FigureHue, FigurePoint, FigureThreshold } from '../../trace/figure'
import { findMetric, type Metric } from '../../trace/report'
import type { Evidence } from '../run-types'
import { curveOf, usesOf } from './curves'
import { CPU, RESIDENT, ROUND_TRIP, type Place } from './variants'

const LINES: readonly { readonly place: Place; readonly label: string; readonly hue: FigureHue }[] = [
  { place: CPU, label: 'processor', hue: 'host' },
  { place: ROUND_TRIP, label: 'device, there and back', hue: 'transfer' },
  { place: RESIDENT, label: 'device, data stays there', hue: 'device' },
]

const THRESHOLDS = [
  { name: 'crossover-n', label: 'measured crossover' },
  { name: 'rule-n', label: 'rule of thumb' },
  { name: 'rule-latency-n', label: 'rule with latency' },
]

export function figuresOfWorthIt(metrics: readonly Metric[], evidence: Evidence): readonly Figure[] {
  const series = LINES.map(({ place, label, hue }) => ({
    id: place,
    label,
    hue,
    marks: 'points-and-line' as const,
    // A logarithmic axis has no room for a time of zero, which a coarse clock may give.
    points: curveOf(metrics, evidence, place)
      .filter(({ value }) => value > 0)
      .map(({ n, value, low, high }): FigurePoint => ({
        x: n,
        y: value,
        low: low > 0 ? low : null,
        high: low > 0 ? high : null,
        label: '',
      })),
  })).filter(({ points }) => points.length > 0)
  if (series.length === 0) return []
  const thresholds = THRESHOLDS.flatMap(({ name, label }): readonly FigureThreshold[] => {
    const metric = findMetric(metrics, name, ROUND_TRIP)
    if (metric?.value == null) return []
    return [{ axis: 'x', value: metric.value, low: metric.low, high: metric.high, label }]
  })
  const uses = usesOf(evidence)
  return [
    {
      id: 'time-by-size',
      title: 'Time by size',
      caption:
        uses === 1
          ? 'Where the line of the round trip falls below that of the processor, the device is worth the way there.'
          : `Each time holds ${String(uses)} matmuls on one upload. Where the line of the round trip falls below that of the processor, the device is worth the way there.`,
      x: { label: 'size n, for matrices n × n', unit: '', scale: 'log2' },
      y: {
        label: uses === 1 ? 'time of a product' : `time of ${String(uses)} products`,
        unit: 'ms',
        scale: 'log10',
      },
      series,
      thresholds,
    },
  ]
}
