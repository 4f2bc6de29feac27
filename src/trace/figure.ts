/**
 * Charts of a report, as plain data: worked out from metrics by an experiment, drawn by the page,
 * printed as a table where there is no page. A figure holds nothing that is not measured: each
 * point carries its interval, each threshold too.
 */

/**
 * A scale for what a run compares: its variants, whatever each of them does. In the order of use.
 */
export const VARIANT_HUES = ['variant-1', 'variant-2', 'variant-3', 'variant-4'] as const

/** The lab's hues (site/ui/theme.css): what a series is about, not how it looks. */
export type FigureHue =
  | 'host'
  | 'wait'
  | 'queue'
  | 'staging'
  | 'transfer'
  | 'device'
  | 'idle'
  | (typeof VARIANT_HUES)[number]

/** A scale for what was recorded elsewhere. In the order of use. */
export const RECORDED_HUES = ['recorded-1', 'recorded-2', 'recorded-3', 'recorded-4'] as const
export type SeriesHue = FigureHue | (typeof RECORDED_HUES)[number]

export interface FigureAxis {
  readonly label: string
  /** '' for a plain number. */
  readonly unit: string
  readonly scale: 'linear' | 'log2' | 'log10'
}

export interface FigurePoint {
  readonly x: number
  readonly y: number
  /** Interval of y, in its unit; null where there is none (one repeat). */
  readonly low: number | null
  readonly high: number | null
  /** A name to stand beside the point; '' for none. */
  readonly label: string
}

export interface FigureSeries {
  readonly id: string
  readonly label: string
  readonly hue: SeriesHue
  /** 'line' joins the points and draws none: a roof, a fitted line. Its legend says so. */
  readonly marks: 'points' | 'points-and-line' | 'line'
  readonly points: readonly FigurePoint[]
}

/**
 * A value of x (or y) that the run worked out, with its interval: the crossover, the ridge of a
 * roofline.
 */
export interface FigureThreshold {
  readonly axis: 'x' | 'y'
  readonly value: number
  readonly low: number | null
  readonly high: number | null
  readonly label: string
}

/** Points over two axes. */
export interface Figure {
  readonly kind?: 'points'
  readonly id: string
  readonly title: string
  /** The point of the chart, in one sentence. */
  readonly caption: string
  readonly x: FigureAxis
  readonly y: FigureAxis
  readonly series: readonly FigureSeries[]
  readonly thresholds: readonly FigureThreshold[]
}

/** One part of every bar of a figure. */
export interface BarPart {
  readonly id: string
  readonly label: string
  readonly hue: FigureHue
}

export interface BarValue {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

interface Bar {
  readonly label: string
  /** By the ids of the parts, stacked in their order. A part that was not measured is left out. */
  readonly parts: Readonly<Record<string, BarValue>>
  /**
   * Measured as a whole, where it was: then the whisker is its own, and the parts need not be
   * summed.
   */
  readonly total: BarValue | null
}

/** Bars of parts that add up, one below the other: where the time of a step goes. */
export interface BarFigure {
  readonly kind: 'bars'
  readonly id: string
  readonly title: string
  readonly caption: string
  /** Axis of the lengths; bars begin at 0, so it is linear. */
  readonly axis: Omit<FigureAxis, 'scale'>
  readonly parts: readonly BarPart[]
  readonly bars: readonly Bar[]
  readonly thresholds: readonly Omit<FigureThreshold, 'axis'>[]
}

/** A rank of a wait-for graph. */
export interface GraphNode {
  readonly label: string
  /** When it was found: waiting, or its program had returned. */
  readonly state: 'waits' | 'returned'
}

/** Who waits for whom: an arrow from each waiting one to the one that it waits for. */
export interface GraphFigure {
  readonly kind: 'graph'
  readonly id: string
  readonly title: string
  readonly caption: string
  readonly nodes: readonly GraphNode[]
  /** `from` and `to` are indices of nodes. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly label: string }[]
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
