/** The two charts of kernel-ladder, from its metrics alone: a measured roofline, and where the time of a step goes. */
import type { BarFigure, BarValue, Figure, FigurePoint, ReportFigure } from '../../trace/figure'
import { findMetric, type Metric } from '../../trace/report'
import { quotient } from '../interval-arithmetic'
import type { Evidence } from '../run-types'
import { KERNELS } from '../shared-params'
import { rungsIn } from './rules'
import { FMA_PEAK, moved, STREAM_COPY, TRANSFERS_ONLY } from './variants'

const titleOf = (rung: string): string => KERNELS.find(({ value }) => value === rung)?.label ?? rung

export const ladderFigures = (
  metrics: readonly Metric[],
  { derived }: Pick<Evidence, 'derived'>,
): readonly ReportFigure[] =>
  [rooflineFigure(metrics, derived), stepFigure(metrics)].filter((figure) => figure !== null)

const scaled = (value: number | null, scale: number): number | null => (value === null ? null : value * scale)

/** Null where the device's own roof was not measured. */
function rooflineFigure(metrics: readonly Metric[], derived: Evidence['derived']): Figure | null {
  const peak = findMetric(metrics, 'peak-gflops', FMA_PEAK)
  const copy = findMetric(metrics, 'copy-gb-per-s', STREAM_COPY)
  const intensity = findMetric(metrics, 'intensity')?.value ?? null
  if (peak?.value == null || copy?.value == null || intensity === null) return null
  const rungs = rungsIn(metrics)
  const link = findMetric(metrics, 'transfer-gb-per-s', TRANSFERS_ONLY)
  const movedIntensity = Number(derived['flopsPerStep']) / Number(derived['movedBytesPerStep'])
  const ridge = quotient({ name: 'ridge', variant: '', unit: 'flop/byte' }, peak, copy)
  const ridgeAt = ridge.value ?? 1

  const tera = peak.value >= 1000
  const scale = tera ? 1e-3 : 1
  const point = (x: number, metric: Metric | undefined, label: string): readonly FigurePoint[] =>
    metric?.value == null
      ? []
      : [
          {
            x,
            y: metric.value * scale,
            low: scaled(metric.low, scale),
            high: scaled(metric.high, scale),
            label,
          },
        ]
  /** A bandwidth as a slope: so many GB/s allow so many GFLOP/s at this intensity. */
  const sloped = (x: number, bandwidth: Metric, label = ''): readonly FigurePoint[] =>
    point(x, times(bandwidth, x), label)
  const from = 2 ** Math.floor(Math.log2(Math.min(ridgeAt, intensity) / 4))
  const to = 2 ** Math.ceil(Math.log2(Math.max(ridgeAt, intensity, movedIntensity || 0) * 2))
  // The lower roof from where it is of interest, a little below the slowest kernel, to where it would meet the peak.
  const slowest = Math.min(
    ...rungs.flatMap((rung) => [
      findMetric(metrics, 'gflops', rung)?.value ?? Infinity,
      findMetric(metrics, 'step-gflops', moved(rung))?.value ?? Infinity,
    ]),
  )
  const linkFrom = link?.value == null ? from : Math.max(from, slowest / 4 / link.value)
  const linkTo = link?.value == null ? to : Math.min(to, peak.value / link.value)
  return {
    id: 'roofline',
    title: 'A roofline measured on this device',
    caption:
      link?.value == null
        ? 'The roof is what the device reached: left of the ridge its memory decides, right of it its arithmetic. Only matrices that fit the caches may pass the slope. All kernels do the same work on the same bytes, so they stand above each other.'
        : 'The upper roof is what the device reached by itself, the lower one what the transfers allow: a step that uploads A and B and reads C back cannot do better, whatever its kernel, but for the spread of the repeats.',
    x: { label: 'Work for each byte that must move', unit: 'flop/byte', scale: 'log2' },
    y: { label: 'Rate', unit: tera ? 'TFLOP/s' : 'GFLOP/s', scale: 'log10' },
    series: [
      {
        id: 'roof',
        label: 'roof: measured bandwidth of device memory, measured peak',
        hue: 'queue',
        marks: 'line',
        points: [
          ...sloped(from, copy, 'device memory'),
          ...point(ridgeAt, peak, ''),
          ...point(to, peak, 'peak'),
        ],
      },
      ...(link?.value == null
        ? []
        : [
            {
              id: 'link-roof',
              label: 'lower roof: measured rate of the transfers alone',
              hue: 'transfer' as const,
              marks: 'line' as const,
              points: [...sloped(linkFrom, link, 'transfers'), ...sloped(linkTo, link)],
            },
          ]),
      {
        id: 'resident',
        label: 'matrices stay on the device',
        hue: 'device',
        marks: 'points',
        points: rungs.flatMap((rung) => point(intensity, findMetric(metrics, 'gflops', rung), titleOf(rung))),
      },
      ...(link?.value == null
        ? []
        : [
            {
              id: 'moved',
              label: 'A and B there, C back, each step',
              hue: 'wait' as const,
              marks: 'points' as const,
              points: rungs.flatMap((rung) =>
                point(movedIntensity, findMetric(metrics, 'step-gflops', moved(rung)), titleOf(rung)),
              ),
            },
          ]),
    ],
    thresholds: [
      { axis: 'x', value: ridgeAt, low: ridge.low, high: ridge.high, label: 'ridge: memory | arithmetic' },
    ],
  }
}

