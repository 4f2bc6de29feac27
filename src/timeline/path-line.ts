/**
 * The critical path as a line: in order of time, each moment on one row. Stretches without a span (the host between its calls) lie on the
 * row of the host's thread. Pure: what a view shows of it, at most one stretch a pixel, is found by binary search.
 */
import type { DrawnPath, DrawnStretch, PathWho } from '../analysis/types'
import { upperBound } from '../base/search'
import { NO_ROW } from '../trace/lane-rows'
import type { LaneLayout, Layout } from './layout'
import { positionInLane } from './navigate'
import { nsToPx, pxToNs, type Scale } from './scale'
import type { TimelineData } from './types'

export interface PathLine {
  readonly path: DrawnPath
  /** Of all parts, in order of time. */
  readonly stretches: readonly DrawnStretch[]
  readonly endNs: Float64Array
  /** By stretch: the span whose row it lies on where it has none of its own; -1 none known. */
  readonly rowSpan: Int32Array
}

export function makePathLine(path: DrawnPath): PathLine {
  const stretches = path.parts.flatMap((part) => part.stretches).sort((a, b) => a.startNs - b.startNs)
  const rowSpan = new Int32Array(stretches.length).fill(-1)
  // The host's own row: of the last host span before, else of the first after.
  let host = stretches.find(({ who, span }) => who === 'host' && span >= 0)?.span ?? -1
  for (const [at, { who, span }] of stretches.entries()) {
    if (who === 'host' && span >= 0) host = span
    rowSpan[at] = span >= 0 ? span : host
  }
  return { path, stretches, endNs: Float64Array.from(stretches, ({ endNs }) => endNs), rowSpan }
}

/** A piece of the line. Between rows it is sloped: something was on its way. CSS px, rows not yet scrolled. */
export interface LinePiece {
  readonly who: PathWho
  readonly leftPx: number
  readonly rightPx: number
  readonly fromYPx: number
  readonly toYPx: number
}

/** On its way from one place to another, or waiting its turn: nothing is at work for it. */
export const isOnTheWay = (who: PathWho): boolean => who !== 'host' && who !== 'device'

/** Pieces in view, in order; between two stretches of which one begins in the pixel where the other ends, those in that pixel are one. */
export function piecesInView(line: PathLine, data: TimelineData, layout: Layout, scale: Scale): LinePiece[] {
  const { stretches, endNs, rowSpan } = line
  const lanes = new Map(layout.lanes.map((lane) => [lane.lane?.id ?? -1, lane]))
  const yOf = (at: number): number | null => rowY(data, lanes, rowSpan[at] ?? -1)
  const found: LinePiece[] = []
  let lastY: number | null = null
  let at = Math.max(0, upperBound(endNs, scale.view.startNs) - 1)
  while (at < stretches.length) {
    const stretch = stretches[at]
    if (!stretch || stretch.startNs > scale.view.endNs) break
    const { who, startNs } = stretch
    const leftPx = nsToPx(scale, startNs)
    const rightPx = Math.max(leftPx, nsToPx(scale, stretch.endNs))
    const y = yOf(at)
    if (y !== null) {
      // A launch comes from the host's row before, a notice goes to the host's row, which is its span's.
      const fromYPx: number = isOnTheWay(who) && isJoined(stretches, at) ? (lastY ?? y) : y
      // The one before the view is there for where the line comes from.
      if (rightPx >= scale.leftPx) found.push({ who, leftPx, rightPx, fromYPx, toYPx: y })
      lastY = y
    }
    // The next that ends beyond this pixel: what lies wholly within it would be drawn over.
    at = Math.max(at + 1, upperBound(endNs, pxToNs(scale, Math.floor(rightPx) + 1), stretches.length))
    if (at >= stretches.length) break
    if (endNs[at - 1] !== stretches[at]?.startNs) lastY = null
  }
  return found
}

/** Whether it follows the one before without a hole (another repeat begins after one). */
const isJoined = (stretches: readonly DrawnStretch[], at: number): boolean =>
  stretches[at - 1]?.endNs === stretches[at]?.startNs

function rowY(data: TimelineData, lanes: ReadonlyMap<number, LaneLayout>, span: number): number | null {
  const lane = lanes.get(data.placed.trace.spans.lane[span] ?? -1)
  if (!lane) return null
  const row = lane.rows[lane.rowOf[positionInLane(data, lane, span)] ?? NO_ROW]
  if (!row) return null
  // Along the edge where host and device face each other: the bar and its name stay readable, and what runs between crosses no bar.
  const inset = Math.min(2.5, row.barPx / 2)
  return lane.kind === 'device' ? row.topPx + inset : row.topPx + row.barPx - inset
}
