/**
 * Points that were recorded elsewhere and belong on the axes of a figure: a curve of PyTorch beside
 * the visitor's own. A report holds what its run measured and nothing else, so they are added where
 * the figure is shown.
 */
import { isRecord } from '../base/is-record'
import { RECORDED_HUES, type Figure, type FigurePoint, type SeriesHue } from './figure'

/** Where an experiment's recorded points are, and the fields that are drawn. */
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
