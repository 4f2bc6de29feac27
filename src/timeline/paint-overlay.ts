/**
 * Paints what changes with the pointer and the selection, on a canvas of its own above the lanes:
 * outlines, flow arrows, the time at the pointer, the selected area, the edge of now. A hover
 * repaints this canvas only.
 */
import { edgeBoundNs } from '../trace/place'
import { formatDuration, formatTime } from './format'
import { laneOfSpan, type Box, targetBox } from './navigate'
import { flowsOfSpan } from './links'
import { clipTo, fillRounded, fillTriangle, fillWhisker, fixedTopPx, type Frame, screenYPx } from './frame'
import { nsToPx, pxToNs } from './scale'
import { toCss, inkOn } from './colour'
import type { AreaSelection, Target } from './types'
import { FLOW_KINDS } from '../trace/schema'

/** An arrow from cause to effect; scrolled out of sight, an end lies beyond the edge. */
function paintFlow(frame: Frame, flow: number): void {
  const { data, context, layout, scale, theme } = frame
  const { flows } = data.placed.trace
  const [from, to] = [flows.from, flows.to].map((ends) => {
    const box = targetBox(data, layout, scale, { type: 'span', span: ends[flow] ?? 0 })
    return box && onScreen(frame, box)
  })
  if (!from || !to) return
  // A wait ended because of the pass, so that arrow points at its end; the others point at a
  // beginning. A collective goes on everywhere when the last rank begins it: that arrow leaves its
  // start, for the same moment on the other rank.
  const kind = FLOW_KINDS[flows.kind[flow] ?? -1]
  const isCollective = kind === 'collective'
  const x0 = isCollective ? from.leftPx : from.rightPx
  const x1 = isCollective
    ? Math.min(Math.max(x0, to.leftPx), to.rightPx)
    : kind === 'sync'
      ? to.rightPx
      : to.leftPx
  if (Math.max(x0, x1) < scale.leftPx || Math.min(x0, x1) > scale.rightPx) return
  const down = to.topPx > from.topPx
  const y0 = down ? from.topPx + from.heightPx : from.topPx
  const y1 = down ? to.topPx - 1 : to.topPx + to.heightPx + 1
  const bend = Math.max(16, Math.abs(y1 - y0) * 0.55) * (down ? 1 : -1)
  context.lineCap = 'round'
  const curve = (): void => {
    context.beginPath()
    context.moveTo(x0, y0)
    context.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1 - (down ? 5 : -5))
    context.stroke()
  }
  context.strokeStyle = toCss(theme.surface, 0.9)
  context.lineWidth = 4
  curve()
  context.strokeStyle = toCss(theme.text)
  context.lineWidth = 1.5
  curve()
  context.lineCap = 'butt'
  context.fillStyle = toCss(theme.text)
  context.beginPath()
  context.arc(x0, y0, 2.25, 0, 2 * Math.PI)
  context.fill()
  const backY = y1 - (down ? 7 : -7)
  fillTriangle(context, [x1, y1], [x1 - 3.5, backY], [x1 + 3.5, backY])
}

export interface Overlay {
  readonly hovered: Target | null
  readonly selected: Target | null
  readonly area: AreaSelection | null
  /** Null: the pointer is at no time. */
  readonly pointerPx: number | null
}

export function paintOverlay(frame: Frame, overlay: Overlay): void {
  const { context, heightPx, layout, scrollPx, data } = frame
  context.textBaseline = 'middle'
  clipTo(frame, 0, heightPx)
  if (overlay.area) paintArea(frame, overlay.area)
  if (data.live) paintNow(frame)

  clipTo(frame, layout.bandTopPx, heightPx)
  const shown = overlay.hovered?.type === 'span' ? overlay.hovered : overlay.selected
  if (shown?.type === 'span') paintBounds(frame, shown.span)
  if (overlay.selected) paintOutline(frame, overlay.selected, 'selected')
  if (overlay.hovered) paintOutline(frame, overlay.hovered, 'hovered')
  context.restore()
  if (shown?.type === 'span') {
    // An end that is scrolled away lies under what is fixed.
    clipTo(frame, fixedTopPx(layout), heightPx)
    for (const flow of flowsOfSpan(data.placed.trace, shown.span)) paintFlow(frame, flow)
    context.restore()
  }

  if (overlay.pointerPx !== null) paintPointer(frame, overlay.pointerPx)
  context.restore()
  if (layout.heightPx > heightPx + 1) paintScrollBar(frame, scrollPx)
}

/** Rows scroll, bands do not. */
const onScreen = ({ layout, scrollPx }: Frame, box: Box): Box =>
  box.topPx < fixedTopPx(layout) ? box : { ...box, topPx: box.topPx - scrollPx }

/** Scrolled away under what is fixed. */
const isHidden = ({ layout, scrollPx }: Frame, { topPx, heightPx }: Box): boolean =>
  topPx >= fixedTopPx(layout) && topPx + heightPx - scrollPx <= fixedTopPx(layout)

