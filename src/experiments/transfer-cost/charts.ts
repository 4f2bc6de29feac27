/**
 * Time over size, up and down, and the lines fitted to them; PyTorch's recorded points belong on
 * the same axes. Pure.
 */
import type { Figure, FigurePoint, FigureSeries, FigureReference } from '../../trace/figure'
import { findMetric, type Metric } from '../../trace/report'
import { boundedTimeMs } from '../declare/line'
import { boundsOf, curveBetween, pointsOf, thresholdsOf } from '../declare/sizes'
import { bytesTo, DIRECTIONS, DOWN, UP, type Direction } from './variants'

const TIME_BY_SIZE = 'time-by-size'
const WORDS = { [UP]: 'to the device', [DOWN]: 'to the host' } as const
const HUES = { [UP]: 'variant-1', [DOWN]: 'variant-3' } as const
const KIB = 2 ** 10
const ONE = { messages: 1, share: 1 }

function model(
  metrics: readonly Metric[],
  direction: Direction,
  measured: readonly FigurePoint[],
): FigureSeries[] {
  const alphaUs = boundsOf(findMetric(metrics, 'latency-us', direction))
  const gbPerS = boundsOf(findMetric(metrics, 'fitted-gb-per-s', direction))
  const [from, to] = [measured[0]?.x, measured.at(-1)?.x]
  if (!alphaUs || !gbPerS?.value || from === undefined || to === undefined) return []
  return [
    {
      id: `model-${direction}`,
      label: `modelled: α + bytes / B, ${WORDS[direction]}`,
      hue: HUES[direction],
      marks: 'line',
      points: curveBetween(from, to, (kib) => boundedTimeMs(ONE, kib * KIB, { alphaUs, gbPerS })),
    },
  ]
}

export function figuresOfTransfers(metrics: readonly Metric[]): readonly Figure[] {
  const series = DIRECTIONS.flatMap((direction): readonly FigureSeries[] => {
    const points = pointsOf(metrics, 'time-ms', bytesTo(direction), KIB)
    if (points.length < 2) return []
    const [label, hue] = [WORDS[direction], HUES[direction]]
    return [{ id: direction, label, hue, marks: 'points', points }, ...model(metrics, direction, points)]
  })
  if (series.length === 0) return []
  return [
    {
      id: TIME_BY_SIZE,
      title: 'Time of one awaited transfer over its size',
      caption:
        'On the left a transfer takes as long as any other, however little it carries: that is α. On the right twice the bytes take twice the time: that is B. The band round a fitted line has α and B at the ends of their intervals.',
      x: { label: 'size of the transfer', unit: 'KiB', scale: 'log2' },
      y: { label: 'time until its end is known', unit: 'ms', scale: 'log10' },
      series,
      thresholds: thresholdsOf(metrics, [['half-bytes', UP, 'half of it is α']], KIB),
    },
  ]
}

/** Recordings of public/companion/transfer_cost.py. */
export const torchTransfers: FigureReference = {
  figure: TIME_BY_SIZE,
  file: 'torch-transfer-cost.json',
  x: 'kib',
  series: [
    { y: 'pageableUpMs', label: 'PyTorch: pageable, to the GPU' },
    { y: 'pinnedUpMs', label: 'PyTorch: pinned, to the GPU' },
    { y: 'pageableDownMs', label: 'PyTorch: pageable, to the host' },
    { y: 'pinnedDownMs', label: 'PyTorch: pinned, to the host' },
  ],
}
