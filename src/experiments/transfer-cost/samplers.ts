/** How the figures of transfer-cost are read off windows: times, rates, and the fitted line with its intervals. Pure. */
import { readCounts } from '../declare/counts'
import { lineThrough } from '../declare/line'
import { NOT_NEGATIVE, type RepeatSampler, type View } from '../declare/metric'
import { lengthOf } from '../declare/samplers'
import { variantsOf } from '../evidence'
import type { Evidence, Window } from '../run-types'
import { PIECES, PIECES_AWAITED, transferOf, type Direction } from './variants'

export interface Has {
  readonly pieceKiB: number
}
type OwnView = View<Has>

const transfersIn = ({ derived }: Evidence, variant: string): number =>
  readCounts(derived['transfers']).get(variant) ?? 1
const pieces = ({ derived }: Evidence): number => Number(derived['pieces'])
/** Transfers of a window, whose time is taken for one: of those at once and in pieces all are one. */
export const transfers = ({ evidence, variant }: OwnView): number => transfersIn(evidence, variant)
/** Calls of a window that carry bytes. */
export const calls = (view: OwnView): number =>
  view.variant === PIECES || view.variant === PIECES_AWAITED ? pieces(view.evidence) : transfers(view)
export const carried = ({ evidence, variant, values }: OwnView): number =>
  transferOf(variant)?.bytes ?? pieces(evidence) * values.pieceKiB * 2 ** 10

const timeOf = ({ evidence }: OwnView, window: Window): number =>
  lengthOf(window) / transfersIn(evidence, window.variant)

/** Transfers of a direction that were run, the smallest first. */
const sizedIn = ({ evidence }: OwnView, direction: Direction) =>
  variantsOf(evidence)
    .flatMap((variant) => transferOf(variant) ?? [])
    .filter((transfer) => transfer.direction === direction)
    .toSorted((a, b) => a.bytes - b.bytes)

/** A transfer, and the largest of its direction, where that is another one. */
function besideLargest(view: OwnView) {
  const own = transferOf(view.variant)
  const largest = own && sizedIn(view, own.direction).at(-1)
  return own && largest && own.bytes < largest.bytes ? { own, largest } : null
}

/** Bytes in a second, as a share of those of the largest transfer of the same direction and repeat. */
export const shareOfRate: RepeatSampler<Has> = {
  quantity: 'ratio',
  range: NOT_NEGATIVE,
  sample: (view, window) => {
    const found = besideLargest(view)
    const other = found && view.windowOf(found.largest.id, window.repeat)
    if (!other) return null
    return (found.own.bytes / timeOf(view, window)) * (timeOf(view, other) / found.largest.bytes)
  },
  // The steps of the clock weigh most in the window that is shortest.
  systematic: (view) => {
    const shortest = Math.min(...view.windows.map(lengthOf))
    const found = besideLargest(view)
    const longest = view.evidence.windows.find(({ variant }) => variant === found?.largest.id)
    if (!found || !longest || !(shortest > 0)) return 0
    const share =
      (found.own.bytes / found.largest.bytes) * (timeOf(view, longest) / (shortest / transfers(view)))
    return (share * view.evidence.hostStepNs) / shortest
  },
  missing: () => 'no larger transfer was run in this direction',
}

/** Of the direction that a figure is declared at. */
const line = lineThrough<Has>({
  variants: (view) => sizedIn(view, view.variant as Direction).map(({ id }) => id), // it is declared at the directions alone
  bytes: (variant) => transferOf(variant)?.bytes ?? 0,
  timeNs: timeOf,
  periodNs: ({ evidence }) => (evidence.completionLatencyMs ?? 0) * 1e6,
})
export const { alpha, rate, halfSize, error: lineError } = line
