/** Device time over the number of kernels: two lines, whose slopes differ by what a pass adds. Pure. */
import type { Figure, FigurePoint } from '../../trace/figure'
import type { Metric } from '../../trace/report'
import type { Evidence } from '../run-types'
import { countOf, COUNTED, launchOf, PASSES } from './variants'

export function countsFigure(
  metrics: readonly Metric[],
  { derived }: Pick<Evidence, 'derived'>,
): readonly Figure[] {
  const kernels = Number(derived['countedKernels'])
  const pointsOf = (launch: string): readonly FigurePoint[] =>
    metrics.flatMap(({ name, variant, value, low, high }) => {
      const count = (countOf(variant) ?? 0) * kernels
      if (name !== 'kernel-us' || launchOf(variant) !== launch || !(count > 0) || value === null) return []
      const allMs = (us: number | null): number | null => us && (us * count) / 1e3
      return [{ x: count, y: (value * count) / 1e3, low: allMs(low), high: allMs(high), label: '' }]
    })
  const series = COUNTED.map((launch) => ({
    id: launch,
    label: launch === PASSES ? 'each kernel in a pass of its own' : 'all kernels in one pass',
    hue: launch === PASSES ? ('variant-3' as const) : ('variant-1' as const),
    marks: 'points-and-line' as const,
    points: pointsOf(launch).toSorted((a, b) => a.x - b.x),
  }))
  if (series.some(({ points }) => points.length < 2)) return []
  return [
    {
      id: 'time-by-kernels',
      title: 'Device time over the number of kernels',
      caption:
        'Only the first begin and the last end of each point are stamped. The slopes of the two lines differ by what a pass of its own adds to a kernel.',
      x: { label: 'kernels', unit: '', scale: 'linear' },
      y: { label: 'time on the device', unit: 'ms', scale: 'linear' },
      series,
      thresholds: [],
    },
  ]
}
