/** Stepping from span to span and from gap to gap, and the extent of whatever is selected. Pure. */
import { lowerBound, upperBound } from '../base/search'
import { WINDOW_KIND } from './marks'
import { NO_ROW } from './lod/lane-rows'
import { laneGaps } from './lod/gap-rows'
import type { LaneLayout, Layout } from './layout'
import type { AreaSelection, Target, TimelineData, View } from './types'

export interface Range {
  readonly startNs: number
  readonly endNs: number
}

/** Null where the target has no place on the host's axis. */
export function targetRange(data: TimelineData, target: Target | AreaSelection): Range | null {
  if (!('type' in target)) return { startNs: target.startNs, endNs: target.endNs }
  if (target.type === 'gap') return data.gaps[target.gap] ?? null
  if (target.type === 'counter') return { startNs: target.timeNs, endNs: target.timeNs }
  const startNs = data.placed.startNs[target.span] ?? NaN
  const endNs = data.placed.endNs[target.span] ?? NaN
  return Number.isFinite(startNs) && Number.isFinite(endNs) ? { startNs, endNs } : null
}

export const laneOfSpan = (data: TimelineData, layout: Layout, span: number): LaneLayout | null => {
  const lane = data.placed.trace.spans.lane[span]
  return layout.lanes.find((candidate) => candidate.lane?.id === lane) ?? null
}

export function laneOfTarget({ placed: { trace }, gaps }: TimelineData, target: Target): number | undefined {
  if (target.type === 'gap') return gaps[target.gap]?.lane
  return target.type === 'span' ? trace.spans.lane[target.span] : trace.counters[target.counter]?.lane
}

/**
 * Position of a span in its lane: the search starts at its start, equal starts are walked. -1: not
 * placed.
 */
function positionInLane(data: TimelineData, lane: LaneLayout, span: number): number {
  const { placed } = lane
  const start = data.placed.startNs[span] ?? NaN
  if (!placed || !Number.isFinite(start)) return -1
  for (let index = lowerBound(placed.startNs, start, placed.length); index < placed.length; index += 1) {
    if (placed.span[index] === span) return index
    if ((placed.startNs[index] ?? Infinity) > start) return -1
  }
  return -1
}

/** The row that draws a span of the lane. */
export const rowOfSpan = (data: TimelineData, lane: LaneLayout, span: number) =>
  lane.rows[lane.rowOf[positionInLane(data, lane, span)] ?? NO_ROW]

/**
 * The drawn span nearest to a time in a lane, by distance to its extent, the shortest of equals; -1
 * for an empty lane.
 */
function nearestInLane(lane: LaneLayout, timeNs: number): number {
  let best = -1
  let [bestDistance, bestLength] = [Infinity, Infinity]
  for (const { spans } of lane.rows) {
    if (!spans) continue
    const middle = upperBound(spans.startNs, timeNs, spans.length)
    // Spans of a row lie one after the other, so the nearest is beside the time; a few more where
    // the row's spans overlap.
    for (let at = Math.max(0, middle - NEIGHBOURS); at < Math.min(spans.length, middle + 2); at += 1) {
      const [startNs, endNs] = [spans.startNs[at] ?? 0, spans.endNs[at] ?? 0]
      const distance = Math.max(0, startNs - timeNs, timeNs - endNs)
      const length = endNs - startNs
      if (distance > bestDistance || (distance === bestDistance && length >= bestLength)) continue
      best = spans.span[at] ?? -1
      bestDistance = distance
      bestLength = length
    }
  }
  return best
}
const NEIGHBOURS = 8

const hasSpans = ({ rows }: LaneLayout): boolean => rows.some(({ spans }) => (spans?.length ?? 0) > 0)

/** The lane that keyboard stepping begins in: the device, else the first that has spans. */
const firstLane = (layout: Layout): LaneLayout | undefined => {
  const filled = layout.lanes.filter(hasSpans)
  return filled.find(({ kind }) => kind === 'device') ?? filled[0]
}

export function stepSpan(
  data: TimelineData,
  layout: Layout,
  selected: Target | null,
  view: View,
  direction: 1 | -1,
): Target | null {
  if (selected?.type === 'span' && data.placed.trace.spans.kind[selected.span] === WINDOW_KIND) {
    const at = layout.bands.findIndex(({ span }) => span === selected.span)
    const band = layout.bands[at + direction]
    return band ? { type: 'span', span: band.span } : selected
  }
  const lane = selected?.type === 'span' ? laneOfSpan(data, layout, selected.span) : firstLane(layout)
  if (!lane?.placed) return selected
  if (selected?.type !== 'span') {
    const from = selected ? targetRange(data, selected)?.startNs : undefined
    const span = nearestInLane(lane, from ?? (view.startNs + view.endNs) / 2)
    return span < 0 ? selected : { type: 'span', span }
  }
  let index = positionInLane(data, lane, selected.span) + direction
  while (index >= 0 && index < lane.placed.length && lane.rowOf[index] === NO_ROW) index += direction
  const span = lane.placed.span[index]
  return index < 0 || span === undefined ? selected : { type: 'span', span }
}

/**
 * The next gap after (or the last before) the selection, else the middle of the view. Null where
 * there are no gaps.
 */
export function stepGap(
  data: TimelineData,
  selected: Target | null,
  view: View,
  direction: 1 | -1,
): Target | null {
  const { order } = laneGaps(data.placed, data.gaps)
  if (order.length === 0) return null
  if (selected?.type === 'gap') {
    const at = order.indexOf(selected.gap)
    const gap = order[Math.min(order.length - 1, Math.max(0, at + direction))]
    return gap === undefined ? selected : { type: 'gap', gap }
  }
  const from = (selected && targetRange(data, selected)?.startNs) ?? (view.startNs + view.endNs) / 2
  const after = order.findIndex((gap) => (data.gaps[gap]?.startNs ?? 0) >= from)
  const at = direction === 1 ? (after < 0 ? order.length - 1 : after) : (after < 0 ? order.length : after) - 1
  const gap = order[Math.max(0, at)]
  return gap === undefined ? null : { type: 'gap', gap }
}

/** The span nearest in time in the next lane up or down; bands count as the topmost lane. */
export function stepLane(
  data: TimelineData,
  layout: Layout,
  selected: Target | null,
  view: View,
  direction: 1 | -1,
): Target | null {
  const filled = layout.lanes.filter(hasSpans)
  const range = selected && targetRange(data, selected)
  const timeNs = range ? (range.startNs + range.endNs) / 2 : (view.startNs + view.endNs) / 2
  const laneId =
    selected?.type === 'span'
      ? data.placed.trace.spans.lane[selected.span]
      : selected?.type === 'gap'
        ? data.gaps[selected.gap]?.lane
        : undefined
  const isBand = selected?.type === 'span' && data.placed.trace.spans.kind[selected.span] === WINDOW_KIND
  const at = isBand ? -1 : filled.findIndex(({ lane }) => lane?.id === laneId)
  const next = laneId === undefined ? (direction === 1 ? 0 : filled.length - 1) : at + direction
  if (next < 0) {
    const band =
      layout.bands.find(({ startNs, endNs }) => startNs <= timeNs && timeNs <= endNs) ?? layout.bands[0]
    return band ? { type: 'span', span: band.span } : selected
  }
  const lane = filled[next]
  const span = lane ? nearestInLane(lane, timeNs) : -1
  return span < 0 ? selected : { type: 'span', span }
}
