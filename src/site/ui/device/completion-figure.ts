/** When this browser reports that a kernel is done, over the kernel's length: a saw where completion is looked for on a grid. */
import type { Figure, FigureSeries } from '../../../trace/figure'
import type { Completion, Environment } from '../../../trace/report'

/** None without timestamps, and none of fewer than three lengths: two points show no saw. */
export function completionFigures({ completions = [] }: Environment): readonly Figure[] {
  if (completions.length < 3) return []
  const ordered = completions.toSorted((one, other) => one.kernelMs - other.kernelMs)
  const series = (
    id: string,
    label: string,
    hue: FigureSeries['hue'],
    y: (completion: Completion) => number,
  ): FigureSeries => ({
    id,
    label,
    hue,
    marks: 'points-and-line',
    points: ordered.map((each) => ({ x: each.kernelMs, y: y(each), low: null, high: null, label: '' })),
  })
  return [
    {
      id: 'completions',
      title: 'What an await costs depends on the kernel’s length',
      caption:
        'Each point is the median of three round trips with the queue idle. Where the upper line is a staircase, the browser polls for completion at fixed times, and the idle time after a kernel lasts until the next poll.',
      x: { label: 'Kernel', unit: 'ms', scale: 'linear' },
      y: { label: 'After submit()', unit: 'ms', scale: 'linear' },
      series: [
        series('observed', 'completion reported', 'wait', ({ observedMs }) => observedMs),
        series('idle', 'beyond the kernel', 'idle', ({ kernelMs, observedMs }) => observedMs - kernelMs),
      ],
      thresholds: [],
    },
  ]
}
