/**
 * The ruler over the lanes: a line down at either end, what lies between marked along the axis with
 * the reading, and at each end the edge it stands on with what its clock leaves open. Also the edge
 * that a drag would snap to, before it begins. CSS px.
 */
import { fixedTopPx, screenYPx, type Frame } from './frame'
import { spanBox } from './geometry'
import { endBoundNs, endTimeNs, readRuler, type Ruler } from './ruler'
import { nsToPx } from './scale'
import { toCss } from './colour'
import type { RulerEnd } from './types'

export type PaintTag = (frame: Frame, text: string, px: number, font: string) => void

export function paintRuler(frame: Frame, ruler: Ruler, paintTag: PaintTag): void {
  const { context, data, scale, layout, theme, fonts } = frame
  const reading = readRuler(data, ruler)
  if (!reading) return
  const from = nsToPx(scale, reading.fromNs)
  const to = nsToPx(scale, reading.toNs)
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  context.fillStyle = toCss(theme.accent, 0.08)
  context.fillRect(left, layout.axisPx, right - left, frame.heightPx)
  context.fillStyle = toCss(theme.accent)
  context.fillRect(left, layout.axisPx - 3, Math.max(1, right - left), 3)
  paintGuide(frame, from, false)
  if (ruler.to) paintGuide(frame, to, true)
  paintEdge(frame, ruler.from)
  if (ruler.to) paintEdge(frame, ruler.to)
  // In the middle of what is seen of it: an end may lie far outside.
  const middle = (Math.max(left, scale.leftPx) + Math.min(right, scale.rightPx)) / 2
  paintTag(frame, reading.value === '' ? 'from here' : reading.value, middle, fonts.small)
}

function paintGuide({ context, layout, heightPx, theme }: Frame, px: number, dashed: boolean): void {
  context.strokeStyle = toCss(theme.accent)
  context.lineWidth = 1
  context.setLineDash(dashed ? [4, 3] : [])
  context.beginPath()
  context.moveTo(Math.round(px) + 0.5, layout.axisPx - 3)
  context.lineTo(Math.round(px) + 0.5, heightPx)
  context.stroke()
  context.setLineDash([])
}

/** The edge itself, as high as its bar, with its bound as a band about it. */
export function paintEdge(frame: Frame, end: RulerEnd): void {
  const { context, data, layout, scale, scrollPx, theme } = frame
  if (end.type === 'free') return
  const box = spanBox(data, layout, scale, end.span)
  if (!box) return
  const top = screenYPx(layout, scrollPx, box.topPx)
  if (box.topPx >= fixedTopPx(layout) && top < fixedTopPx(layout)) return
  const px = nsToPx(scale, endTimeNs(data, end))
  const [beforeNs, afterNs] = endBoundNs(data, end)
  const widthPx = (beforeNs + afterNs) * scale.pxPerNs
  if (widthPx > 1 && Number.isFinite(widthPx)) {
    context.fillStyle = toCss(theme.accent, 0.25)
    context.fillRect(px - beforeNs * scale.pxPerNs, top - 3, widthPx, box.heightPx + 6)
  }
  context.fillStyle = toCss(theme.surface)
  context.fillRect(px - 2.5, top - 4, 5, box.heightPx + 8)
  context.fillStyle = toCss(theme.accent)
  context.fillRect(px - 1.5, top - 3, 3, box.heightPx + 6)
  // The bar's side of the line.
  const side = end.edge === 'start' ? 1 : -1
  for (const y of [top - 3, top + box.heightPx + 1.5])
    context.fillRect(side === 1 ? px - 1.5 : px - 4.5, y, 6, 1.5)
}