const times = (metric: Metric, factor: number): Metric => ({
  ...metric,
  value: scaled(metric.value, factor),
  low: scaled(metric.low, factor),
  high: scaled(metric.high, factor),
})

/** Null where nothing was moved: then a step is its kernel. */
function stepFigure(metrics: readonly Metric[]): BarFigure | null {
  const alone = findMetric(metrics, 'step-ms', TRANSFERS_ONLY)
  if (alone?.value == null) return null
  const barValue = (metric: Metric | undefined): BarValue | null =>
    metric?.value == null ? null : { value: metric.value, low: metric.low, high: metric.high }
  return {
    kind: 'bars',
    id: 'step',
    title: 'Where the time of a step goes',
    caption:
      'A faster kernel can only shorten its own part. The line is a step with no kernel at all, measured like the others, so a bar may end on either side of it within the intervals.',
    axis: { label: 'Time of a step with transfers', unit: 'ms' },
    parts: [
      { id: 'kernel', label: 'the matmul on the device', hue: 'device' },
      { id: 'host', label: 'the host copying', hue: 'host' },
      { id: 'rest', label: 'on the way, or waiting for completion', hue: 'wait' },
    ],
    bars: rungsIn(metrics).map((rung) => {
      const variant = moved(rung)
      const step = findMetric(metrics, 'step-ms', variant)
      const share = findMetric(metrics, 'not-kernel-share', variant)
      const parts = {
        kernel: step?.value == null || share?.value == null ? null : ofStep(step.value, share),
        host: barValue(findMetric(metrics, 'host-copy-ms', variant)),
        rest: barValue(findMetric(metrics, 'rest-ms', variant)),
      }
      return {
        label: titleOf(rung),
        parts: Object.fromEntries(
          Object.entries(parts).flatMap(([id, value]) => (value ? [[id, value] as const] : [])),
        ),
        total: barValue(step),
      }
    }),
    thresholds: [
      { value: alone.value, low: alone.low, high: alone.high, label: 'transfers alone, no kernel' },
    ],
  }
}

/** The kernel's part of a step of this length, from the share that is not the kernel. */
const ofStep = (stepMs: number, share: Metric): BarValue => ({
  value: stepMs * (1 - (share.value ?? 0)),
  low: share.high === null ? null : stepMs * (1 - share.high),
  high: share.low === null ? null : stepMs * (1 - share.low),
})
