/** Time of the collective over its size, by algorithm, with the model's curves of naive and ring, and what NCCL and Gloo took. Pure. */
import type { BlankFigure, Figure, FigurePoint, FigureSeries } from '../../trace/figure'
import type { FigureReference } from '../../trace/figure-reference'
import { findMetric, type Metric } from '../../trace/report'
import type { Evidence } from '../run-types'
import { boundedTimeMs, costOf } from './curves'
import { curveOf } from './samplers'
import {
  figureOf,
  GPU,
  KIB,
  LEAST_RANKS,
  MOST_RANKS,
  NAIVE,
  OPERATIONS,
  RING,
  RIVALS,
  TREE,
  type Operation,
} from './variants'

const HUES = { [NAIVE]: 'variant-3', [TREE]: 'variant-2', [RING]: 'variant-1', [GPU]: 'variant-4' } as const
const LABELS = {
  [NAIVE]: 'naive',
  [TREE]: 'tree',
  [RING]: 'ring',
  [GPU]: 'ring, tensors on the GPU',
} as const
/** A curve on logarithmic axes: so many points for each power of two. */
const POINTS_A_POWER = 2

const PROGRAMS = [NAIVE, TREE, RING, GPU] as const

const blankOf = (operation: Operation, ranks: number): Figure => ({
  id: figureOf(operation, ranks),
  title: `Time of ${operation} over its size, ${String(ranks)} ranks`,
  caption:
    'On the left the messages’ fixed cost decides, on the right their bytes. The band round a model’s curve has α and B at the ends of their intervals.',
  x: { label: 'buffer of each rank', unit: 'KiB', scale: 'log2' },
  y: { label: 'from the barrier to the last rank’s end', unit: 'ms', scale: 'log10' },
  series: PROGRAMS.map((id) => ({
    id,
    label: LABELS[id],
    hue: HUES[id],
    marks: 'points-and-line',
    points: [],
  })),
  thresholds: [],
})

export const blankCollective = (
  operation: Operation,
  ranks: number,
  sizes: readonly string[],
): readonly BlankFigure[] => [{ figure: blankOf(operation, ranks), at: sizes.map(Number) }]

export function figuresOfCollectives(
  metrics: readonly Metric[],
  { params, derived }: Pick<Evidence, 'params' | 'derived'>,
): readonly Figure[] {
  const operation = params['operation'] as Operation // meta.ts has no others
  const ranks = Number(derived['ranks'] ?? params['ranks'])
  const blank = blankOf(operation, ranks)
  const measured = PROGRAMS.flatMap((program): FigureSeries[] => {
    const points = curveOf(metrics, 'collective-ms', program)
    if (points.length === 0) return []
    return blank.series
      .filter(({ id }) => id === program)
      .map((each) => ({
        ...each,
        points: points.map(({ kib, value, low, high }) => ({ x: kib, y: value, low, high, label: '' })),
      }))
  })
  if (measured.length === 0) return []
  const sizes = measured.flatMap(({ points }) => points.map(({ x }) => x))
  const crossing = findMetric(metrics, 'crossover-kib')
  const predicted = findMetric(metrics, 'predicted-kib')
  return [
    {
      ...blank,
      series: [...measured, ...models(metrics, operation, ranks, Math.min(...sizes), Math.max(...sizes))],
      thresholds: [
        { metric: crossing, label: 'the ring wins, measured' },
        { metric: predicted, label: 'the ring wins, modelled' },
      ].flatMap(({ metric, label }) =>
        metric?.value
          ? [{ axis: 'x' as const, value: metric.value, low: metric.low, high: metric.high, label }]
          : [],
      ),
    },
  ]
}

function models(
  metrics: readonly Metric[],
  operation: Operation,
  ranks: number,
  from: number,
  to: number,
): readonly FigureSeries[] {
  const boundedOf = (name: string) => {
    const metric = findMetric(metrics, name)
    return metric?.value && metric.low !== null && metric.high !== null
      ? { value: metric.value, low: metric.low, high: metric.high }
      : null
  }
  const [alphaUs, gbPerS] = [boundedOf('alpha-us'), boundedOf('gb-per-s')]
  if (!alphaUs || !gbPerS || !(gbPerS.low > 0)) return []
  const count = Math.max(1, Math.round(POINTS_A_POWER * Math.log2(to / from)))
  return RIVALS.map((algorithm) => {
    const cost = costOf(operation, algorithm, ranks)
    return {
      id: `model-${algorithm}`,
      label: `modelled: ${algorithm}, ${String(cost.messages)} α + ${cost.share.toFixed(2)} bytes / B`,
      hue: HUES[algorithm],
      marks: 'line' as const,
      points: Array.from({ length: count + 1 }, (_, at): FigurePoint => {
        const x = from * (to / from) ** (at / count)
        const { value, low, high } = boundedTimeMs(cost, x * KIB, { alphaUs, gbPerS })
        return { x, y: value, ...(low > 0 ? { low, high } : { low: null, high: null }), label: '' }
      }).filter(({ y }) => y > 0),
    }
  })
}

const FILES = {
  nccl: 'torch-nccl-collectives.json',
  four: 'torch-nccl-four.json',
  gloo: 'torch-gloo-collectives.json',
} as const
/** As torch.distributed calls them. */
const RECORDED: Partial<Record<Operation, string>> = {
  'all-reduce': 'all_reduce',
  'reduce-scatter': 'reduce_scatter',
  'all-gather': 'all_gather',
  broadcast: 'broadcast',
}

/**
 * As public/companion/collectives.py recorded them: NCCL on the ranks that it had, Gloo on as many as are drawn, where that was recorded; and
 * what the profile of four GPUs holds.
 */
export const torchCollectives: readonly FigureReference[] = Object.keys(OPERATIONS).flatMap((each) => {
  const operation = each as Operation // its keys
  const name = RECORDED[operation]
  if (name === undefined) return []
  return Array.from({ length: MOST_RANKS - LEAST_RANKS + 1 }, (_, index) => index + LEAST_RANKS).flatMap(
    (ranks): readonly FigureReference[] => [
      {
        figure: figureOf(operation, ranks),
        file: FILES.gloo,
        x: 'kib',
        series: [{ y: 'hostMs', label: `Gloo, ${String(ranks)} ranks` }],
        of: { operation: name, ranks },
      },
      {
        figure: figureOf(operation, ranks),
        file: FILES.nccl,
        x: 'kib',
        series: [{ y: 'deviceMs', label: 'NCCL, 2 GPUs, on the device' }],
        of: { operation: name, ranks: 2 },
      },
      {
        figure: figureOf(operation, ranks),
        file: FILES.four,
        x: 'kib',
        series: [{ y: 'deviceMs', label: 'NCCL, 4 GPUs, on the device' }],
        of: { operation: name, ranks: 4 },
      },
    ],
  )
})
