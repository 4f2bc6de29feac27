/** Time over size, up and down, and the lines fitted to them; PyTorch's recorded points belong on the same axes. Pure. */
import type { BlankFigure, Figure, FigurePoint, FigureSeries } from '../../trace/figure'
import type { FigureReference } from '../../trace/figure-reference'
import { findMetric, type Metric } from '../../trace/report'
import { bytesOf, DIRECTIONS, DOWN, parseVariant, UP, type Direction } from './variants'

const TIME_BY_SIZE = 'time-by-size'
const WORDS = { [UP]: 'to the device', [DOWN]: 'to the host' } as const
const HUES = { [UP]: 'variant-1', [DOWN]: 'variant-3' } as const
const KIB = 2 ** 10
/** A curve on logarithmic axes: so many points for each power of two. */
const POINTS_A_POWER = 2

/** Measured, the smallest first; x in KiB. */
const measured = (metrics: readonly Metric[], direction: Direction): readonly FigurePoint[] =>
  metrics
    .flatMap(({ name, variant, value, low, high }): FigurePoint[] => {
      const sized = parseVariant(variant)
      // A logarithmic axis has no room for a time of zero, which a coarse clock may give.
      if (name !== 'time-ms' || sized?.direction !== direction || !value) return []
      const interval = low && high ? { low, high } : { low: null, high: null }
      return [{ x: sized.bytes / KIB, y: value, ...interval, label: '' }]
    })
    .toSorted((a, b) => a.x - b.x)

function model(
  metrics: readonly Metric[],
  direction: Direction,
  sizes: readonly FigurePoint[],
): FigureSeries[] {
  const alphaUs = findMetric(metrics, 'latency-us', direction)
  const rate = findMetric(metrics, 'fitted-gb-per-s', direction)
  const [from, to] = [sizes[0]?.x, sizes.at(-1)?.x]
  if (alphaUs?.value == null || !rate?.value || from === undefined || to === undefined) return []
  const ms = (kib: number, us: number | null, gbPerS: number | null): number | null =>
    us === null || !gbPerS ? null : us / 1e3 + (kib * KIB) / (gbPerS * 1e6)
  const count = Math.max(1, Math.round(POINTS_A_POWER * Math.log2(to / from)))
  const points = Array.from({ length: count + 1 }, (_, at): FigurePoint => {
    const x = from * (to / from) ** (at / count)
    // Both figures at the same end of their intervals: wider than the fits are, since a fit with a longer α has a higher B.
    const low = ms(x, alphaUs.low, rate.high)
    const high = ms(x, alphaUs.high, rate.low)
    const interval = low && high ? { low, high } : { low: null, high: null }
    return { x, y: ms(x, alphaUs.value, rate.value) ?? 0, ...interval, label: '' }
  })
  return [
    {
      id: `model-${direction}`,
      label: `modelled: α + bytes / B, ${WORDS[direction]}`,
      hue: HUES[direction],
      marks: 'line',
      points: points.filter(({ y }) => y > 0),
    },
  ]
}

const BLANK: Figure = {
  id: TIME_BY_SIZE,
  title: 'Time of one awaited transfer over its size',
  caption:
    'On the left a transfer takes as long as any other, however little it carries: that is α. On the right twice the bytes take twice the time: that is B. The band round a fitted line has α and B at the ends of their intervals.',
  x: { label: 'size of the transfer', unit: 'KiB', scale: 'log2' },
  y: { label: 'time until its end is known', unit: 'ms', scale: 'log10' },
  series: DIRECTIONS.map((direction) => ({
    id: direction,
    label: WORDS[direction],
    hue: HUES[direction],
    marks: 'points',
    points: [],
  })),
  thresholds: [],
}

export const blankTransfers = (sizes: readonly string[]): readonly BlankFigure[] => [
  { figure: BLANK, at: sizes.map((size) => bytesOf(size) / KIB) },
]

export function figuresOfTransfers(metrics: readonly Metric[]): readonly Figure[] {
  const series = DIRECTIONS.flatMap((direction): readonly FigureSeries[] => {
    const points = measured(metrics, direction)
    if (points.length < 2) return []
    const own = BLANK.series.filter(({ id }) => id === direction).map((each) => ({ ...each, points }))
    return [...own, ...model(metrics, direction, points)]
  })
  if (series.length === 0) return []
  const half = findMetric(metrics, 'half-bytes', UP)
  const kib = (bytes: number | null) => (bytes === null ? null : bytes / KIB)
  return [
    {
      ...BLANK,
      series,
      thresholds: half?.value
        ? [
            {
              axis: 'x',
              value: half.value / KIB,
              low: kib(half.low),
              high: kib(half.high),
              label: 'half of it is α',
            },
          ]
        : [],
    },
  ]
}

/** As public/companion/transfer_cost.py recorded them. */
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
