/**
 * Charts of a report, as plain data: worked out from metrics by an experiment, drawn by the page,
 * printed as a table where there is no page. A figure holds nothing that is not measured: each
 * point carries its interval, each threshold too.
 */
import type { FileFigure } from './file-shape'
import { isRecord } from '../base/is-record'

/** A scale for what was recorded elsewhere. In the order of use. @internal */
export const RECORDED_HUES = ['recorded-1', 'recorded-2', 'recorded-3', 'recorded-4'] as const

type PointFigure = FileFigure<'points'>
type FileSeries = PointFigure['series'][number]
export type BarFigure = FileFigure<'bars'>
export type GraphFigure = FileFigure<'graph'>
export type FigureHue = FileSeries['hue']
type SeriesHue = FigureHue | (typeof RECORDED_HUES)[number]
export type FigureAxis = PointFigure['x']
export type FigurePoint = FileSeries['points'][number]
export type FigureThreshold = PointFigure['thresholds'][number]
export type BarValue = NonNullable<BarFigure['bars'][number]['total']>
export type GraphNode = GraphFigure['nodes'][number]
export interface FigureSeries extends Omit<FileSeries, 'hue'> {
  readonly hue: SeriesHue
}
export interface Figure extends Omit<PointFigure, 'series'> {
  readonly series: readonly FigureSeries[]
}

export type ReportFigure = Figure | BarFigure | GraphFigure

export const isBarFigure = (figure: ReportFigure): figure is BarFigure => figure.kind === 'bars'
export const isGraphFigure = (figure: ReportFigure): figure is GraphFigure => figure.kind === 'graph'
export const isPointFigure = (figure: ReportFigure): figure is Figure =>
  figure.kind === undefined || figure.kind === 'points'

const withUnit = ({ label, unit }: Pick<FigureAxis, 'label' | 'unit'>): string =>
  unit === '' ? label : `${label}, ${unit}`

/**
 * A figure as rows of text: what the page shows to those who read better than they see, and what a
 * terminal can show.
 */
export function tableOfFigure(figure: ReportFigure, write: (value: number) => string) {
  if (isGraphFigure(figure))
    return {
      columns: ['', 'State', 'Waits for'],
      rows: figure.nodes.map(({ label, state }, index) => [
        label,
        state === 'waits' ? 'waits' : 'has returned',
        figure.edges
          .filter(({ from }) => from === index)
          .map(({ to, label: how }) => `${figure.nodes[to]?.label ?? ''}: ${how}`)
          .join('; '),
      ]),
    }
  const range = ({ low, high }: Pick<BarValue, 'low' | 'high'>) =>
    low === null || high === null ? '' : `${write(low)} to ${write(high)}`
  if (isBarFigure(figure)) {
    const cell = (value: BarValue | null | undefined) =>
      value ? [write(value.value), range(value)].filter(Boolean).join(' · ') : ''
    return {
      columns: ['', ...figure.parts.map(({ label }) => label), `Whole: ${withUnit(figure.axis)}`],
      rows: [
        ...figure.bars.map(({ label, parts, total }) => [
          label,
          ...figure.parts.map(({ id }) => cell(parts[id])),
          cell(total),
        ]),
        ...figure.thresholds.map((threshold) => [
          threshold.label,
          ...figure.parts.map(() => ''),
          cell(threshold),
        ]),
      ],
    }
  }
  return {
    columns: ['', '', withUnit(figure.x), withUnit(figure.y), 'Interval'],
    rows: [
      ...figure.series.flatMap(({ label, points }) =>
        points.map((point) => [label, point.label, write(point.x), write(point.y), range(point)]),
      ),
      ...figure.thresholds.map((threshold) => [
        threshold.label,
        '',
        write(threshold.value),
        '',
        range(threshold),
      ]),
    ],
  }
}

/**
 * Points that were recorded elsewhere and belong on the axes of a figure: a curve of PyTorch beside
 * the visitor's own. A report holds what its run measured and nothing else, so they are added where
 * the figure is shown.
 */
export interface FigureReference {
  /** Id of the figure. */
  readonly figure: string
  /**
   * JSON under public/recordings/: { device, date, points: [{ [field]: number, or { median, low,
   * high } }] }. What was recorded on several numbers of ranks has { worlds: [{ ranks, points }] }
   * instead of `points`, else `ranks` where it was on some.
   */
  readonly file: string
  /**
   * Only points of this operation, recorded on so many ranks. A field `bytes` is read as 'kib',
   * too.
   */
  readonly of?: { readonly operation: string; readonly ranks: number }
  /** Field for x, in the unit of the figure's axis. */
  readonly x: string
  /** Fields for y, each a series of its own; the machine and the date are added to the label. */
  readonly series: readonly { readonly y: string; readonly label: string }[]
}

/** The points that are meant; null where the file is not of that shape. */
function pointsIn(
  recorded: Readonly<Record<string, unknown>>,
  of: FigureReference['of'],
): readonly unknown[] | null {
  const { worlds, points } = recorded
  const world = !of
    ? recorded
    : Array.isArray(worlds)
      ? (worlds as readonly unknown[]).find((each) => isRecord(each) && each['ranks'] === of.ranks)
      : recorded['ranks'] === of.ranks
        ? recorded
        : { points: [] }
  const found = isRecord(world) ? world['points'] : points
  if (!Array.isArray(found)) return null
  return (found as readonly unknown[]).filter(
    (point) => !of || (isRecord(point) && point['operation'] === of.operation),
  )
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/**
 * The figure with the recorded points as series of their own; as it was where the file is not of
 * that shape.
 */
export function withReference(
  figure: Figure,
  { file, x, series, of }: FigureReference,
  recorded: unknown,
): Figure {
  if (!isRecord(recorded)) return figure
  const points = pointsIn(recorded, of)
  const { device, date } = recorded
  if (!points || typeof device !== 'string' || typeof date !== 'string') return figure
  const xOf = (point: Readonly<Record<string, unknown>>): unknown => {
    const bytes = point['bytes']
    return x === 'kib' && isNumber(bytes) ? bytes / 1024 : point[x]
  }
  const pointsOf = (y: string): readonly FigurePoint[] =>
    points.flatMap((point) => {
      if (!isRecord(point)) return []
      const [at, value] = [xOf(point), point[y]]
      if (!isNumber(at)) return []
      if (isNumber(value)) return [{ x: at, y: value, low: null, high: null, label: '' }]
      if (!isRecord(value) || !isNumber(value['median'])) return []
      const [low, high] = [value['low'], value['high']]
      const interval = isNumber(low) && isNumber(high) ? { low, high } : { low: null, high: null }
      return [{ x: at, y: value['median'], ...interval, label: '' }]
    })
  const cpu = recorded['cpu']
  const machine = device === 'cpu' && typeof cpu === 'string' ? cpu : device
  const isRecorded = ({ hue }: { readonly hue: SeriesHue }) =>
    (RECORDED_HUES as readonly SeriesHue[]).includes(hue)
  const before = figure.series.filter(isRecorded).length
  const added = series
    .map(({ y, label }) => ({
      id: of ? `recorded-${file}-${y}` : `recorded-${y}`,
      label: `${label} (${machine}, recorded ${date})`,
      marks: 'points' as const,
      points: pointsOf(y),
    }))
    .filter((each) => each.points.length > 0)
    .map((each, at) => ({
      ...each,
      hue: RECORDED_HUES[(before + at) % RECORDED_HUES.length] ?? RECORDED_HUES[0],
    }))
  return added.length > 0 ? { ...figure, series: [...figure.series, ...added] } : figure
}
