/** How the figures of transfer-cost are read off windows: times, rates, and the fitted line with its intervals. Pure. */
import { lineThrough } from '../declare/line'
import { NOT_NEGATIVE, type RepeatSampler, type View } from '../declare/metric'
import { lengthOf } from '../declare/samplers'
import { variantsOf } from '../evidence'
import type { Evidence, Window } from '../run-types'
import { parseVariant, PIECES, PIECES_AWAITED, type Direction } from './variants'

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

/** Of the direction that a figure is declared at. */
const line = lineThrough<Has>({
  variants: (view) => sizedIn(view, view.variant as Direction), // it is declared at the directions alone
  bytes: (variant) => parseVariant(variant)?.bytes ?? 0,
  timeNs: timeOf,
  periodNs: ({ evidence }) => (evidence.completionLatencyMs ?? 0) * 1e6,
})
export const { alpha, rate, halfSize, error: lineError } = line
