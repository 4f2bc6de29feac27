/**
 * Finds the next one: the span, gap, lane, found span or end of an arrow that a step from the
 * selection leads to.
 */
import { bisector, sort } from 'd3-array'
import { upperBound } from '../base/search'
import type { LaneLayout, Layout } from './layout'
import { stepFlow } from './links'
import { laneGaps } from './lod/gap-rows'
import { NO_ROW } from './lod/lane-rows'
import { WINDOW_KIND } from './marks'
import { laneOfSpan, laneOfTarget, positionInLane, targetRange } from './navigate'
import { nextFound, type Found } from './search'
import type { Shown } from './view-model'
import type { Direction, Target, View } from './types'

/**
 * Along the lane (span), to the lane above or below (lane), to the next gap, to the next found
 * span, or along an arrow: back to what caused it, on to what it caused (flow).
 */
export type Step = 'span' | 'gap' | 'lane' | 'found' | 'flow'

export interface StepFrom extends Shown {
  readonly target: Target | null
  readonly view: View
  readonly found: Found | null
}

/** Null where there is none. */
export const nextTarget = (from: StepFrom, what: Step, direction: Direction): Target | null =>
  NEXT[what](from, direction)

/**
 * The drawn span nearest to a time in a lane, by distance to its extent, the shortest of equals; -1
 * for an empty lane.
 */
function nearestInLane(lane: LaneLayout, timeNs: number): number {
  // Spans of a row lie one after the other, so the nearest is beside the time.
  const beside = lane.rows.flatMap(({ spans }) => {
    const after = spans ? upperBound(spans.startNs, timeNs, spans.length) : 0
    return [after - 1, after].map((at) => ({
      span: spans?.span[at] ?? -1,
      startNs: spans?.startNs[at] ?? NaN,
      endNs: spans?.endNs[at] ?? NaN,
    }))
  })
  const [nearest] = sort(
    beside.filter(({ span }) => span >= 0),
    ({ startNs, endNs }) => Math.max(0, startNs - timeNs, timeNs - endNs),
    ({ startNs, endNs }) => endNs - startNs,
  )
  return nearest?.span ?? -1
}

const hasSpans = ({ rows }: LaneLayout): boolean => rows.some(({ spans }) => (spans?.length ?? 0) > 0)

/** The lane that keyboard stepping begins in: the device, else the first that has spans. */
const firstLane = (layout: Layout): LaneLayout | undefined => {
  const filled = layout.lanes.filter(hasSpans)
  return filled.find(({ kind }) => kind === 'device') ?? filled[0]
}

function stepSpan({ data, layout, target: selected, view }: StepFrom, direction: Direction): Target | null {
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
function stepGap({ data, target: selected, view }: StepFrom, direction: Direction): Target | null {
  const { order } = laneGaps(data.placed, data.gaps)
  if (order.length === 0) return null
  const fromNs = (selected && targetRange(data, selected)?.startNs) ?? (view.startNs + view.endNs) / 2
  const startOf = (gap: number): number => data.gaps[gap]?.startNs ?? 0
  const at =
    selected?.type === 'gap'
      ? order.indexOf(selected.gap) + direction
      : bisector(startOf).left(order, fromNs) - (direction === 1 ? 0 : 1)
  const gap = order[Math.min(order.length - 1, Math.max(0, at))]
  return gap === undefined ? null : { type: 'gap', gap }
}

/** The span nearest in time in the next lane up or down; bands count as the topmost lane. */
function stepLane({ data, layout, target: selected, view }: StepFrom, direction: Direction): Target | null {
  const filled = layout.lanes.filter(hasSpans)
  const range = selected && targetRange(data, selected)
  const timeNs = range ? (range.startNs + range.endNs) / 2 : (view.startNs + view.endNs) / 2
  const laneId = selected ? laneOfTarget(data, selected) : undefined
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

/**
 * From the selection; where nothing is selected, from the begin of the view, so that the first one
 * in view comes first.
 */
function foundTarget({ data, target, view, found }: StepFrom, direction: Direction): Target | null {
  if (!found) return null
  const range = target && targetRange(data, target)
  const fromNs = range?.startNs ?? (direction === 1 ? view.startNs : view.endNs)
  return spanTarget(nextFound(found, target?.type === 'span' ? target.span : null, fromNs, direction))
}

const flowTarget = ({ data, target }: StepFrom, direction: Direction): Target | null =>
  target?.type === 'span' ? spanTarget(stepFlow(data.placed, target.span, direction)) : null

const spanTarget = (span: number | null): Target | null => (span === null ? null : { type: 'span', span })

const NEXT: Readonly<Record<Step, (from: StepFrom, direction: Direction) => Target | null>> = {
  span: stepSpan,
  lane: stepLane,
  gap: stepGap,
  found: foundTarget,
  flow: flowTarget,
}
