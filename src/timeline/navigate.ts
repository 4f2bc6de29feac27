/**
 * Where a target lies: its extent, its lane, its row, its box on the canvas (CSS px, rows not yet
 * scrolled). Pure.
 */
import { lowerBound } from '../base/search'
import { NO_ROW } from './lod/lane-rows'
import type { LaneLayout, Layout } from './layout'
import type { AreaSelection, Range, Target, TimelineData } from './types'
import { WINDOW_KIND } from './marks'
import { nsToPx, type Scale } from './scale'

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
export function positionInLane(data: TimelineData, lane: LaneLayout, span: number): number {
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

export type Box = NonNullable<ReturnType<typeof targetBox>>

export function targetBox(data: TimelineData, layout: Layout, scale: Scale, target: Target) {
  const range = targetRange(data, target)
  const strip = range && stripOf(data, layout, target)
  return strip && { leftPx: nsToPx(scale, range.startNs), rightPx: nsToPx(scale, range.endNs), ...strip }
}

/** The part of its lane, or the bands, that a target is drawn in. */
function stripOf(data: TimelineData, layout: Layout, target: Target) {
  if (target.type === 'span' && data.placed.trace.spans.kind[target.span] === WINDOW_KIND)
    return { topPx: layout.bandTopPx + 2, heightPx: Math.max(2, layout.bandPx - 4) }
  const id = laneOfTarget(data, target)
  const lane = layout.lanes.find((each) => each.lane?.id === id)
  if (!lane) return null
  if (target.type === 'gap') return { topPx: lane.gapTopPx, heightPx: lane.gapHeightPx }
  if (target.type === 'counter') return { topPx: lane.counterTopPx, heightPx: lane.counterHeightPx }
  const row = rowOfSpan(data, lane, target.span)
  return row ? { topPx: row.topPx, heightPx: row.barPx } : null
}
