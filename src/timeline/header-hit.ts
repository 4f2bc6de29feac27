/**
 * Resolves a press on a lane's name, which folds the lane. Pure, with the painter's geometry: CSS px
 * from the canvas's top left, rows already scrolled.
 */
import { laneAt } from './hit-test'
import type { LaneLayout, Layout } from './layout'

/** High enough for a finger, to both sides of the middle of the lane's first line. */
const REACH_PX = 12

/** A name that has no room beside its group's title stands this far under it. */
export const SECOND_LINE_PX = 16

/** Middle of the header's first line, where the name stands. */
export function headerMiddlePx(lane: LaneLayout): number {
  const first = lane.rows[0]
  if (lane.counterHeightPx > 0) return lane.counterTopPx + 10
  return first ? first.topPx + first.barPx / 2 : lane.topPx + 12
}

/** The lane that a press here folds or unfolds. */
export function foldedBy(layout: Layout, xPx: number, yPx: number): LaneLayout | null {
  if (layout.headerPx === 0 || xPx >= layout.headerPx) return null
  const lane = laneAt(layout, yPx)
  if (!lane || lane.fold === 'none') return null
  const below = yPx - headerMiddlePx(lane)
  return below >= -REACH_PX && below <= REACH_PX + SECOND_LINE_PX ? lane : null
}
