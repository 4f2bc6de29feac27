/** A curve that was drawn by hand on a chart's axes: what a pointer draws, and how far it is from what was measured. Pure. */
import type { Curve } from '../../state/lesson-store'
import {
  isPointFigure,
  type Figure,
  type FigureAxis,
  type FigureSeries,
  type ReportFigure,
} from '../../../trace/figure'
import { isPlaceable, quantityText } from './axes'

/** Less is no curve. */
export const LEAST_POINTS = 2

/** A handle and where it stands, in px. */
export interface Placed {
  readonly index: number
  readonly y: number
}

/** Every handle that a pointer passed from one event to the next, on the straight line between the two. */
export function passed(from: Placed | null, to: Placed): readonly Placed[] {
  if (from === null) return [to]
  const count = Math.abs(to.index - from.index)
  const way = Math.sign(to.index - from.index)
  return Array.from({ length: Math.max(1, count) }, (_, at) => {
    const part = count === 0 ? 1 : (at + 1) / count
    return { index: from.index + way * (count === 0 ? 0 : at + 1), y: from.y + (to.y - from.y) * part }
  })
}

/** With that value there, instead of any that it had. */
export const withValue = (curve: Curve, x: number, y: number): Curve =>
  [...curve.filter(([other]) => other !== x), [x, y] as const].toSorted(([one], [other]) => one - other)

const isLog = ({ scale }: FigureAxis): boolean => scale !== 'linear'

/** Straight between its points, as the chart draws it; null beyond its ends. */
function valueAt(curve: Curve, x: number, axes: Pick<Figure, 'x' | 'y'>): number | null {
  const ordered = curve.toSorted(([one], [other]) => one - other)
  const after = ordered.findIndex(([each]) => each >= x)
  const [next, before] = [ordered[after], ordered[after - 1]]
  if (!next) return null
  if (next[0] === x) return next[1]
  if (!before) return null
  const onX = isLog(axes.x) ? Math.log : (value: number) => value
  const part = (onX(x) - onX(before[0])) / (onX(next[0]) - onX(before[0]))
  return isLog(axes.y) ? before[1] * (next[1] / before[1]) ** part : before[1] + (next[1] - before[1]) * part
}

export interface Off {
  readonly x: number
  readonly drawn: number
  readonly measured: number
  /** How many times too high or too low, at least 1. */
  readonly times: number
  readonly isWithin: boolean
}

/** At the measured point where the curve is furthest off; null where it reaches none. Within an interval it is not off at all. */
export function furthestOff(curve: Curve, figure: Figure, series: string): Off | null {
  const points = figure.series.find(({ id }) => id === series)?.points ?? []
  const offs = points.flatMap(({ x, y, low, high }): readonly Off[] => {
    const drawn = valueAt(curve, x, figure)
    if (drawn === null || !(y > 0)) return []
    const isWithin = low !== null && high !== null && drawn >= low && drawn <= high
    return [{ x, drawn, measured: y, times: Math.max(drawn / y, y / drawn), isWithin }]
  })
  const [first = null, ...others] = offs
  const weight = ({ isWithin, times }: Off) => (isWithin ? 0 : times)
  return first && others.reduce((most, each) => (weight(each) > weight(most) ? each : most), first)
}

export const pointFigure = (figures: readonly ReportFigure[] | undefined, id: string | undefined) =>
  figures?.filter(isPointFigure).find((figure) => figure.id === id)

export const quantityAt = ({ y, x }: Figure, value: number, at: number): string =>
  `${quantityText(y, value)} at ${quantityText(x, at)}`

/** Only what has a place on the axes: a report may have others than those it was drawn on. */
export const drawnSeries = (curve: Curve, figure: Figure, label: string): FigureSeries => ({
  id: 'drawn',
  label,
  hue: 'drawn',
  marks: 'drawn',
  points: curve
    .filter(([x, y]) => isPlaceable(figure.x, x) && isPlaceable(figure.y, y))
    .map(([x, y]) => ({ x, y, low: null, high: null, label: '' })),
})
