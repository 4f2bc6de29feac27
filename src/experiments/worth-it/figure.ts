/** Time against size, where the crossing of two lines is the answer; and what a round trip is made of. Pure. */
import type {
  Bar,
  BarFigure,
  FigureHue,
  FigurePoint,
  FigureThreshold,
  ReportFigure,
} from '../../trace/figure'
import { findMetric, type Metric } from '../../trace/report'
import type { Evidence } from '../run-types'
import { curveOf } from './curves'
import { CPU, RESIDENT, ROUND_TRIP, type Place } from './variants'

const LINES: readonly { readonly place: Place; readonly label: string; readonly hue: FigureHue }[] = [
  { place: CPU, label: 'CPU', hue: 'host' },
  { place: ROUND_TRIP, label: 'device, there and back', hue: 'wait' },
  { place: RESIDENT, label: 'device, data stays there', hue: 'device' },
]

const THRESHOLDS = [
  { name: 'crossover-n', label: 'measured crossover' },
  { name: 'rule-n', label: 'rule by time saved' },
  { name: 'rule-latency-n', label: 'rule with latency' },
]

/** In the order in which they happen. */
const PARTS: readonly { readonly id: string; readonly label: string; readonly hue: FigureHue }[] = [
  { id: 'fill-ms', label: 'host fills staging', hue: 'staging' },
  { id: 'kernel-ms', label: 'device computes', hue: 'device' },
  { id: 'other-wait-ms', label: 'host waits besides', hue: 'wait' },
  { id: 'read-ms', label: 'host copies the result out', hue: 'host' },
]

export const figuresOfWorthIt = (
  metrics: readonly Metric[],
  { params }: Pick<Evidence, 'params'>,
): readonly ReportFigure[] =>
  [timeBySize(metrics, Number(params['uses'])), partsOfRoundTrips(metrics)].filter(
    (figure) => figure !== null,
  )

function timeBySize(metrics: readonly Metric[], uses: number): ReportFigure | null {
  const series = LINES.map(({ place, label, hue }) => ({
    id: place,
    label,
    hue,
    marks: 'points-and-line' as const,
    // A logarithmic axis has no room for a time of zero, which a coarse clock may give.
    points: curveOf(metrics, 'time-ms', place)
      .filter(({ value }) => value > 0)
      .map(({ n, value, low, high }): FigurePoint => {
        const interval = low > 0 ? { low, high } : { low: null, high: null }
        return { x: n, y: value, ...interval, label: '' }
      }),
  })).filter(({ points }) => points.length > 0)
  if (series.length === 0) return null
  const thresholds = THRESHOLDS.flatMap(({ name, label }): readonly FigureThreshold[] => {
    const metric = findMetric(metrics, name, ROUND_TRIP)
    if (metric?.value == null) return []
    return [{ axis: 'x', value: metric.value, low: metric.low, high: metric.high, label }]
  })
  const reading =
    'Where the line of the round trip falls below that of the CPU, the device is worth the transfers.'
  return {
    id: 'time-by-size',
    title: 'Time by size',
    caption: uses === 1 ? reading : `Each time holds ${String(uses)} products of one upload. ${reading}`,
    x: { label: 'size n, for matrices n × n', unit: '', scale: 'log2' },
    y: {
      label: uses === 1 ? 'time of a product' : `time of ${String(uses)} products`,
      unit: 'ms',
      scale: 'log10',
    },
    series,
    thresholds,
  }
}

function partsOfRoundTrips(metrics: readonly Metric[]): BarFigure | null {
  const bars = curveOf(metrics, 'time-ms', ROUND_TRIP).map(({ n, ...total }): Bar => {
    const parts = PARTS.flatMap(({ id }) => {
      const found = curveOf(metrics, id, ROUND_TRIP).find((part) => part.n === n)
      return found ? [[id, { value: found.value, low: found.low, high: found.high }] as const] : []
    })
    return { label: `n = ${String(n)}`, parts: Object.fromEntries(parts), total }
  })
  if (bars.every(({ parts }) => Object.keys(parts).length === 0)) return null
  return {
    kind: 'bars',
    id: 'round-trip-parts',
    title: 'What a round trip is made of',
    caption:
      'The part in which the device computes is what a faster kernel can shorten; the host waits besides for bytes to travel and for completion to be reported.',
    axis: { label: 'time of a round trip', unit: 'ms' },
    parts: PARTS,
    bars,
    thresholds: [],
  }
}
