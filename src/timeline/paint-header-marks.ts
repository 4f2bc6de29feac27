/**
 * Pins and fold marks of the lanes' headers: a pinned lane's pin always, any lane's while the
 * pointer is on its header. CSS px.
 */
import { screenYPx, type Frame } from './frame'
import { headerMiddlePx, PIN_PX, type HeaderHit } from './header-hit'
import type { LaneLayout } from './layout'
import { mixRgb, toCss } from './colour'

/** A pin seen from the side, 10 px high about (x, y); filled where it holds. */
function drawPin(context: CanvasRenderingContext2D, x: number, y: number, filled: boolean): void {
  context.beginPath()
  context.moveTo(x - 2.5, y - 4.5)
  context.lineTo(x + 2.5, y - 4.5)
  context.lineTo(x + 2, y - 0.5)
  context.lineTo(x + 3.5, y + 1)
  context.lineTo(x - 3.5, y + 1)
  context.lineTo(x - 2, y - 0.5)
  context.closePath()
  if (filled) context.fill()
  context.moveTo(x, y + 1)
  context.lineTo(x, y + 5)
  context.stroke()
}

export function paintPin(frame: Frame, lane: LaneLayout): void {
  const { context, layout, theme } = frame
  if (!lane.isPinned) return
  context.lineWidth = 1.25
  context.strokeStyle = toCss(theme.text)
  context.fillStyle = toCss(theme.text)
  // Beside the name; without a header column at the end of the lane's caption.
  const x = layout.headerPx === 0 ? frame.widthPx - 12 : layout.headerPx - 5.5
  const y = layout.headerPx === 0 ? (lane.rows[0]?.topPx ?? lane.topPx) + 8 : headerMiddlePx(lane)
  if (layout.headerPx === 0) {
    // It lies over bars there.
    context.fillStyle = toCss(theme.surface2, 0.9)
    context.beginPath()
    context.roundRect(x - 8, y - 8, 16, 16, 4)
    context.fill()
    context.fillStyle = toCss(theme.text)
  }
  drawPin(context, x, y, true)
}

/**
 * Points down where the lane's rows are shown, to the right where they are folded into one; `right`
 * is where the name begins.
 */
export function paintFoldMark({ context, theme }: Frame, lane: LaneLayout, right: number, y: number): void {
  if (lane.fold === 'none') return
  const x = right - 8
  context.fillStyle = toCss(theme.text2)
  context.beginPath()
  if (lane.fold === 'open') {
    context.moveTo(x - 3.5, y - 2)
    context.lineTo(x + 3.5, y - 2)
    context.lineTo(x, y + 2.5)
  } else {
    context.moveTo(x - 2, y - 3.5)
    context.lineTo(x + 2.5, y)
    context.lineTo(x - 2, y + 3.5)
  }
  context.fill()
}

/** On the overlay: what a press would do here. */
export function paintHeaderHover(frame: Frame, { lane, does }: HeaderHit): void {
  const { context, layout, scrollPx, theme } = frame
  const middle = screenYPx(layout, scrollPx, lane.topPx) + headerMiddlePx(lane) - lane.topPx
  const left = layout.headerPx - PIN_PX
  context.fillStyle = toCss(does === 'pin' ? mixRgb(theme.surface2, theme.text, 0.16) : theme.surface2)
  context.beginPath()
  context.roundRect(left + 1, middle - 11, PIN_PX - 2, 22, 4)
  context.fill()
  context.lineWidth = 1.25
  context.strokeStyle = toCss(theme.text)
  context.fillStyle = toCss(theme.text)
  drawPin(context, left + PIN_PX / 2, middle, lane.isPinned)
}
