/**
 * Points that were recorded elsewhere and belong on the axes of a figure: a curve of PyTorch beside the visitor's own. A report holds
 * what its run measured and nothing else, so they are added where the figure is shown.
 */
import type { Figure, FigureHue, FigurePoint } from './figure'

/** Where an experiment's recorded points are, and which of their fields are drawn. */
export interface FigureReference {
  /** Id of the figure. */
  readonly figure: string
  /** JSON under public/recordings/: { device, date, points: [{ [field]: number }] }. */
  readonly file: string
  /** Field for x, in the unit of the figure's axis. */
  readonly x: string
  /** Fields for y, each a series of its own; the machine and the date are added to the label. */
  readonly series: readonly { readonly y: string; readonly label: string; readonly hue: FigureHue }[]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The figure with the recorded points as series of their own; as it was where the file is not of that shape. */
export function withReference(figure: Figure, { x, series }: FigureReference, recorded: unknown): Figure {
  if (!isRecord(recorded) || !Array.isArray(recorded['points'])) return figure
  const { device, date } = recorded
  if (typeof device !== 'string' || typeof date !== 'string') return figure
  const points: readonly unknown[] = recorded['points']
  const pointsOf = (y: string): readonly FigurePoint[] =>
    points.flatMap((point) => {
      const [at, value] = isRecord(point) ? [point[x], point[y]] : []
      const known = typeof at === 'number' && typeof value === 'number' && Number.isFinite(at + value)
      return known ? [{ x: at, y: value, low: null, high: null, label: '' }] : []
    })
  const added = series
    .map(({ y, label, hue }) => ({
      id: `recorded-${y}`,
      label: `${label} (${device}, recorded ${date})`,
      hue,
      marks: 'points' as const,
      points: pointsOf(y),
    }))
    .filter((each) => each.points.length > 0)
  return { ...figure, series: [...figure.series, ...added] }
}
