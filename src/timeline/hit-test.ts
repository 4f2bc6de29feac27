/**
 * From a point on the canvas to what lies under it. CSS px from the canvas's top left, rows already
 * scrolled. Pure.
 */
import { lowerBound, upperBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import { firstOf, visitRow, type Pyramid } from './lod/pyramid'
import type { LaneLayout, Layout } from './layout'
import { nsToPx, pxToNs, type Scale } from './scale'
import type { Target, TimelineData } from './types'
import { laneOfSpan, rowOfSpan } from './navigate'
import { MERGE_PX } from './visible'

/** A one-pixel bar must be possible to hit with a hand. */
const REACH_PX = 4
/** Areas snap to edges from further away. */
const EDGE_REACH_PX = 6

export const laneAt = (layout: Layout, yPx: number): LaneLayout | null =>
  layout.lanes.find(({ topPx, heightPx }) => yPx >= topPx && yPx < topPx + heightPx) ?? null

/** Lanes that a vertical extent touches. */
export const lanesBetween = (layout: Layout, fromPx: number, toPx: number): number[] =>
  layout.lanes.flatMap(({ lane, topPx, heightPx }) =>
    lane && topPx < Math.max(fromPx, toPx) && topPx + heightPx > Math.min(fromPx, toPx) ? [lane.id] : [],
  )

/**
 * Returns the span of a row nearest to a point, within reach; where several hold it, the shortest
 * (the innermost).
 */
function nearestOf(row: Pyramid | null | undefined, scale: Scale, xPx: number): number | null {
  if (!row) return null
  let best = -1
  let [bestDistance, bestLength] = [REACH_PX, Infinity]
  const consider = (position: number): void => {
    const leftPx = nsToPx(scale, row.startNs[position] ?? 0)
    const rightPx = nsToPx(scale, row.endNs[position] ?? 0)
    const distance = Math.max(0, leftPx - xPx, xPx - rightPx)
    const length = rightPx - leftPx
    if (distance > bestDistance || (distance === bestDistance && length >= bestLength)) return
    best = position
    bestDistance = distance
    bestLength = length
  }
  const limitNs = 1 / scale.pxPerNs
  visitRow(row, pxToNs(scale, xPx - REACH_PX), pxToNs(scale, xPx + REACH_PX), limitNs, {
    onSpan: consider,
    // Where spans share a pixel, the longest is the one that people see.
    onNode: (level, node) => consider(row.levels[level]?.longest[node] ?? 0),
  })
  return row.span[best] ?? null
}

export function hitTest(
  data: TimelineData,
  layout: Layout,
  scale: Scale,
  xPx: number,
  yPx: number,
): Target | null {
  if (xPx < scale.leftPx || xPx > scale.rightPx) return null
  const timeNs = pxToNs(scale, xPx)
  if (yPx >= layout.bandTopPx && yPx < layout.bandTopPx + layout.bandPx) {
    const band = layout.bands.find(({ startNs, endNs }) => startNs <= timeNs && timeNs <= endNs)
    return band ? { type: 'span', span: band.span } : null
  }
  const lane = laneAt(layout, yPx)
  if (!lane) return null
  if (lane.counterHeightPx > 0 && yPx >= lane.counterTopPx && yPx < lane.counterTopPx + lane.counterHeightPx)
    return counterTarget(data.placed, lane, timeNs)
  if (lane.gapHeightPx > 0 && yPx >= lane.gapTopPx) {
    const gap = nearestOf(lane.gaps?.row, scale, xPx)
    if (gap !== null) return { type: 'gap', gap }
  }
  // Rows can be thinner than a finger: the nearest row that has something here.
  const rows = lane.rows
    .map(({ topPx, barPx, spans }) => ({ spans, away: Math.max(0, topPx - yPx, yPx - topPx - barPx) }))
    .filter(({ away }) => away <= REACH_PX)
    .sort((a, b) => a.away - b.away)
  for (const { spans } of rows) {
    const span = nearestOf(spans, scale, xPx)
    if (span !== null) return { type: 'span', span }
  }
  return null
}

/** With the value of the last sample at or before the time; null before the first. */
function counterTarget({ trace }: PlacedTrace, lane: LaneLayout, timeNs: number): Target | null {
  const counter = lane.counters[0] ?? -1
  const columns = trace.counters[counter]
  const value = columns?.value[upperBound(columns.timeNs, timeNs, columns.length) - 1]
  return value === undefined ? null : { type: 'counter', counter, timeNs, value }
}

/** A time of this lane: that of the nearest edge of a span within reach, else the point's own. */
export function snapToEdge(lane: LaneLayout | null, scale: Scale, xPx: number): number {
  const timeNs = pxToNs(scale, xPx)
  let best = timeNs
  let bestDistance = EDGE_REACH_PX / scale.pxPerNs
  const consider = (edgeNs = Number.NaN): void => {
    if (!(Math.abs(edgeNs - timeNs) < bestDistance)) return
    best = edgeNs
    bestDistance = Math.abs(edgeNs - timeNs)
  }
  const limitNs = 1 / scale.pxPerNs
  for (const { spans } of lane?.rows ?? [])
    if (spans)
      visitRow(spans, pxToNs(scale, xPx - EDGE_REACH_PX), pxToNs(scale, xPx + EDGE_REACH_PX), limitNs, {
        onSpan: (position) => {
          consider(spans.startNs[position])
          consider(spans.endNs[position])
        },
        // Within a pixel one edge is as good as another.
        onNode: (level, node) => consider(spans.startNs[firstOf(level, node)]),
      })
  return best
}

/** High enough for a finger, to both sides of the middle of the lane's first line. */
const FINGER_PX = 12

/** A name that has no room beside its group's title stands this far under it. */
export const SECOND_LINE_PX = 16

/** Middle of the header's first line, where the name stands. */
export function headerMiddlePx(lane: LaneLayout): number {
  const first = lane.rows[0]
  if (lane.counterHeightPx > 0) return lane.counterTopPx + 10
  return first ? first.topPx + first.barPx / 2 : lane.topPx + 12
}

/** The lane that a press on its name folds or unfolds. */
export function foldedBy(layout: Layout, xPx: number, yPx: number): LaneLayout | null {
  if (layout.headerPx === 0 || xPx >= layout.headerPx) return null
  const lane = laneAt(layout, yPx)
  if (!lane || lane.fold === 'none') return null
  const below = yPx - headerMiddlePx(lane)
  return below >= -FINGER_PX && below <= FINGER_PX + SECOND_LINE_PX ? lane : null
}

/**
 * Where spans are too narrow to be drawn one by one: how many begin within the pixel under the
 * pointer. 1 where what is there is drawn by itself.
 */
export function mergedAt(
  data: TimelineData,
  layout: Layout,
  scale: Scale,
  dpr: number,
  target: Target | null,
  xPx: number,
): number {
  if (target?.type !== 'span') return 1
  const lane = laneOfSpan(data, layout, target.span)
  const row = lane && rowOfSpan(data, lane, target.span)?.spans
  const [startNs = Number.NaN, endNs = Number.NaN] = [
    data.placed.startNs[target.span],
    data.placed.endNs[target.span],
  ]
  if (!row || !(endNs - startNs < MERGE_PX / dpr / scale.pxPerNs)) return 1
  // The pointer reaches a few pixels: the pixel of the span that it reached.
  const px = Math.min(Math.max(xPx, nsToPx(scale, startNs)), nsToPx(scale, endNs))
  const column = Math.floor((px - scale.leftPx) * dpr)
  const edgeNs = (at: number): number => pxToNs(scale, scale.leftPx + at / dpr)
  const before = (at: number): number => lowerBound(row.startNs, edgeNs(at), row.length)
  return Math.max(1, before(column + 1) - before(column))
}
