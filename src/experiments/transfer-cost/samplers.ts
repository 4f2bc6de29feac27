/** How the figures of transfer-cost are read off windows: times, rates, and the fitted line with its intervals. Pure. */
import { summarise } from '../../analysis/metrics'
import { median } from '../../base/stats'
import type { Metric } from '../../trace/report'
import {
  NOT_NEGATIVE,
  type DerivedSampler,
  type Named,
  type RepeatSampler,
  type View,
} from '../declare/metric'
import { lengthOf } from '../declare/samplers'
import { variantsOf } from '../evidence'
import type { Evidence, Window } from '../run-types'
import { fitLine, LEAST_SIZES, withoutEach, worstError, type Line, type Point } from './curve-fit'
import { bytesOf, parseVariant, PIECES, PIECES_AWAITED, type Direction } from './variants'

export interface Has {
  readonly pieceKiB: number
}
type OwnView = View<Has>

const transfersIn = ({ derived }: Evidence, variant: string): number => {
  const [, count] = new RegExp(`(?:^| )${variant}=(\\d+)`).exec(String(derived['transfers'] ?? '')) ?? []
  return count === undefined ? 1 : Number(count)
}
const pieces = ({ derived }: Evidence): number => Number(derived['pieces'])
/** Transfers of a window, whose time is taken for one: of those at once and in pieces all are one. */
export const transfers = ({ evidence, variant }: OwnView): number => transfersIn(evidence, variant)
/** Calls of a window that carry bytes. */
export const calls = (view: OwnView): number =>
  view.variant === PIECES || view.variant === PIECES_AWAITED ? pieces(view.evidence) : transfers(view)
export const carried = ({ evidence, variant, values }: OwnView): number =>
  parseVariant(variant)?.bytes ?? pieces(evidence) * values.pieceKiB * 2 ** 10

const timeOf = ({ evidence }: OwnView, window: Window): number =>
  lengthOf(window) / transfersIn(evidence, window.variant)

/** Variants of a direction that were run, the smallest first. */
const sizedIn = ({ evidence }: OwnView, direction: Direction): readonly string[] =>
  variantsOf(evidence)
    .filter((variant) => parseVariant(variant)?.direction === direction)
    .toSorted((a, b) => (parseVariant(a)?.bytes ?? 0) - (parseVariant(b)?.bytes ?? 0))

/** Bytes in a second, as a share of those of the largest transfer of the same direction and repeat. */
export const shareOfRate: RepeatSampler<Has> = {
  kind: 'repeats',
  quantity: 'ratio',
  origin: 'host-clock',
  range: NOT_NEGATIVE,
  sample: (view, window) => {
    const own = parseVariant(view.variant)
    const largest = own && sizedIn(view, own.direction).at(-1)
    const other =
      largest === undefined || largest === null ? undefined : view.windowOf(largest, window.repeat)
    const most = parseVariant(largest ?? '')
    if (!own || !other || !most || own.bytes >= most.bytes) return null
    return (own.bytes / timeOf(view, window)) * (timeOf(view, other) / most.bytes)
  },
  // The steps of the clock weigh most in the window that is shortest.
  systematic: (view) => {
    const shortest = Math.min(...view.windows.map(lengthOf))
    const own = parseVariant(view.variant)
    const all = own ? sizedIn(view, own.direction) : []
    const most = parseVariant(all.at(-1) ?? '')
    const longest = view.evidence.windows.find(({ variant }) => variant === all.at(-1))
    if (!own || !most || !longest || !(shortest > 0)) return 0
    const share = (own.bytes / most.bytes) * (timeOf(view, longest) / (shortest / transfers(view)))
    return (share * view.evidence.hostStepNs) / shortest
  },
  missing: () => 'no larger transfer was run in this direction',
}

/** More than this of a point's own time, and the points do not lie on a line. */
const MOST_ERROR = 0.5

interface Fitted {
  /** Through the medians of all sizes. */
  readonly line: Line
  readonly error: number
  /** Of each repeat. */
  readonly repeats: readonly Line[]
  /** Through the medians of all sizes but one. */
  readonly others: readonly Line[]
  /** How late an end may have been reported beyond what the smallest transfer shows already, ns. */
  readonly lateNs: number
  /** By what the largest transfer takes longer than the smallest, ns. */
  readonly extraNs: number
}

