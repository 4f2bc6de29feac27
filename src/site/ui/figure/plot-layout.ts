/** Where everything of a point figure goes, in px. Pure: the component draws what this says, tests read it. */
import type { Figure, FigurePoint, FigureSeries, FigureThreshold } from '../../../trace/figure'
import { domainOf, isPlaceable, type Scale, scaleOf, ticksOf } from './axes'

/** @returns positions in the order of `wanted`. Where they cannot all fit between low and high, they are packed from low on. @internal */
export function spread(
  wanted: readonly number[],
  gap: number,
  low = -Infinity,
  high = Infinity,
): readonly number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  // Without the gaps before it, each would like to stand here; then equal is allowed and order is all that matters.
  const pools: { sum: number; count: number }[] = []
  order.forEach((index, rank) => {
    let pool = { sum: (wanted[index] ?? 0) - rank * gap, count: 1 }
    for (;;) {
      const before = pools.at(-1)
      if (!before || before.sum / before.count < pool.sum / pool.count) break
      pools.pop()
      pool = { sum: before.sum + pool.sum, count: before.count + pool.count }
    }
    pools.push(pool)
  })
  const most = high - (wanted.length - 1) * gap
  const placed = wanted.map(() => 0)
  let rank = 0
  for (const { sum, count } of pools) {
    const at = Math.max(low, Math.min(most, sum / count))
    for (let member = 0; member < count; member += 1) {
      placed[order[rank] ?? 0] = at + rank * gap
      rank += 1
    }
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
/** Points whose labels could meet stand nearer than this. */
const NEAR_PX = 110
const BESIDE = 10
const SHORTEST_WHISKER = 3
const ROOM_FOR_LINE_NAMES = 400

export function layOutPlot(figure: Figure, width: number) {
  const ends = { x: domainOf(figure, 'x'), y: domainOf(figure, 'y') }
  const height = Math.round(Math.max(300, Math.min(440, width * 0.62)))
  const verticals = figure.thresholds
    .filter(({ axis }) => axis === 'x')
    .toSorted((one, other) => one.value - other.value)
  // The y axis' name stands above the plot, each vertical threshold's in a line of its own under it.
  const plotTop = LINE + 12 + verticals.length * LINE
  const plotBottom = height - BELOW
  const y = scaleOf(figure.y, ends.y, [plotBottom, plotTop])
  const yTicks = ticksOf(figure.y, y, 26)
  const left = Math.ceil(Math.max(24, ...yTicks.map(({ text }) => widthOf(text))) + 10)
  const right = width - 8
  const plot: Plot = {
    left,
    top: plotTop,
    right: right - reserveFor(figure, scaleOf(figure.x, ends.x, [left, right]), right - left),
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

  const cut = (value: number, [low, high]: readonly [number, number]) => Math.max(low, Math.min(high, value))
  const atOf = ({ axis: which, value }: FigureThreshold) => {
    const [axis, scale, least] = which === 'x' ? [figure.x, x, plot.left] : [figure.y, y, plot.top]
    return isPlaceable(axis, value) ? scale(value) : least
  }
  const names = sidesOf(verticals, atOf, right)
  const thresholds = figure.thresholds.map((threshold): PlacedThreshold => {
    const across = threshold.axis === 'x'
    const [axis, scale] = across ? [figure.x, x] : [figure.y, y]
    const ends = across ? ([plot.left, plot.right] as const) : ([plot.top, plot.bottom] as const)
    const at = atOf(threshold)
    const endOf = (value: number) => (isPlaceable(axis, value) ? cut(scale(value), ends) : ends[0])
    const { low, high } = threshold
    const band =
      low === null || high === null
        ? null
        : ([Math.min(endOf(low), endOf(high)), Math.max(endOf(low), endOf(high))] as const)
    const row = names.findIndex((each) => each.threshold === threshold)
    const isLeft = names[row]?.isLeft === true
    const labelY = plot.top - 6 - (names.length - 1 - row) * LINE
    const label: PlacedLabel = across
      ? {
          text: threshold.label,
          x: isLeft ? at - 5 : at + 5,
          y: labelY,
          anchor: isLeft ? 'end' : 'start',
          leader: [at, labelY - 9, at, plot.top],
        }
      : { text: threshold.label, x: plot.right, y: at - 6, anchor: 'end', leader: null }
    return { threshold, at, band, label }
  })
  // Where it is narrow, names of points need all the room; what the lines are is in the legend.
  const lineNames = plot.right - plot.left >= ROOM_FOR_LINE_NAMES ? labelsOfLines(series, plot) : []
  const labels = [...labelsOfPoints(series, plot, right), ...lineNames]
  return { width, height, plot, x, y, xTicks, yTicks, series, thresholds, labels }
}

/** Whether its points were measured, and are drawn. */
export const hasPoints = ({ marks }: Pick<FigureSeries, 'marks'>): boolean => marks !== 'line'

/** Room beside the plot for the names of points that stand near its right edge; at most a third of the width. */
function reserveFor(figure: Figure, x: Scale, width: number): number {
  const ends = figure.series
    .filter(hasPoints)
    .flatMap(({ points }) =>
      points
        .filter((point) => point.label !== '' && isPlaceable(figure.x, point.x))
        .map((point) => x(point.x) + 2.4 * BESIDE + widthOf(point.label)),
    )
  const [, edge = 0] = x.range()
  return Math.min(width / 3, Math.max(0, ...ends.map((end) => end - edge)))
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
 * The names of upright lines, from above down, and which stand to the left of their line: those without room up to the edge, or up to a line
 * whose name does. Those stand above the others, the outermost highest on either side, so that no line passes through a name.
 */
function sidesOf(
  verticals: readonly FigureThreshold[],
  atOf: (threshold: FigureThreshold) => number,
  right: number,
): readonly { readonly threshold: FigureThreshold; readonly isLeft: boolean }[] {
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

/** Beside their points. Series that stand near each other take different sides; labels of one side and place are spread. */
function labelsOfPoints(series: readonly PlacedSeries[], plot: Plot, right: number): readonly PlacedLabel[] {
  const named = series
    .filter((placed) => hasPoints(placed.series))
    .flatMap(({ index, points }) =>
      points.filter(({ point }) => point.label !== '').map((point) => ({ ...point, index })),
    )
  const sideOf = (one: (typeof named)[number]): 'start' | 'end' => {
    if (one.x + BESIDE + widthOf(one.point.label) > right) return 'end'
    const rightNeighbour = named.some(
      (other) => other.index !== one.index && other.x > one.x && other.x - one.x < NEAR_PX,
    )
    return rightNeighbour ? 'end' : 'start'
  }
  // One column of labels for all that share a side and begin near each other.
  const columns: { side: 'start' | 'end'; x: number; points: (typeof named)[number][] }[] = []
  for (const one of named) {
    const side = sideOf(one)
    const column = columns.find((each) => each.side === side && Math.abs(each.x - one.x) < NEAR_PX)
    if (column) column.points.push(one)
    else columns.push({ side, x: one.x, points: [one] })
  }
  return columns.flatMap(({ side, points }) => {
    const ys = spread(
      points.map(({ y }) => y),
      LINE,
      plot.top + LINE / 2,
      plot.bottom - LINE / 2,
    )
    const away = side === 'start' ? 1 : -1
    const moved = points.some(({ y }, at) => Math.abs((ys[at] ?? y) - y) > 4)
    return points.map(({ point, x, y }, at): PlacedLabel => {
      const labelY = ys[at] ?? y
      const labelX = x + away * (moved ? 2.4 * BESIDE : BESIDE)
      return {
        text: point.label,
        x: labelX,
        y: labelY + 4,
        anchor: side,
        leader: moved ? [x + away * 7, y, labelX - away * 3, labelY] : null,
      }
    })
  })
}

/** Names along lines: at the left end below a line that rises, at the right end above it. */
function labelsOfLines(series: readonly PlacedSeries[], plot: Plot): readonly PlacedLabel[] {
  return series
    .filter(({ series: { marks } }) => marks === 'line')
    .flatMap(({ points }) =>
      points.flatMap(({ point, x, y }, index): readonly PlacedLabel[] => {
        if (point.label === '') return []
        const atEnd = index === points.length - 1
        const next = points[index + 1]
        const rises = next !== undefined && next.y < y - 4
        const labelY = rises && !atEnd ? y + LINE : y - 8
        return [
          {
            text: point.label,
            x: atEnd ? x - 4 : x + 8,
            y: Math.max(plot.top - 2, Math.min(plot.bottom - 5, labelY)),
            anchor: atEnd ? 'end' : 'start',
            leader: null,
          },
        ]
      }),
    )
}
