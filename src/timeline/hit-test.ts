/** From a point on the canvas to what lies under it. CSS px from the canvas's top left, rows already scrolled. Pure. */
import { upperBound } from '../base/search'
import type { PlacedTrace } from '../trace/place'
import type { CounterColumns } from '../trace/schema'
import type { LaneLayout, Layout } from './layout'
import { nsToPx, pxToNs, type Scale } from './scale'
import type { Target, TimelineData } from './types'
import { visibleRange } from './visible'

/** A one-pixel bar must be possible to hit with a hand. */
const REACH_PX = 4

export const laneAt = (layout: Layout, yPx: number): LaneLayout | null =>
  layout.lanes.find(({ topPx, heightPx }) => yPx >= topPx && yPx < topPx + heightPx) ?? null

/** Lanes that a vertical extent touches. */
export const lanesBetween = (layout: Layout, fromPx: number, toPx: number): number[] =>
  layout.lanes.flatMap(({ lane, topPx, heightPx }) =>
    lane && topPx < Math.max(fromPx, toPx) && topPx + heightPx > Math.min(fromPx, toPx) ? [lane.id] : [],
  )

/** The counter's value at a time: that of the last sample at or before it; null before the first. */
export function counterAt(counter: CounterColumns, timeNs: number): number | null {
  const index = upperBound(counter.timeNs, timeNs, counter.length) - 1
  return index < 0 ? null : (counter.value[index] ?? null)
}

/** Nearest drawn span of a row within reach; where several hold the point, the shortest (the innermost). */
export function spanAt(lane: LaneLayout, row: number, scale: Scale, xPx: number): number | null {
  const { placed, rowOf } = lane
  if (!placed) return null
  const [first, last] = visibleRange(placed, pxToNs(scale, xPx - REACH_PX), pxToNs(scale, xPx + REACH_PX))
  let best: number | null = null
  let bestDistance = REACH_PX
  let bestLength = Infinity
  for (let index = first; index < last; index += 1) {
    if (rowOf[index] !== row) continue
    const leftPx = nsToPx(scale, placed.startNs[index] ?? 0)
    const rightPx = nsToPx(scale, placed.endNs[index] ?? 0)
    const distance = Math.max(0, leftPx - xPx, xPx - rightPx)
    const length = rightPx - leftPx
    if (distance < bestDistance || (distance === bestDistance && length < bestLength)) {
      best = placed.span[index] ?? null
      bestDistance = distance
      bestLength = length
    }
  }
  return best
}

function gapAt(data: TimelineData, lane: LaneLayout, scale: Scale, xPx: number): number | null {
  let best: number | null = null
  let bestDistance = REACH_PX
  for (const index of lane.gaps) {
    const gap = data.gaps[index]
    if (!gap) continue
    const distance = Math.max(0, nsToPx(scale, gap.startNs) - xPx, xPx - nsToPx(scale, gap.endNs))
    if (distance < bestDistance) {
      best = index
      bestDistance = distance
    }
  }
  return best
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
  if (layout.bandPx > 0 && yPx >= layout.bandTopPx && yPx < layout.bandTopPx + layout.bandPx) {
    const band = layout.bands.find(({ startNs, endNs }) => startNs <= timeNs && timeNs <= endNs)
    return band ? { type: 'span', span: band.span } : null
  }
  const lane = laneAt(layout, yPx)
  if (!lane) return null
  if (lane.counterHeightPx > 0 && yPx >= lane.counterTopPx && yPx < lane.counterTopPx + lane.counterHeightPx)
    return counterTarget(data.placed, lane, timeNs)
  if (lane.gapHeightPx > 0 && yPx >= lane.gapTopPx) {
    const gap = gapAt(data, lane, scale, xPx)
    if (gap !== null) return { type: 'gap', gap }
  }
  // Rows can be thinner than a finger: the nearest row that has something here.
  const rows = lane.rows
    .map(({ topPx, barPx }, row) => ({ row, away: Math.max(0, topPx - yPx, yPx - topPx - barPx) }))
    .filter(({ away }) => away <= REACH_PX)
    .sort((a, b) => a.away - b.away)
  for (const { row } of rows) {
    const span = spanAt(lane, row, scale, xPx)
    if (span !== null) return { type: 'span', span }
  }
  return null
}

function counterTarget(placed: PlacedTrace, lane: LaneLayout, timeNs: number): Target | null {
  const counter = lane.counters[0]
  const columns = counter === undefined ? undefined : placed.trace.counters[counter]
  const value = columns ? counterAt(columns, timeNs) : null
  return counter === undefined || value === null ? null : { type: 'counter', counter, timeNs, value }
}

/** The edge of a span of this lane nearest to a point, within reach: area selections snap to it. */
export function snapToEdge(lane: LaneLayout | null, scale: Scale, xPx: number, reachPx = 6): number {
  const timeNs = pxToNs(scale, xPx)
  const placed = lane?.placed
  if (!placed) return timeNs
  const [first, last] = visibleRange(placed, pxToNs(scale, xPx - reachPx), pxToNs(scale, xPx + reachPx))
  let best = timeNs
  let bestDistance = reachPx / scale.pxPerNs
  for (let index = first; index < last; index += 1)
    for (const edge of [placed.startNs[index] ?? NaN, placed.endNs[index] ?? NaN])
      if (Math.abs(edge - timeNs) < bestDistance) {
        best = edge
        bestDistance = Math.abs(edge - timeNs)
      }
  return best
}
