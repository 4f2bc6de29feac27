/**
 * Wait and idle time over the length of the kernel. A browser looks for finished work at certain times: the wait stays the same while
 * the kernel grows into it, then jumps to the next look, and the idle time is a saw. Pure.
 */
import type { BlankFigure, Figure, FigurePoint } from '../../trace/figure'
import type { FigureReference } from '../../trace/figure-reference'
import { findMetric, type Metric } from '../../trace/report'
import { isBelow, type Names } from '../../text/facts'
import { curveMs } from './variants'

const STALL_BY_KERNEL = 'stall-by-kernel'

export interface CurvePoint {
  readonly variant: string
  readonly kernel: Metric
  readonly wait: Metric
  readonly idle: Metric | undefined
}

/** Points with a measured kernel and wait, the shortest kernel first. Without timestamps there are none. */
export const curvePoints = (metrics: readonly Metric[]): readonly CurvePoint[] =>
  metrics
    .filter(({ name, variant, value }) => name === 'kernel-ms' && curveMs(variant) !== null && value !== null)
    .flatMap((kernel) => {
      const wait = findMetric(metrics, 'stall-ms', kernel.variant)
      const idle = findMetric(metrics, 'idle-per-stall-ms', kernel.variant)
      return wait?.value == null ? [] : [{ variant: kernel.variant, kernel, wait, idle }]
    })
    .toSorted((a, b) => (a.kernel.value ?? 0) - (b.kernel.value ?? 0))

/**
 * The longest stretch of neighbouring points whose waits do not differ beyond their intervals while the kernel grows and the idle time
 * shrinks: `$short` to `$long`, and `$next`, the point behind it, where its wait is longer. Null where the run shows no such stretch.
 */
export function flatPart(points: readonly CurvePoint[]): Names {
  let best: readonly [number, number] = [0, 0]
  for (let from = 0; from < points.length; from += 1) {
    let to = from
    while (to + 1 < points.length && isSameWait(points.slice(from, to + 2))) to += 1
    if (to - from > best[1] - best[0]) best = [from, to]
  }
  const [short, long, next] = [points[best[0]], points[best[1]], points[best[1] + 1]]
  const shrinks = short && long && isBelow(short.kernel, long.kernel) && isBelow(long.idle, short.idle)
  if (!shrinks) return { short: null, long: null, next: null }
  return {
    short: short.variant,
    long: long.variant,
    next: next && isBelow(long.wait, next.wait) ? next.variant : null,
  }
}

/**
 * The point of the shortest kernel from which on the device computes for at least this share of the time, at every length measured.
 * Null: not even at the longest.
 */
export function fromShare(
  points: readonly CurvePoint[],
  metrics: readonly Metric[],
  share: number,
): string | null {
  const busy = points.map(({ variant }) => findMetric(metrics, 'device-busy-ratio', variant)?.value ?? 0)
  return points[busy.findLastIndex((each) => each < share) + 1]?.variant ?? null
}

/** No two of them are apart. */
const isSameWait = (points: readonly CurvePoint[]): boolean =>
  points.every(({ wait }) => points.every((other) => !isBelow(wait, other.wait)))

const pointsOf = (points: readonly CurvePoint[], metric: (point: CurvePoint) => Metric | undefined) =>
  points.flatMap((point): readonly FigurePoint[] => {
    const y = metric(point)
    if (y?.value == null || point.kernel.value === null || point.kernel.value <= 0) return []
    return [{ x: point.kernel.value, y: y.value, low: y.low, high: y.high, label: '' }]
  })

const CURVE: Figure = {
  id: STALL_BY_KERNEL,
  title: 'Wait and idle time over kernel length',
  caption:
    'How long the host waited after each step, and how long the device then idled. Where the wait stays level, the browser looks for finished work at the same time for each kernel, and a longer kernel leaves less idle time.',
  x: { label: 'kernel of a step, on the device', unit: 'ms', scale: 'log10' },
  y: { label: 'time for each readback', unit: 'ms', scale: 'log10' },
  series: [
    { id: 'wait', label: 'the host waits', hue: 'wait', marks: 'points-and-line', points: [] },
    { id: 'idle', label: 'the device idles', hue: 'idle', marks: 'points-and-line', points: [] },
  ],
  thresholds: [],
}

/** @param lengths of kernels in ms, as the parameter has them */
export const blankCurve = (lengths: readonly string[]): readonly BlankFigure[] => [
  { figure: CURVE, at: lengths.map(Number), needsTimestamps: true },
]

export function curveFigure(metrics: readonly Metric[]): readonly Figure[] {
  const points = curvePoints(metrics)
  if (points.length < 2) return []
  const series = CURVE.series.map((each) => ({
    ...each,
    points: pointsOf(points, ({ wait, idle }) => (each.id === 'wait' ? wait : idle)),
  }))
  return [{ ...CURVE, series }]
}

/** PyTorch's `.item()` on the same axes, as public/companion/sync_stalls_curve.py recorded it. */
export const torchCurve: FigureReference = {
  figure: STALL_BY_KERNEL,
  file: 'torch-sync-stalls-curve.json',
  x: 'kernelMs',
  series: [
    { y: 'waitMs', label: 'PyTorch: the host waits in .item()' },
    { y: 'idleMs', label: 'PyTorch: the device idles' },
  ],
}
