/**
 * The critical path as a line: in order of time, each moment on one row. Segments without a span
 * (the host between its calls) lie on the row of the host's thread. Pure: what a view shows of it,
 * at most one segment a pixel, is found by binary search.
 */
import type { DrawnPath, PathColumns, PathOwner } from '../analysis/types'
import { upperBound } from '../base/search'
import type { LaneLayout, Layout } from './layout'
import { rowOfSpan } from './navigate'
import { nsToPx, pxToNs, type Scale } from './scale'
import type { TimelineData } from './types'

export interface PathLine extends PathColumns {
  /**
   * By segment: the span whose row it lies on, where it has none of its own that of the host; -1
   * none known.
   */
  readonly rowSpan: Int32Array
}

/** A line for each part: nothing leads from one repeat to the next. */
export const makePathLines = ({ parts }: DrawnPath): readonly PathLine[] =>
  parts.map(({ segments }) => {
    const { length, who, span, owners } = segments
    const hostOwner = owners.indexOf('host')
    const isOfHost = (at: number): boolean => who[at] === hostOwner && (span[at] ?? -1) >= 0
    const rowSpan = new Int32Array(length)
    // The host's own row: of the last host span before, else of the first after.
    let host = span[who.findIndex((_, at) => isOfHost(at))] ?? -1
    for (let at = 0; at < length; at += 1) {
      const own = span[at] ?? -1
      if (isOfHost(at)) host = own
      rowSpan[at] = own >= 0 ? own : host
    }
    return { ...segments, rowSpan }
  })

/**
 * A segment of the line. Between rows it is sloped: something was on its way. CSS px, rows not yet
 * scrolled.
 */
export interface LineSegment {
  readonly who: PathOwner
  readonly leftPx: number
  readonly rightPx: number
  readonly fromYPx: number
  readonly toYPx: number
}

/** On its way from one place to another, or waiting its turn: nothing is at work for it. */
export const isOnTheWay = (who: PathOwner): boolean => who !== 'host' && who !== 'device'

/** Pieces in view, in order: of what lies wholly within a pixel that is drawn already, none. */
export function segmentsInView(
  line: PathLine,
  data: TimelineData,
  layout: Layout,
  scale: Scale,
): LineSegment[] {
  const { length, startNs, endNs, rowSpan } = line
  const lanes = new Map(layout.lanes.map((lane) => [lane.lane?.id ?? -1, lane]))
  const found: LineSegment[] = []
  let lastY: number | null = null
  let at = Math.max(0, upperBound(endNs, scale.view.startNs) - 1)
  while (at < length) {
    const beginNs = startNs[at] ?? Infinity
    if (beginNs > scale.view.endNs) break
    const who = line.owners[line.who[at] ?? -1] ?? 'host'
    const leftPx = nsToPx(scale, beginNs)
    const rightPx = Math.max(leftPx, nsToPx(scale, endNs[at] ?? beginNs))
    const y = rowY(data, lanes, rowSpan[at] ?? -1)
    if (y !== null) {
      // A launch comes from the host's row before, a notice goes to the host's row, which is its
      // span's.
      const fromYPx: number = isOnTheWay(who) ? (lastY ?? y) : y
      // The one before the view is there for where the line comes from.
      if (rightPx >= scale.leftPx) found.push({ who, leftPx, rightPx, fromYPx, toYPx: y })
      lastY = y
    }
    at = Math.max(at + 1, upperBound(endNs, pxToNs(scale, Math.floor(rightPx) + 1)))
  }
  return found
}

function rowY(data: TimelineData, lanes: ReadonlyMap<number, LaneLayout>, span: number): number | null {
  const lane = lanes.get(data.placed.trace.spans.lane[span] ?? -1)
  if (!lane) return null
  const row = rowOfSpan(data, lane, span)
  if (!row) return null
  // Along the edge where host and device face each other: the bar and its name stay readable, and
  // what runs between crosses no bar.
  const inset = Math.min(2.5, row.barPx / 2)
  return lane.kind === 'device' ? row.topPx + inset : row.topPx + row.barPx - inset
}
