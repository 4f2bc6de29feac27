/** A roofline measured on this device, from the metrics of kernel-ladder alone. Pure. */
import type { Figure, FigurePoint } from '../../trace/figure'
import { findMetric, type Metric } from '../../trace/report'
import { quotient } from '../../text/interval-arithmetic'
import { KERNELS } from '../shared-params'
import { FMA_PEAK, rungsIn, STREAM_COPY } from './variants'

const titleOf = (rung: string): string => KERNELS.find(({ value }) => value === rung)?.label ?? rung

/** None where the device's own roof was not measured. */
export function rooflineFigure(metrics: readonly Metric[]): readonly Figure[] {
  const peak = findMetric(metrics, 'peak-gflops', FMA_PEAK)
  const copy = findMetric(metrics, 'copy-gb-per-s', STREAM_COPY)
  const intensity = findMetric(metrics, 'intensity')?.value ?? null
  if (peak?.value == null || copy?.value == null || intensity === null) return []
  const ridge = quotient({ name: 'ridge', variant: '', unit: 'flop/byte' }, peak, copy)
  const ridgeAt = ridge.value ?? 1
  const isTera = peak.value >= 1000
  /** A rate, so many times as large. */
  const point = (x: number, metric: Metric | undefined, times = 1, label = ''): readonly FigurePoint[] => {
    if (metric?.value == null) return []
    const scaled = (rate: number) => (rate * times) / (isTera ? 1000 : 1)
    const { value, low, high } = metric
    return [{ x, y: scaled(value), low: low && scaled(low), high: high && scaled(high), label }]
  }
  const from = 2 ** Math.floor(Math.log2(Math.min(ridgeAt, intensity) / 4))
  const to = 2 ** Math.ceil(Math.log2(Math.max(ridgeAt, intensity) * 2))
  return [
    {
      id: 'roofline',
      title: 'A roofline measured on this device',
      caption:
        'The roof is what the device reached. The axis counts A, B and C once: a kernel that reads operands again moves more, and memory can bind it right of the ridge, too. Only matrices that fit the caches may pass the slope.',
      x: { label: 'Work for each byte that must move', unit: 'flop/byte', scale: 'log2' },
      y: { label: 'Rate', unit: isTera ? 'TFLOP/s' : 'GFLOP/s', scale: 'log10' },
      series: [
        {
          id: 'roof',
          label: 'roof: measured bandwidth of device memory, measured peak',
          hue: 'queue',
          marks: 'line',
          // A bandwidth is a slope: so many GB/s allow so many GFLOP/s at this intensity.
          points: [...point(from, copy, from), ...point(ridgeAt, peak), ...point(to, peak)],
        },
        {
          id: 'resident',
          label: 'matrices stay on the device',
          hue: 'variant-1',
          marks: 'points',
          points: rungsIn(metrics).flatMap((rung) =>
            point(intensity, findMetric(metrics, 'gflops', rung), 1, titleOf(rung)),
          ),
        },
      ],
      thresholds: [
        { axis: 'x', value: ridgeAt, low: ridge.low, high: ridge.high, label: 'ridge: memory | arithmetic' },
      ],
    },
  ]
}
