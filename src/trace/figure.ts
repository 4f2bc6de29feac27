/**
 * Charts of a report, as plain data: worked out from metrics by an experiment, drawn by the page,
 * printed as a table where there is no page. A figure holds nothing that is not measured: each
 * point carries its interval, each threshold too.
 */

import type { FileFigure } from './file-shape'

/** A scale for what was recorded elsewhere. In the order of use. */
export const RECORDED_HUES = ['recorded-1', 'recorded-2', 'recorded-3', 'recorded-4'] as const

type PointFigure = FileFigure<'points'>
type FileSeries = PointFigure['series'][number]
export type BarFigure = FileFigure<'bars'>
export type GraphFigure = FileFigure<'graph'>
export type FigureHue = FileSeries['hue']
export type SeriesHue = FigureHue | (typeof RECORDED_HUES)[number]
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

/**
 * A figure as rows of text: what the page shows to those who read better than they see, and what a
 * terminal can show.
 */
export interface FigureTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const withUnit = ({ label, unit }: Pick<FigureAxis, 'label' | 'unit'>): string =>
  unit === '' ? label : `${label}, ${unit}`

export function tableOfFigure(figure: ReportFigure, write: (value: number) => string): FigureTable {
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
        ...(threshold.axis === 'x' ? [write(threshold.value), ''] : ['', write(threshold.value)]),
        range(threshold),
      ]),
    ],
  }
}
