/**
 * Describes a cell: where spans are too narrow to be drawn one by one, how many begin within the
 * pixel under the pointer. Pure.
 */
import { lowerBound } from '../base/search'
import type { Layout } from './layout'
import { laneOfSpan, rowOfSpan } from './navigate'
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
  const row = lane && rowOfSpan(data, lane, target.span)?.spans
  const [startNs = Number.NaN, endNs = Number.NaN] = [
    data.placed.startNs[target.span],
    data.placed.endNs[target.span],
  ]
  if (!row || !(endNs - startNs < MERGE_PX / dpr / scale.pxPerNs)) return null
  // The pointer reaches a few pixels: the pixel of the span that it reached.
  const px = Math.min(Math.max(xPx, nsToPx(scale, startNs)), nsToPx(scale, endNs))
  const column = Math.floor((px - scale.leftPx) * dpr)
  const edgeNs = (at: number): number => pxToNs(scale, scale.leftPx + at / dpr)
  const first = lowerBound(row.startNs, edgeNs(column), row.length)
  const end = lowerBound(row.startNs, edgeNs(column + 1), row.length)
  if (end - first < 2) return null
  return { count: end - first, startNs: row.startNs[first] ?? 0, endNs: row.startNs[end - 1] ?? 0 }
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
