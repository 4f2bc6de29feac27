/**
 * Resolves a press on a lane's header: the pin at its right end, else its name, which folds. Pure,
 * with the painter's geometry: CSS px from the canvas's top left, rows already scrolled.
 */
import { laneAt } from './hit-test'
import type { LaneLayout, Layout } from './layout'

/** Wide enough for a finger; as high as the lane's first line, at least. */
export const PIN_PX = 24

/** A name that has no room beside its group's title stands this far under it. */
export const SECOND_LINE_PX = 16

export interface HeaderHit {
  readonly lane: LaneLayout
  /** Null: a press here does nothing, and the pin is shown all the same. */
  readonly does: 'pin' | 'fold' | null
}

/** Middle of the header's first line, where name and pin stand. */
export function headerMiddlePx(lane: LaneLayout): number {
  const first = lane.rows[0]
  if (lane.counterHeightPx > 0) return lane.counterTopPx + 10
  return first ? first.topPx + first.barPx / 2 : lane.topPx + 12
}

export function headerHit(layout: Layout, xPx: number, yPx: number): HeaderHit | null {
  if (layout.headerPx === 0 || xPx >= layout.headerPx) return null
  const lane = laneAt(layout, yPx)
  if (!lane?.lane) return null
  const below = yPx - headerMiddlePx(lane)
  if (below < -PIN_PX / 2 || below > PIN_PX / 2 + SECOND_LINE_PX) return { lane, does: null }
  if (xPx >= layout.headerPx - PIN_PX) return { lane, does: below <= PIN_PX / 2 ? 'pin' : null }
  return { lane, does: lane.fold === 'none' ? null : 'fold' }
}
