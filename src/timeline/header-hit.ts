/**
 * What a press on a lane's header does: the pin at its right end, else its name, which folds. Pure, and the painter's geometry: CSS px
 * from the canvas's top left, rows already scrolled.
 */
import { laneAt } from './hit-test'
import type { LaneLayout, Layout } from './layout'

/** Wide enough for a finger; as high as the lane's first line, at least. */
export const PIN_PX = 24

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
  const near = Math.abs(yPx - headerMiddlePx(lane)) <= Math.max(PIN_PX / 2, (lane.rows[0]?.barPx ?? 0) / 2)
  if (!near) return { lane, does: null }
  if (xPx >= layout.headerPx - PIN_PX) return { lane, does: 'pin' }
  return { lane, does: lane.fold === 'none' ? null : 'fold' }
}
