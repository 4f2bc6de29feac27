/**
 * A chart of a report, as plain data: worked out from metrics by an experiment, drawn by the page, printed as a table where there is
 * no page. A figure holds nothing that is not measured: each point carries its interval, each threshold too.
 */

/** The lab's hues (VISUAL.md): what a series is about, not how it looks. */
export type FigureHue = 'host' | 'wait' | 'queue' | 'staging' | 'transfer' | 'device' | 'idle'

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
  readonly hue: FigureHue
  /** 'line' joins the points and draws none: a roof, a model. Its legend says so: a line that was not measured itself is called a model. */
  readonly marks: 'points' | 'points-and-line' | 'line'
  readonly points: readonly FigurePoint[]
}

/** A value of x (or y) that the run worked out, with its interval: the crossover, the ridge of a roofline. */
export interface FigureThreshold {
  readonly axis: 'x' | 'y'
  readonly value: number
  readonly low: number | null
  readonly high: number | null
  readonly label: string
}

export interface Figure {
  readonly id: string
  readonly title: string
  /** What to see in it, in one sentence. */
  readonly caption: string
  readonly x: FigureAxis
  readonly y: FigureAxis
  readonly series: readonly FigureSeries[]
  readonly thresholds: readonly FigureThreshold[]
}
