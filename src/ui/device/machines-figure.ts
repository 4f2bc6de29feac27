/** Where machines stand: how long a host waits for a kernel, over the kernel's length. Points were measured, lines are what a model says. Pure. */
import type { ParamValues } from '../../experiments/experiment'
import type { Meta } from '../../experiments/metas'
import type { Figure, FigurePoint, FigureSeries } from '../../trace/figure'
import type { Wait } from '../../trace/machine-costs'

/** Kernels of a lesson's own run. */
export interface WorkingPoint {
  /** Of the lesson. */
  readonly number: number
  readonly kernelMs: number
}

export interface MachinesShown {
  /** Null: the machine has no card yet. */
  readonly own: { readonly measured: readonly Wait[]; readonly modelled: readonly Wait[] } | null
  /** Null: the recording is not here. */
  readonly recorded: { readonly machine: string; readonly waits: readonly Wait[] } | null
  readonly lessons: readonly WorkingPoint[]
  /** Of the run on the page; left out where there is none. */
  readonly kernelMs?: number | null
}

const MS: Readonly<Record<string, number>> = { ms: 1, µs: 1e-3 }

/** From a lesson's values: those of an experiment that sizes its kernels by their time. Null: it has no such length. */
export function kernelLengthMs({ params }: Pick<Meta, 'params'>, values: ParamValues): number | null {
  for (const param of params) {
    const unit = param.type === 'number' && param.name.startsWith('kernel') ? MS[param.unit] : undefined
    const value = values[param.name] ?? param.default
    if (unit !== undefined && typeof value === 'number') return value * unit
  }
  return null
}

/** A model's kernels that come out equal are one point. */
const pointsOf = (waits: readonly Wait[]): readonly FigurePoint[] =>
  [...new Map(waits.map((wait) => [wait.kernelMs, wait])).values()].map(({ kernelMs, waitMs }) => ({
    x: kernelMs,
    y: waitMs,
    low: null,
    high: null,
    label: '',
  }))

/** Lessons of one length share a line. */
function lessonLines(lessons: readonly WorkingPoint[]): Figure['thresholds'] {
  const lengths = [...new Set(lessons.map(({ kernelMs }) => kernelMs))]
  return lengths.map((kernelMs) => {
    const numbers = lessons.filter((each) => each.kernelMs === kernelMs).map(({ number }) => number)
    const label = `${numbers.length > 1 ? 'lessons' : 'lesson'} ${numbers.join(', ')}`
    return { axis: 'x', value: kernelMs, low: null, high: null, label }
  })
}

export function machinesFigure({ own, recorded, lessons, kernelMs = null }: MachinesShown): Figure {
  const series: FigureSeries[] = []
  if (own && own.measured.length > 0)
    series.push({
      id: 'own',
      label: 'your machine: measured',
      hue: 'wait',
      marks: 'points',
      points: pointsOf(own.measured),
    })
  if (own && own.modelled.length > 0)
    series.push({
      id: 'own-modelled',
      label: 'your machine’s card, fitted to these points: modelled',
      hue: 'modelled',
      marks: 'line',
      points: pointsOf(own.modelled),
    })
  if (recorded && recorded.waits.length > 0)
    series.push({
      id: 'browser',
      label: `${recorded.machine}, this lab in Chromium: measured`,
      hue: 'recorded-1',
      marks: 'points',
      points: pointsOf(recorded.waits),
    })
  return {
    id: 'machines',
    title: 'Where your machine stands',
    caption:
      'How long a host waits for 4 bytes after a kernel, over the length of the kernel. Where points lie level, a shorter kernel saves no time. ' +
      (kernelMs === null
        ? 'Upright lines: the kernels of lessons.'
        : 'The upright line is the kernel of this run.'),
    x: { label: 'kernel', unit: 'ms', scale: 'log10' },
    y: { label: 'the host waits', unit: 'ms', scale: 'log10' },
    series,
    thresholds:
      kernelMs === null || kernelMs <= 0
        ? lessonLines(lessons)
        : [{ axis: 'x', value: kernelMs, low: null, high: null, label: 'this run’s kernel' }],
  }
}
