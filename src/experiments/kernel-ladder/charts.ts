/** The two charts of kernel-ladder, from its metrics alone: a measured roofline, and where the time of a step goes. */
import type { BarFigure, BarValue, Figure, FigurePoint, FigureSeries, ReportFigure } from '../../trace/figure'
import { findMetric, type Metric } from '../../trace/report'
import { quotient } from '../../text/interval-arithmetic'
import type { Evidence } from '../run-types'
import { KERNELS } from '../shared-params'

import { FMA_PEAK, moved, rungsIn, STREAM_COPY, TRANSFERS_ONLY } from './variants'

type Metrics = readonly Metric[]
/** A metric that was measured, with its interval in another unit: so many times as large. */
const valueOf = (metric: Metric | undefined, scale = 1): BarValue | null => {
  if (metric?.value == null) return null
  const { value, low, high } = metric
  return {
    value: value * scale,
    low: low === null ? null : low * scale,
    high: high === null ? null : high * scale,
  }
}
const titleOf = (rung: string): string => KERNELS.find(({ value }) => value === rung)?.label ?? rung

export const ladderFigures = (
  metrics: Metrics,
  { derived }: Pick<Evidence, 'derived'>,
): readonly ReportFigure[] =>
  [rooflineFigure(metrics, derived), stepFigure(metrics)].filter((figure) => figure !== null)

/** Null: the device's own roof was not measured. */
function rooflineFigure(metrics: Metrics, derived: Evidence['derived']): Figure | null {
  const peak = findMetric(metrics, 'peak-gflops', FMA_PEAK)
  const copy = findMetric(metrics, 'copy-gb-per-s', STREAM_COPY)
  const intensity = findMetric(metrics, 'intensity')?.value ?? null
  if (peak?.value == null || copy?.value == null || intensity === null) return null
  const link = findMetric(metrics, 'transfer-gb-per-s', TRANSFERS_ONLY)
  const linkRate = link?.value ?? null
  const movedIntensity = Number(derived['flopsPerStep']) / Number(derived['movedBytesPerStep'])
  const ridge = quotient({ name: 'ridge', variant: '', unit: 'flop/byte' }, peak, copy)
  const ridgeAt = ridge.value ?? 1
  const rungs = rungsIn(metrics)
  const resident = rungs.map((rung) => findMetric(metrics, 'gflops', rung))
  const withTransfers = rungs.map((rung) => findMetric(metrics, 'step-gflops', moved(rung)))

  const isTera = peak.value >= 1000
  const unit = isTera ? 1e-3 : 1
  const point = (x: number, metric: Metric | undefined, label = '', scale = 1): readonly FigurePoint[] => {
    const at = valueOf(metric, scale * unit)
    return at ? [{ x, y: at.value, low: at.low, high: at.high, label }] : []
  }
  /** A bandwidth as a slope: so many GB/s allow so many GFLOP/s at this intensity. */
  const sloped = (x: number, bandwidth: Metric | undefined, label = '') => point(x, bandwidth, label, x)
  const perRung = (x: number, rates: readonly (Metric | undefined)[]): readonly FigurePoint[] =>
    rates.flatMap((rate, index) => point(x, rate, titleOf(rungs[index] ?? '')))

  const from = 2 ** Math.floor(Math.log2(Math.min(ridgeAt, intensity) / 4))
  const to = 2 ** Math.ceil(Math.log2(Math.max(ridgeAt, intensity, movedIntensity || 0) * 2))
  const series: FigureSeries[] = [
    {
      id: 'roof',
      label: 'roof: measured bandwidth of device memory, measured peak',
      hue: 'queue',
      marks: 'line',
      points: [...sloped(from, copy, 'device memory'), ...point(ridgeAt, peak), ...point(to, peak, 'peak')],
    },
    {
      id: 'resident',
      label: 'matrices stay on the device',
      hue: 'variant-1',
      marks: 'points',
      points: perRung(intensity, resident),
    },
  ]
  if (linkRate !== null) {
    // The roof is drawn from a little below the slowest kernel to where it would meet the peak.
    const slowest = Math.min(...[...resident, ...withTransfers].map((rate) => rate?.value ?? Infinity))
    series.splice(1, 0, {
      id: 'link-roof',
      label: 'lower roof: measured rate of the transfers alone',
      hue: 'transfer',
      marks: 'line',
      points: [
        ...sloped(Math.max(from, slowest / 4 / linkRate), link, 'transfers'),
        ...sloped(Math.min(to, peak.value / linkRate), link),
      ],
    })
    series.push({
      id: 'moved',
      label: 'A and B there, C back, each step',
      hue: 'variant-3',
      marks: 'points',
      points: perRung(movedIntensity, withTransfers),
    })
  }
  return {
    id: 'roofline',
    title: 'A roofline measured on this device',
    caption:
      linkRate === null
        ? 'The roof is what the device reached. The axis counts A, B and C once: a kernel that reads operands again moves more, and memory can bind it right of the ridge, too. Only matrices that fit the caches may pass the slope.'
        : 'The upper roof is what the device reached by itself, the lower one what the transfers allow in a step. The axis counts A, B and C once: a kernel that reads operands again moves more, and memory can bind it right of the ridge, too.',
    x: { label: 'Work for each byte that must move', unit: 'flop/byte', scale: 'log2' },
    y: { label: 'Rate', unit: isTera ? 'TFLOP/s' : 'GFLOP/s', scale: 'log10' },
    series,
    thresholds: [
      { axis: 'x', value: ridgeAt, low: ridge.low, high: ridge.high, label: 'ridge: memory | arithmetic' },
    ],
  }
}

/** Null: nothing was moved, so a step is its kernel. */
function stepFigure(metrics: Metrics): BarFigure | null {
  const alone = valueOf(findMetric(metrics, 'step-ms', TRANSFERS_ONLY))
  if (!alone) return null
  return {
    kind: 'bars',
    id: 'step',
    title: 'Where the time of a step goes',
    caption:
      'A faster kernel can only shorten its own part. The last bar is a step with no kernel at all, measured like the others, so another may end before it within the intervals.',
    axis: { label: 'Time of a step with transfers', unit: 'ms' },
    parts: [
      { id: 'kernel', label: 'the matmul on the device', hue: 'device' },
      { id: 'host', label: 'the host copying', hue: 'host' },
      { id: 'rest', label: 'on the way, or waiting for completion', hue: 'wait' },
    ],
    bars: rungsIn(metrics).map((rung) => {
      const of = (name: string) => valueOf(findMetric(metrics, name, moved(rung)))
      const total = of('step-ms')
      const parts = {
        kernel: kernelPart(total, of('not-kernel-share')),
        host: of('host-copy-ms'),
        rest: of('rest-ms'),
      }
      return {
        label: titleOf(rung),
        parts: Object.fromEntries(
          Object.entries(parts).flatMap(([id, value]) => (value ? [[id, value] as const] : [])),
        ),
        total,
      }
    }),
    thresholds: [{ ...alone, label: 'transfers alone, no kernel' }],
  }
}

/** The kernel's part of a step, from the share that is not the kernel. */
function kernelPart(step: BarValue | null, share: BarValue | null): BarValue | null {
  if (!step || !share) return null
  const part = (of: number) => step.value * (1 - of)
  return {
    value: part(share.value),
    low: share.high === null ? null : part(share.high),
    high: share.low === null ? null : part(share.low),
  }
}
