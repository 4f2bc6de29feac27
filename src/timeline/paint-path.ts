/**
 * The critical path over the bars: a solid line where something was at work, a dashed one where
 * what came next was on its way.
 */
import type { Frame } from './frame'
import { fixedTopPx, screenYPx } from './frame'
import { isOnTheWay, segmentsInView, type LineSegment, type PathLine } from './path-line'
import { toCss } from './colour'

const LINE_PX = 2.5
const HALO_PX = 4.5
const DENSE_PX = 6
const DENSE_LINE_PX = 1
const DASH = [3, 3]
/** Pieces are cut at pixels: nearer than this one goes on from the other. */
const JOINED_PX = 1.5

export function paintPath(frame: Frame, line: PathLine): void {
  const { context, data, layout, scale, theme, heightPx } = frame
  const segments = segmentsInView(line, data, layout, scale)
  if (segments.length === 0) return
  context.save()
  context.beginPath()
  // Under the bands: lanes that scroll go under what is fixed, and so does the line.
  const top = Math.min(fixedTopPx(layout), layout.bandTopPx + layout.bandPx)
  context.rect(scale.leftPx, top, scale.rightPx - scale.leftPx, heightPx - top)
  context.clip()
  // A segment every few pixels: dashes would be noise, and cost the more the more there are.
  const isDense = segments.length * DENSE_PX > scale.rightPx - scale.leftPx
  context.lineJoin = 'round'
  if (isDense) {
    context.strokeStyle = toCss(theme.forcedColors ? theme.accent : theme.text)
    context.lineWidth = DENSE_LINE_PX
    trace(frame, segments, 'all')
    context.restore()
    return
  }
  context.lineCap = 'round'
  context.strokeStyle = toCss(theme.surface, 0.8)
  context.lineWidth = HALO_PX
  trace(frame, segments, 'all')
  context.strokeStyle = toCss(theme.forcedColors ? theme.accent : theme.text)
  context.lineWidth = LINE_PX
  trace(frame, segments, 'at work')
  context.lineCap = 'butt'
  context.lineWidth = LINE_PX - 0.75
  context.setLineDash(DASH)
  trace(frame, segments, 'on the way')
  context.setLineDash([])
  context.restore()
}

/**
 * A step from one row to another, where segments that would lie between share a pixel, counts as on
 * the way.
 */
function trace(frame: Frame, segments: readonly LineSegment[], what: 'at work' | 'on the way' | 'all'): void {
  const { context, layout, scrollPx } = frame
  const y = (px: number): number => screenYPx(layout, scrollPx, px)
  context.beginPath()
  for (const [at, segment] of segments.entries()) {
    const before = segments[at - 1]
    const isStep =
      before !== undefined &&
      segment.leftPx - before.rightPx < JOINED_PX &&
      Math.abs(before.toYPx - segment.fromYPx) > 0.5
    if (isStep && what !== 'at work') {
      context.moveTo(before.rightPx, y(before.toYPx))
      context.lineTo(segment.leftPx, y(segment.fromYPx))
    }
    if (what !== 'all' && isOnTheWay(segment.who) !== (what === 'on the way')) continue
    context.moveTo(segment.leftPx, y(segment.fromYPx))
    context.lineTo(Math.max(segment.rightPx, segment.leftPx + 0.1), y(segment.toYPx))
  }
  context.stroke()
}
