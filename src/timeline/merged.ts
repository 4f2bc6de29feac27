/**
 * Describes a cell: where spans are too narrow to be drawn one by one, how many share the pixel
 * under the pointer, the longest of them, and their share of the pixel's time. Pure.
 */
import { NO_ROW } from './lod/lane-rows'
import type { Layout } from './layout'
import { laneOfSpan, positionInLane } from './navigate'
import { summarisePixel } from './pixel-summary'
import { nsToPx, pxToNs, type Scale } from './scale'
import type { Merged, Target, TimelineData } from './types'
import { MERGE_PX } from './visible'

/** Null where what is under the pointer is drawn by itself. */
export function mergedAt(
  data: TimelineData,
  layout: Layout,
  scale: Scale,
  dpr: number,
  target: Target | null,
  xPx: number,
): Merged | null {
  if (target?.type !== 'span') return null
  const lane = laneOfSpan(data, layout, target.span)
  const row = lane?.rows[lane.rowOf[positionInLane(data, lane, target.span)] ?? NO_ROW]?.spans
  if (!row) return null
  const [spanStartNs, spanEndNs] = [
    data.placed.startNs[target.span] ?? NaN,
    data.placed.endNs[target.span] ?? NaN,
  ]
  const mergeNs = MERGE_PX / dpr / scale.pxPerNs
  if (!(spanEndNs - spanStartNs < mergeNs)) return null
  // The pointer reaches a few pixels: the pixel of the span that it reached.
  const px = Math.min(Math.max(xPx, nsToPx(scale, spanStartNs)), nsToPx(scale, spanEndNs))
  const column = Math.floor((px - scale.leftPx) * dpr)
  const pixel = {
    startNs: pxToNs(scale, scale.leftPx + column / dpr),
    endNs: pxToNs(scale, scale.leftPx + (column + 1) / dpr),
  }
  return summarisePixel(row, pixel, mergeNs)
}

/** Room that a span needs to be seen as one, px. */
const APART_PX = 16
/** A double click that hardly moves anything would look broken. */
const LEAST_ZOOM = 8

/**
 * The share of the view's width that the merged spans are to take so that they are distinguished,
 * as far as one view can.
 */
export function shareToTellApart({ count, startNs, endNs }: Merged, scale: Scale): number {
  const widthPx = scale.rightPx - scale.leftPx
  const nowPx = Math.max(endNs - startNs, 1) * scale.pxPerNs
  return Math.min(0.8, Math.max(count * APART_PX, nowPx * LEAST_ZOOM) / widthPx)
}
