/**
 * Time <-> pixels as immutable values. `ns` is host nanoseconds since the trace's origin, `px` CSS
 * pixels from the canvas's left edge. A gesture never changes a view; it asks here for the next
 * one, which is always within the limits.
 *
 * Precision: a double has 53 bits, so at 10 minutes (6e11 ns) neighbouring values are 1.2e-4 ns
 * apart: far below MIN_VIEW_NS / px.
 */
import type { Range, View } from './types'

/**
 * 1 µs over some 1,000 px is 1 ns a pixel: below the step of every clock drawn here (host ≥ 5 µs,
 * device ≥ 1 ns).
 */
const MIN_VIEW_NS = 1e3
/**
 * Share of the fitted extent left free on either side, so that the first and last edges can be seen
 * as edges.
 */
const FIT_PADDING = 0.02
/** An empty or instantaneous trace still needs an axis. */
const MIN_EXTENT_NS = 1e6

export type Scale = ReturnType<typeof makeScale>

/**
 * The recorded time; views may leave it by half their own width, so that an edge can be brought to
 * the middle.
 */
export type Extent = Range

export function makeScale(view: View, leftPx: number, rightPx: number) {
  const widthPx = Math.max(1, rightPx - leftPx)
  return { view, leftPx, rightPx: leftPx + widthPx, pxPerNs: widthPx / (view.endNs - view.startNs) }
}

export const nsToPx = (scale: Scale, timeNs: number): number =>
  scale.leftPx + (timeNs - scale.view.startNs) * scale.pxPerNs

export const pxToNs = (scale: Scale, px: number): number =>
  scale.view.startNs + (px - scale.leftPx) / scale.pxPerNs

export const viewWidthNs = (view: View): number => view.endNs - view.startNs

/** An extent fit to stand on: finite, ordered, not empty. */
export function safeExtent(startNs: number, endNs: number): Extent {
  const start = Number.isFinite(startNs) ? startNs : 0
  const end = Number.isFinite(endNs) ? endNs : start
  return { startNs: start, endNs: Math.max(end, start + MIN_EXTENT_NS) }
}

export function padView(view: View, padding = FIT_PADDING): View {
  const extra = viewWidthNs(view) * padding
  return { startNs: view.startNs - extra, endNs: view.endNs + extra }
}

export const fitView = (extent: Extent): View => padView(extent)

/** Width first (kept about the middle), then position. Idempotent. */
export function clampView(view: View, extent: Extent): View {
  const widest = viewWidthNs(fitView(extent))
  const asked = viewWidthNs(view)
  const width = Math.min(Math.max(Number.isFinite(asked) ? asked : widest, MIN_VIEW_NS), widest)
  const middle = (view.startNs + view.endNs) / 2
  const start = Number.isFinite(middle) ? middle - width / 2 : extent.startNs - width * FIT_PADDING
  const startNs = Math.min(Math.max(start, extent.startNs - width / 2), extent.endNs - width / 2)
  return { startNs, endNs: startNs + width }
}

/** factor > 1 zooms in; the anchor stays under the same pixel, unless a limit is in the way. */
export function zoomView(view: View, factor: number, anchorNs: number, extent: Extent): View {
  const widest = viewWidthNs(fitView(extent))
  const width = Math.min(Math.max(viewWidthNs(view) / factor, MIN_VIEW_NS), widest)
  const share = (anchorNs - view.startNs) / viewWidthNs(view)
  const startNs = anchorNs - share * width
  return clampView({ startNs, endNs: startNs + width }, extent)
}

export const panView = (view: View, byNs: number, extent: Extent): View =>
  clampView({ startNs: view.startNs + byNs, endNs: view.endNs + byNs }, extent)

/**
 * Keeps the width and moves only as far as needed to bring [startNs, endNs] into view, with a
 * margin of 1/8 of the view.
 */
export function revealView(view: View, startNs: number, endNs: number, extent: Extent): View {
  const width = viewWidthNs(view)
  const margin = width / 8
  if (startNs >= view.startNs && endNs <= view.endNs) return view
  if (endNs - startNs > width - 2 * margin)
    return clampView({ startNs: startNs - margin, endNs: startNs - margin + width }, extent)
  const start = startNs < view.startNs ? startNs - margin : endNs + margin - width
  return clampView({ startNs: start, endNs: start + width }, extent)
}

/** A view in which [startNs, endNs] takes `share` of the width. */
export function frameView(startNs: number, endNs: number, share: number, extent: Extent): View {
  const width = Math.max(endNs - startNs, MIN_VIEW_NS / 4) / share
  const middle = (startNs + endNs) / 2
  return clampView({ startNs: middle - width / 2, endNs: middle + width / 2 }, extent)
}

export const mixViews = (from: View, to: View, share: number): View => ({
  startNs: from.startNs + (to.startNs - from.startNs) * share,
  endNs: from.endNs + (to.endNs - from.endNs) * share,
})

export const sameView = (a: View, b: View): boolean => a.startNs === b.startNs && a.endNs === b.endNs
