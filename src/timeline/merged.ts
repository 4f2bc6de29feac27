/**
 * Describes a cell: where spans are too narrow to be drawn one by one, how many share the pixel
 * under the pointer, the longest of them, and their share of the pixel's time. Pure.
 */
import type { Layout } from './layout'
import { laneOfSpan, rowOfSpan, type Range } from './navigate'
import { nsToPx, pxToNs, type Scale } from './scale'
import type { Merged, Target, TimelineData } from './types'
import { MERGE_PX } from './visible'
import { lowerBound, upperBound } from '../base/search'
import { type Pyramid, type RowSummary, summariseRow } from './lod/pyramid'

/** Spans that touch the pixel and are narrower than what is drawn as a bar. @internal */
export function summarisePixel(row: Pyramid, pixel: Range, mergeNs: number): Merged | null {
  let { startNs, endNs } = pixel
  let found = summariseRow(row, startNs, endNs)
  // Bars may end and begin beside them in the same pixel: one on either side, since a bar is wider
  // than a pixel.
  for (let side = 0; side < 2 && lengthOf(row, found) >= mergeNs; side += 1) {
    const [from, to] = [row.startNs[found.longest] ?? 0, row.endNs[found.longest] ?? 0]
    if (from <= startNs) startNs = after(to)
    else endNs = before(from)
    if (startNs > endNs) return null
    found = summariseRow(row, startNs, endNs)
  }
  if (found.count < 2 || lengthOf(row, found) >= mergeNs) return null
  // Those before the first that begins within, of which one may reach in: rows hold what does not
  // overlap.
  const first = lowerBound(row.startNs, startNs, row.length)
  const isReached = first > 0 && (row.endNs[first - 1] ?? 0) >= startNs
  const last = upperBound(row.startNs, endNs, row.length) - 1
  const firstNs = row.startNs[isReached ? first - 1 : first] ?? startNs
  const lastNs = row.endNs[last] ?? endNs
  const busyNs = found.busyNs - Math.max(0, startNs - firstNs) - Math.max(0, lastNs - endNs)
  const pixelNs = pixel.endNs - pixel.startNs
  return {
    count: found.count,
    longestSpan: row.span[found.longest] ?? -1,
    longestNs: lengthOf(row, found),
    share: Math.min(1, Math.max(0, busyNs / pixelNs)),
    pixelNs,
    startNs: firstNs,
    endNs: Math.max(lastNs, row.endNs[found.longest] ?? 0),
  }
}

const lengthOf = (row: Pyramid, { longest }: RowSummary): number =>
  longest < 0 ? 0 : (row.endNs[longest] ?? 0) - (row.startNs[longest] ?? 0)

/** The next number up and down, as good as exact at the times drawn here. */
const after = (timeNs: number): number => timeNs + Math.max(1e-6, Math.abs(timeNs) * 2 ** -52)
const before = (timeNs: number): number => timeNs - Math.max(1e-6, Math.abs(timeNs) * 2 ** -52)

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
