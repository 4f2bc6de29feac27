/**
 * Time of the collective over its size, by algorithm, with the model's curves of naive and ring,
 * and what NCCL and Gloo took. Pure.
 */
import type { Figure, FigureSeries, FigureReference } from '../../trace/figure'
import { findMetric, type Metric } from '../../trace/report'
import type { Evidence } from '../run-types'
import { boundedTimeMs } from '../declare/line'
import { costOf } from './curves'
import { boundsOf, curveBetween, pointsOf, thresholdsOf } from '../declare/sizes'
import {
  ALGORITHMS,
  figureOf,
  KIB,
  kibOf,
  NAIVE,
  RANKS,
  RING,
  RIVALS,
  TREE,
  type Operation,
} from './variants'

const HUES = { [NAIVE]: 'variant-3', [TREE]: 'variant-2', [RING]: 'variant-1' } as const

export function figuresOfCollectives(
  metrics: readonly Metric[],
  { params, derived }: Pick<Evidence, 'params' | 'derived'>,
): readonly Figure[] {
  const operation = params['operation'] as Operation // meta.ts has no others
  const ranks = Number(derived['ranks'] ?? params['ranks'])
  const measured = ALGORITHMS.flatMap((id): FigureSeries[] => {
    const points = pointsOf(metrics, 'collective-ms', kibOf(id))
    return points.length > 0 ? [{ id, label: id, hue: HUES[id], marks: 'points-and-line', points }] : []
  })
  if (measured.length === 0) return []
  const sizes = measured.flatMap(({ points }) => points.map(({ x }) => x))
  return [
    {
      id: figureOf(operation, ranks),
      title: `Time of ${operation} over its size, ${String(ranks)} ranks`,
      caption:
        'On the left the messages’ fixed cost decides, on the right their bytes. The band round a model’s curve has α and B at the ends of their intervals.',
      x: { label: 'buffer of each rank', unit: 'KiB', scale: 'log2' },
      y: { label: 'from the barrier to the last rank’s end', unit: 'ms', scale: 'log10' },
      series: [...measured, ...models(metrics, operation, ranks, Math.min(...sizes), Math.max(...sizes))],
      thresholds: thresholdsOf(metrics, [
        ['crossover-kib', '', 'the ring wins, measured'],
        ['predicted-kib', '', 'the ring wins, modelled'],
      ]),
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
  const alphaUs = boundsOf(findMetric(metrics, 'alpha-us'))
  const gbPerS = boundsOf(findMetric(metrics, 'gb-per-s'))
  if (!alphaUs?.value || !gbPerS || !(gbPerS.low > 0)) return []
  return RIVALS.map((algorithm) => {
    const cost = costOf(operation, algorithm, ranks)
    return {
      id: `model-${algorithm}`,
      label: `modelled: ${algorithm}, ${String(cost.messages)} α + ${cost.share.toFixed(2)} bytes / B`,
      hue: HUES[algorithm],
      marks: 'line' as const,
      points: curveBetween(from, to, (kib) => boundedTimeMs(cost, kib * KIB, { alphaUs, gbPerS })),
    }
  })
}

const FILES = {
  nccl: 'torch-nccl-collectives.json',
  four: 'torch-nccl-four.json',
  gloo: 'torch-gloo-collectives.json',
} as const
/** Names that torch.distributed has for them. */
const RECORDED = {
  'all-reduce': 'all_reduce',
  'reduce-scatter': 'reduce_scatter',
  'all-gather': 'all_gather',
  broadcast: 'broadcast',
} as const satisfies Partial<Record<Operation, string>>

/**
 * Recordings of public/companion/collectives.py: NCCL on the ranks that it had, Gloo on as many as
 * are drawn, if that was recorded; and what the profile of four GPUs holds.
 */
export const torchCollectives: readonly FigureReference[] = Object.entries(RECORDED).flatMap(
  ([operation, name]) =>
    RANKS.flatMap((ranks) =>
      (
        [
          [FILES.gloo, 'hostMs', `Gloo, ${String(ranks)} ranks`, ranks],
          [FILES.nccl, 'deviceMs', 'NCCL, 2 GPUs, on the device', 2],
          [FILES.four, 'deviceMs', 'NCCL, 4 GPUs, on the device', 4],
        ] as const
      ).map(([file, y, label, recorded]) => ({
        figure: figureOf(operation as Operation, ranks), // its keys are operations
        file,
        x: 'kib',
        series: [{ y, label }],
        of: { operation: name, ranks: recorded },
      })),
    ),
)