/** The line of a direction, or why there is none. */
function fitted(view: OwnView, direction: Direction): Fitted | string {
  const variants = sizedIn(view, direction)
  if (variants.length < LEAST_SIZES)
    return `a line through fewer than ${String(LEAST_SIZES)} sizes cannot be put to the test`
  const numbers = [...new Set(view.evidence.windows.map(({ repeat }) => repeat))]
  const pointsIn = (repeat: number): readonly Point[] =>
    variants.flatMap((variant) => {
      const window = view.windowOf(variant, repeat)
      return window ? [{ bytes: bytesOf(parseVariant(variant)?.size ?? ''), ns: timeOf(view, window) }] : []
    })
  const all = numbers.map(pointsIn).filter((points) => points.length === variants.length)
  const medians = variants.map((variant, at): Point => ({
    bytes: parseVariant(variant)?.bytes ?? 0,
    ns: median(all.flatMap((points) => points[at]?.ns ?? [])),
  }))
  const line = fitLine(medians)
  const [smallest, largest] = [medians[0], medians.at(-1)]
  if (!line || !smallest || !largest) return 'a transfer took no longer than a step of the clock'
  const periodNs = (view.evidence.completionLatencyMs ?? 0) * 1e6
  // Where even the smallest took about a period, ends are reported on its grid.
  const lateNs = smallest.ns >= periodNs / 2 ? periodNs : 0
  const extraNs = largest.ns - smallest.ns
  if (!(extraNs > lateNs))
    return 'the largest transfer took hardly longer than the smallest, by what this browser reports'
  const error = worstError(line, medians)
  if (!(error <= MOST_ERROR) || !(line.nsPerByte > 0))
    return `the times of the sizes do not lie on a line: one is off by ${error.toFixed(1)} times its own length`
  return {
    line,
    error,
    repeats: all.flatMap((points) => fitLine(points) ?? []),
    others: withoutEach(medians),
    lateNs,
    extraNs,
  }
}

const missing = (named: Named, why: string): Metric => ({
  ...named,
  value: null,
  low: null,
  high: null,
  n: 0,
  origin: 'derived',
  note: why,
})
const NOTE = 'fitted; its interval holds the fits of all repeats, and those without one of the sizes'

/**
 * A figure of the fitted line. The value is the median of the repeats' fits. Its interval is that of the median, widened to hold every
 * fit that leaves one size out: how far the figure depends on the choice of sizes, where the points are not quite on a line.
 */
export const ofLine = (
  quantity: DerivedSampler<Has>['quantity'],
  of: (line: Line) => number,
  /** Bounds where the largest transfer may have ended earlier, or later, by `late` of the time that its bytes took. */
  reported: (value: number, late: number) => readonly [low: number, high: number] = (value) => [value, value],
): DerivedSampler<Has> => ({
  kind: 'derived',
  quantity,
  origin: 'derived',
  derive: (view, named) => {
    const direction = view.variant as Direction // it is declared at the directions alone
    const found = fitted(view, direction)
    if (typeof found === 'string') return missing(named, found)
    const samples = found.repeats.map(of)
    const own = summarise({ ...named, origin: 'derived', samples, note: NOTE, range: NOT_NEGATIVE })
    if (own.value === null) return own
    const late = found.lateNs / found.extraNs
    const bounds = [
      ...found.others.map(of),
      ...reported(own.value, late),
      own.low ?? own.value,
      own.high ?? own.value,
    ]
    const finite = bounds.filter((bound) => Number.isFinite(bound) && bound >= 0)
    return { ...own, low: Math.min(own.value, ...finite), high: Math.max(own.value, ...finite) }
  },
})

/** µs. */
export const alpha = ofLine('time', ({ alphaNs }) => alphaNs / 1e3)
/** Bytes a ns are GB/s. */
export const rate = ofLine(
  'rate',
  ({ nsPerByte }) => (nsPerByte > 0 ? 1 / nsPerByte : Number.NaN),
  (value, late) => [value / (1 + late), value / (1 - late)],
)
export const halfSize = ofLine('count', ({ alphaNs, nsPerByte }) =>
  nsPerByte > 0 ? Math.max(0, alphaNs) / nsPerByte : Number.NaN,
)
/** Of the size that is farthest from the line. */
export const lineError: DerivedSampler<Has> = {
  kind: 'derived',
  quantity: 'ratio',
  origin: 'derived',
  derive: (view, named) => {
    const found = fitted(view, view.variant as Direction) // as above
    if (typeof found === 'string') return missing(named, found)
    const { error, repeats } = found
    return { ...named, value: error, low: error, high: error, n: repeats.length, origin: 'derived' }
  },
}