function paintOutline(frame: Frame, target: Target, how: 'selected' | 'hovered'): void {
  const { context, data, layout, scale, theme } = frame
  const found = targetBox(data, layout, scale, target)
  if (!found || isHidden(frame, found)) return
  const { leftPx, rightPx, topPx, heightPx } = onScreen(frame, found)
  const left = Math.max(scale.leftPx - 8, leftPx) - 1.5
  const width = Math.min(scale.rightPx + 8, Math.max(rightPx, leftPx + 1)) - left + 1.5
  context.lineWidth = how === 'selected' ? 4 : 3
  context.strokeStyle = toCss(theme.surface)
  context.beginPath()
  context.roundRect(left, topPx - 1.5, width, heightPx + 3, 3)
  context.stroke()
  context.lineWidth = how === 'selected' ? 2 : 1.25
  context.strokeStyle = toCss(theme.forcedColors ? theme.accent : theme.text)
  context.stroke()
}

/**
 * Both edges' bounds of the span that is pointed at, in full strength: among neighbours they run
 * into one line.
 */
function paintBounds(frame: Frame, span: number): void {
  const { context, data, layout, scale, theme } = frame
  const lane = laneOfSpan(data, layout, span)
  const box = targetBox(data, layout, scale, { type: 'span', span })
  if (!box || lane?.kind !== 'device' || isHidden(frame, box)) return
  const { leftPx, rightPx, topPx, heightPx } = onScreen(frame, box)
  context.fillStyle = toCss(theme.text)
  for (const [px, edge] of [
    [leftPx, 'start'],
    [rightPx, 'end'],
  ] as const) {
    const [before, after] = edgeBoundNs(data.placed, span, edge)
    const width = (before + after) * scale.pxPerNs
    if (!(width > 1 && Number.isFinite(width))) continue
    const left = px - before * scale.pxPerNs
    fillWhisker(context, left, left + width, topPx + heightPx + 3)
  }
}

function paintArea(frame: Frame, area: AreaSelection): void {
  const { context, scale, layout, scrollPx, theme } = frame
  const left = nsToPx(scale, area.startNs)
  const right = nsToPx(scale, area.endNs)
  const lanes = layout.lanes.filter(({ lane }) => lane && area.lanes.includes(lane.id))
  const tops = lanes.map(({ topPx }) => screenYPx(layout, scrollPx, topPx))
  const top = Math.max(layout.axisPx, Math.min(...tops))
  const bottom = Math.max(...lanes.map(({ heightPx }, index) => (tops[index] ?? 0) + heightPx))
  if (lanes.length > 0) {
    context.fillStyle = toCss(theme.accent, 0.14)
    context.fillRect(left, top, right - left, bottom - top)
    context.strokeStyle = toCss(theme.accent)
    context.lineWidth = 1
    context.strokeRect(left + 0.5, top + 0.5, Math.max(1, right - left - 1), bottom - top - 1)
  }
  context.fillStyle = toCss(theme.accent)
  context.fillRect(left, layout.axisPx - 3, Math.max(1, right - left), 3)
  paintTag(frame, formatDuration(area.endNs - area.startNs), (left + right) / 2)
}

function paintPointer(frame: Frame, px: number): void {
  const { context, scale, layout, heightPx, theme } = frame
  context.fillStyle = toCss(theme.text, 0.35)
  context.fillRect(Math.round(px), layout.axisPx, 1, heightPx - layout.axisPx)
  paintTag(frame, formatTime(pxToNs(scale, px)), px)
}

/** A reading in the axis, in the colours of the page turned round. */
function paintTag({ context, scale, layout, theme, fonts }: Frame, text: string, px: number): void {
  const width = fonts.smallRuler.width(text) + 14
  const left = Math.min(Math.max(px - width / 2, scale.leftPx + 1), scale.rightPx - width - 1)
  context.fillStyle = toCss(theme.text)
  fillRounded(context, left, 4, width, layout.axisPx - 12, 4)
  context.font = fonts.small
  context.textAlign = 'center'
  context.fillStyle = toCss(inkOn(theme.text))
  context.fillText(text, left + width / 2, layout.axisPx / 2 - 1.5)
}

function paintNow({ context, scale, layout, data, heightPx, theme }: Frame): void {
  const px = Math.round(nsToPx(scale, data.nowNs))
  if (px < scale.leftPx || px > scale.rightPx) return
  context.fillStyle = toCss(theme.accent)
  context.fillRect(px, layout.axisPx - 6, 1.5, heightPx)
  context.beginPath()
  context.arc(px + 0.75, layout.axisPx - 6, 3.5, 0, 2 * Math.PI)
  context.fill()
}

function paintScrollBar({ context, widthPx, heightPx, layout, theme }: Frame, scrollPx: number): void {
  const top = fixedTopPx(layout)
  const room = heightPx - top
  const share = room / (layout.heightPx - top)
  context.fillStyle = toCss(theme.text2, 0.5)
  fillRounded(context, widthPx - 5, top + scrollPx * share, 3, Math.max(24, room * share), 1.5)
}
