/**
 * Where everything of a point figure goes, in px. Pure: the component draws what this says, tests
 * read it.
 */
import type { Figure, FigurePoint, FigureSeries, FigureThreshold } from '../../../trace/figure'
import { domainOf, isPlaceable, scaleOf, ticksOf } from './axes'

/**
 * @returns positions in the order of `wanted`: each moves down as far as it must, and up again
 * where there is no room below.
 * @internal
 */
export function spread(wanted: readonly number[], gap: number, low: number, high: number): readonly number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const placed = [...wanted]
  let least = low
  for (const index of order) {
    placed[index] = Math.max(least, placed[index] ?? 0)
    least = placed[index] + gap
  }
  let most = high
  for (const index of order.toReversed()) {
    placed[index] = Math.min(most, placed[index] ?? 0)
    most = placed[index] - gap
  }
  return placed
}

interface Plot {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface PlacedPoint {
  readonly point: FigurePoint
  readonly x: number
  readonly y: number
  /** Ends of the interval, where it is long enough to be seen. */
  readonly whisker: readonly [number, number] | null
}

export interface PlacedSeries {
  readonly series: FigureSeries
  readonly index: number
  readonly points: readonly PlacedPoint[]
  /** Through all points; '' for none. */
  readonly path: string
  /** Round the intervals of a line's points, closed; '' where they have none. */
  readonly band: string
}

export interface PlacedLabel {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'end'
  /** From the label to what it names, where it had to move away from it. */
  readonly leader: readonly [number, number, number, number] | null
}

interface PlacedThreshold {
  readonly threshold: FigureThreshold
  readonly at: number
  /** The interval, cut at the plot's edges. */
  readonly band: readonly [number, number] | null
  readonly label: PlacedLabel
}

export type PlotLayout = ReturnType<typeof layOutPlot>

/** Lines of text, px; labels that are a line apart do not touch. */
export const LINE = 15
/** Of the text face at 12 px, generously. */
const CHARACTER = 6.6
const widthOf = (text: string): number => text.length * CHARACTER
/** Room under the plot: numbers, then the axis' name. */
const BELOW = 44
const BESIDE = 10
const SHORTEST_WHISKER = 3

export function layOutPlot(figure: Figure, width: number) {
  const ends = { x: domainOf(figure, 'x'), y: domainOf(figure, 'y') }
  const height = Math.round(Math.max(300, Math.min(440, width * 0.62)))
  // The y axis' name stands above the plot, each threshold's in a line of its own under it.
  const plotTop = LINE + 12 + figure.thresholds.length * LINE
  const plotBottom = height - BELOW
  const y = scaleOf(figure.y, ends.y, [plotBottom, plotTop])
  const yTicks = ticksOf(figure.y, y, 26)
  const left = Math.ceil(Math.max(24, ...yTicks.map(({ text }) => widthOf(text))) + 10)
  const right = width - 8
  const plot: Plot = {
    left,
    top: plotTop,
    right: right - reserveFor(figure, right - left),
    bottom: plotBottom,
  }
  const x = scaleOf(figure.x, ends.x, [plot.left, plot.right])
  const xTicks = ticksOf(figure.x, x, 52)

  const series = figure.series.map((each, index): PlacedSeries => {
    const yOf = (value: number) => (isPlaceable(figure.y, value) ? y(value) : plot.bottom)
    const points = each.points
      .filter((point) => isPlaceable(figure.x, point.x) && isPlaceable(figure.y, point.y))
      .map((point): PlacedPoint => ({
        point,
        x: x(point.x),
        y: y(point.y),
        whisker: whiskerOf(point, yOf),
      }))
    const bandOf = (placed: readonly PlacedPoint[]): string => {
      const ends = placed.flatMap(({ point: { low, high }, x: at }) =>
        low === null || high === null ? [] : [{ at, low: yOf(low), high: yOf(high) }],
      )
      if (ends.length < 2) return ''
      const there = ends.map(({ at, high }) => `${at.toFixed(1)} ${high.toFixed(1)}`)
      const back = ends.toReversed().map(({ at, low }) => `${at.toFixed(1)} ${low.toFixed(1)}`)
      return `M${[...there, ...back].join('L')}Z`
    }
    const path =
      each.marks === 'points' || points.length < 2
        ? ''
        : `M${points.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join('L')}`
    return { series: each, index, points, path, band: each.marks === 'line' ? bandOf(points) : '' }
  })

  const atOf = ({ value }: Pick<FigureThreshold, 'value'>) =>
    isPlaceable(figure.x, value) ? x(value) : plot.left
  const names = sidesOf(figure.thresholds, atOf, right)
  const thresholds = names.map(({ threshold, isLeft }, row): PlacedThreshold => {
    const at = atOf(threshold)
    const endOf = (value: number) => Math.max(plot.left, Math.min(plot.right, atOf({ value })))
    const { low, high } = threshold
    const labelY = plot.top - 6 - (names.length - 1 - row) * LINE
    return {
      threshold,
      at,
      band: low === null || high === null ? null : [endOf(low), endOf(high)],
      label: {
        text: threshold.label,
        x: isLeft ? at - 5 : at + 5,
        y: labelY,
        anchor: isLeft ? 'end' : 'start',
        leader: [at, labelY - 9, at, plot.top],
      },
    }
  })
  const labels = labelsOfPoints(series, plot)
  return { width, height, plot, x, y, xTicks, yTicks, series, thresholds, labels }
}

/** Whether its points were measured, and are drawn. */
export const hasPoints = ({ marks }: Pick<FigureSeries, 'marks'>): boolean => marks !== 'line'

/** Room beside the plot for the names of points; at most a third of the width. */
function reserveFor({ series }: Figure, width: number): number {
  const names = series.filter(hasPoints).flatMap(({ points }) => points.map(({ label }) => label))
  const longest = Math.max(0, ...names.map(widthOf))
  return longest === 0 ? 0 : Math.min(width / 3, longest + 2.4 * BESIDE)
}

function whiskerOf(
  { low, high }: FigurePoint,
  yOf: (value: number) => number,
): readonly [number, number] | null {
  if (low === null || high === null) return null
  const ends = [yOf(high), yOf(low)] as const
  return ends[1] - ends[0] >= SHORTEST_WHISKER ? ends : null
}

/**
 * The names of upright lines, from above down, and which stand to the left of their line: those
 * without room up to the edge, or up to a line whose name does. Those stand above the others, the
 * outermost highest on either side, so that no line passes through a name.
 */
function sidesOf(
  thresholds: readonly FigureThreshold[],
  atOf: (threshold: FigureThreshold) => number,
  right: number,
): readonly { readonly threshold: FigureThreshold; readonly isLeft: boolean }[] {
  const verticals = thresholds.toSorted((one, other) => one.value - other.value)
  let limit = right
  const toLeft: FigureThreshold[] = []
  for (const threshold of verticals.toReversed()) {
    const [at, needed] = [atOf(threshold), widthOf(threshold.label) + 8]
    if (at + needed <= limit || at - needed <= 0) continue
    toLeft.push(threshold)
    limit = at
  }
  const others = verticals.filter((each) => !toLeft.includes(each))
  return [
    ...toLeft.map((threshold) => ({ threshold, isLeft: true })),
    ...others.map((threshold) => ({ threshold, isLeft: false })),
  ]
}

/** Right of their points, which are in one column, and spread. */
function labelsOfPoints(series: readonly PlacedSeries[], plot: Plot): readonly PlacedLabel[] {
  const named = series
    .filter((placed) => hasPoints(placed.series))
    .flatMap(({ points }) => points.filter(({ point }) => point.label !== ''))
  const wanted = named.map(({ y }) => y)
  const ys = spread(wanted, LINE, plot.top + LINE / 2, plot.bottom - LINE / 2)
  const moved = named.some(({ y }, at) => Math.abs((ys[at] ?? y) - y) > 4)
  return named.map(({ point, x, y }, at): PlacedLabel => {
    const labelX = x + (moved ? 2.4 * BESIDE : BESIDE)
    const labelY = ys[at] ?? y
    return {
      text: point.label,
      x: labelX,
      y: labelY + 4,
      anchor: 'start',
      leader: moved ? [x + 7, y, labelX - 3, labelY] : null,
    }
  })
}
