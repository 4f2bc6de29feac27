/**
 * Paints what changes with the pointer and the selection, on a canvas of its own above the lanes:
 * outlines, flow arrows, the time at the pointer, the selected area, the edge of now. A hover
 * repaints this canvas only.
 */
import { formatDuration, formatTime } from './format'
import { spanBox, targetBox, type Box } from './geometry'
import { chainOf, flowsOfSpan, spansOfSubmission } from './links'
import { paintFlows } from './paint-flows'
import { fixedTopPx, screenYPx, type Frame } from './frame'
import { laneOfSpan } from './navigate'
import { nsToPx, pxToNs } from './scale'
import { toCss } from './colour'
import { inkOn } from './ink'
import type { HeaderHit } from './header-hit'
import { paintHeaderHover } from './paint-header-marks'
import { paintEdge, paintRuler } from './paint-ruler'
import type { Ruler } from './ruler'
import type { AreaSelection, RulerEnd, Target } from './types'

export interface Overlay {
  readonly hovered: Target | null
  readonly selected: Target | null
  readonly area: AreaSelection | null
  /** Vertical extent of the area, rows scrolled in. Null: by its lanes. */
  readonly pointerPx: number | null
  readonly ruler: Ruler | null
  /** The edge that a click or drag would take. */
  readonly snapped: RulerEnd | null
  readonly header: HeaderHit | null
  /** All that led to the selected span and followed from it, not its own arrows only. */
  readonly isChainWhole: boolean
}

export function paintOverlay(frame: Frame, overlay: Overlay): void {
  const { context, heightPx, scale, layout, scrollPx, data } = frame
  context.textBaseline = 'middle'
  context.save()
  context.beginPath()
  context.rect(scale.leftPx, 0, scale.rightPx - scale.leftPx, heightPx)
  context.clip()
  if (overlay.area) paintArea(frame, overlay.area)
  if (data.live) paintNow(frame)

  context.save()
  context.beginPath()
  context.rect(scale.leftPx, layout.bandTopPx, scale.rightPx - scale.leftPx, heightPx)
  context.clip()
  const shown = overlay.hovered?.type === 'span' ? overlay.hovered : overlay.selected
  if (shown?.type === 'span') paintSubmission(frame, shown.span)
  if (shown?.type === 'span') paintBounds(frame, shown.span)
  if (overlay.selected) paintOutline(frame, overlay.selected, 'selected')
  if (overlay.hovered) paintOutline(frame, overlay.hovered, 'hovered')
  if (overlay.isChainWhole && overlay.selected?.type === 'span') paintChain(frame, overlay.selected.span)
  if (shown?.type === 'span') paintFlows(frame, flowsOfSpan(data.placed.trace, shown.span))
  context.restore()

  if (overlay.ruler) paintRuler(frame, overlay.ruler, paintTag)
  if (overlay.snapped) paintEdge(frame, overlay.snapped)
  if (overlay.pointerPx !== null && !overlay.ruler) paintPointer(frame, overlay.pointerPx)
  context.restore()
  if (overlay.header) paintHeaderHover(frame, overlay.header)
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
  const box = spanBox(data, layout, scale, span)
  if (!box || lane?.kind !== 'device' || isHidden(frame, box)) return
  const { leftPx, rightPx, topPx, heightPx } = onScreen(frame, box)
  context.fillStyle = toCss(theme.text)
  for (const [px, edge] of [
    [leftPx, 'start'],
    [rightPx, 'end'],
  ] as const) {
    const [before, after] = data.placed.edgeBoundNs(span, edge)
    const width = (before + after) * scale.pxPerNs
    if (!(width > 1 && Number.isFinite(width))) continue
    const left = px - before * scale.pxPerNs
    const y = topPx + heightPx + 3
    context.fillRect(left, y, width, 1.5)
    context.fillRect(left, y - 2, 1, 5.5)
    context.fillRect(left + width - 1, y - 2, 1, 5.5)
  }
}

/** The other spans of the same submission, underlined rather than boxed. */
function paintSubmission(frame: Frame, span: number): void {
  const { trace } = frame.data.placed
  underline(frame, spansOfSubmission(trace, trace.spans.submission[span] ?? -1), span)
}

function paintChain(frame: Frame, span: number): void {
  const { flows, spans } = chainOf(frame.data.placed.trace, span)
  underline(frame, spans, span)
  paintFlows(frame, flows)
}

function underline(frame: Frame, spans: readonly number[], but: number): void {
  const { context, data, layout, scale, theme } = frame
  context.fillStyle = toCss(theme.text, 0.9)
  for (const other of spans) {
    if (other === but) continue
    const found = spanBox(data, layout, scale, other)
    if (!found || found.rightPx < scale.leftPx || found.leftPx > scale.rightPx) continue
    if (isHidden(frame, found)) continue
    const { leftPx, rightPx, topPx, heightPx } = onScreen(frame, found)
    context.fillRect(leftPx, topPx + heightPx, Math.max(1.5, rightPx - leftPx), 1.5)
  }
}

function paintArea(frame: Frame, area: AreaSelection): void {
  const { context, scale, layout, scrollPx, theme, fonts } = frame
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
  paintTag(frame, formatDuration(area.endNs - area.startNs), (left + right) / 2, fonts.small)
}

function paintPointer(frame: Frame, px: number): void {
  const { context, scale, layout, heightPx, theme, fonts } = frame
  context.fillStyle = toCss(theme.text, 0.35)
  context.fillRect(Math.round(px), layout.axisPx, 1, heightPx - layout.axisPx)
  paintTag(frame, formatTime(pxToNs(scale, px)), px, fonts.small)
}

/** A reading in the axis, in the colours of the page turned round. */
function paintTag(
  { context, scale, layout, theme, fonts }: Frame,
  text: string,
  px: number,
  font: string,
): void {
  const width = fonts.smallRuler.width(text) + 14
  const left = Math.min(Math.max(px - width / 2, scale.leftPx + 1), scale.rightPx - width - 1)
  context.fillStyle = toCss(theme.text)
  context.beginPath()
  context.roundRect(left, 4, width, layout.axisPx - 12, 4)
  context.fill()
  context.font = font
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
  context.beginPath()
  context.roundRect(widthPx - 5, top + scrollPx * share, 3, Math.max(24, room * share), 1.5)
  context.fill()
}
