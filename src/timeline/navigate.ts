/** Where a target lies: its extent, its lane, its row, its box on the canvas (CSS px, rows not yet scrolled). Pure. */
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

export interface Box {
  readonly leftPx: number
  readonly rightPx: number
  readonly topPx: number
  readonly heightPx: number
}

export function spanBox(data: TimelineData, layout: Layout, scale: Scale, span: number): Box | null {
  const startNs = data.placed.startNs[span] ?? NaN
  const endNs = data.placed.endNs[span] ?? NaN
  if (!Number.isFinite(startNs) || !Number.isFinite(endNs)) return null
  const horizontal = { leftPx: nsToPx(scale, startNs), rightPx: nsToPx(scale, endNs) }
  if (data.placed.trace.spans.kind[span] === WINDOW_KIND)
    return { ...horizontal, topPx: layout.bandTopPx + 2, heightPx: Math.max(2, layout.bandPx - 4) }
  const lane = laneOfSpan(data, layout, span)
  if (!lane) return null
  const row = rowOfSpan(data, lane, span)
  return row ? { ...horizontal, topPx: row.topPx, heightPx: row.barPx } : null
}

export function targetBox(data: TimelineData, layout: Layout, scale: Scale, target: Target): Box | null {
  if (target.type === 'span') return spanBox(data, layout, scale, target.span)
  if (target.type === 'gap') {
    const gap = data.gaps[target.gap]
    const lane = gap && layout.lanes.find((candidate) => candidate.lane?.id === gap.lane)
    if (!gap || !lane) return null
    return {
      leftPx: nsToPx(scale, gap.startNs),
      rightPx: nsToPx(scale, gap.endNs),
      topPx: lane.gapTopPx,
      heightPx: lane.gapHeightPx,
    }
  }
  const lane = layout.lanes.find(({ counters }) => counters.includes(target.counter))
  if (!lane) return null
  const px = nsToPx(scale, target.timeNs)
  return { leftPx: px, rightPx: px, topPx: lane.counterTopPx, heightPx: lane.counterHeightPx }
}
