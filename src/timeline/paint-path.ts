/** The critical path over the bars: a solid line where something was at work, a dashed one where what came next was on its way. */
import type { Frame } from './frame'
import { fixedTopPx, screenYPx } from './frame'
import { isOnTheWay, piecesInView, type LinePiece, type PathLine } from './path-line'
import { toCss } from './theme'

const LINE_PX = 2.5
const HALO_PX = 4.5
const DENSE_PX = 6
const DENSE_LINE_PX = 1
const DASH = [3, 3]
/** Pieces are cut at pixels: nearer than this one goes on from the other. */
const JOINED_PX = 1.5

export function paintPath(frame: Frame, line: PathLine): void {
  const { context, data, layout, scale, theme, heightPx } = frame
  const pieces = piecesInView(line, data, layout, scale)
  if (pieces.length === 0) return
  context.save()
  context.beginPath()
  // Under the bands: lanes that scroll go under what is fixed, and so does the line.
  const top = Math.min(fixedTopPx(layout), layout.bandTopPx + layout.bandPx)
  context.rect(scale.leftPx, top, scale.rightPx - scale.leftPx, heightPx - top)
  context.clip()
  // A piece every few pixels: dashes would be noise, and cost the more the more there are.
  const isDense = pieces.length * DENSE_PX > scale.rightPx - scale.leftPx
  context.lineJoin = 'round'
  if (isDense) {
    context.strokeStyle = toCss(theme.forcedColors ? theme.accent : theme.text)
    context.lineWidth = DENSE_LINE_PX
    trace(frame, pieces, 'all')
    context.restore()
    return
  }
  context.lineCap = 'round'
  context.strokeStyle = toCss(theme.surface, 0.8)
  context.lineWidth = HALO_PX
  trace(frame, pieces, 'all')
  context.strokeStyle = toCss(theme.forcedColors ? theme.accent : theme.text)
  context.lineWidth = LINE_PX
  trace(frame, pieces, 'at work')
  context.lineCap = 'butt'
  context.lineWidth = LINE_PX - 0.75
  context.setLineDash(DASH)
  trace(frame, pieces, 'on the way')
  context.setLineDash([])
  context.restore()
}

/** A step from one row to another, where pieces that would lie between share a pixel, counts as on the way. */
function trace(frame: Frame, pieces: readonly LinePiece[], what: 'at work' | 'on the way' | 'all'): void {
  const { context, layout, scrollPx } = frame
  const y = (px: number): number => screenYPx(layout, scrollPx, px)
  context.beginPath()
  for (const [at, piece] of pieces.entries()) {
    const before = pieces[at - 1]
    const isStep =
      before !== undefined &&
      piece.leftPx - before.rightPx < JOINED_PX &&
      Math.abs(before.toYPx - piece.fromYPx) > 0.5
    if (isStep && what !== 'at work') {
      context.moveTo(before.rightPx, y(before.toYPx))
      context.lineTo(piece.leftPx, y(piece.fromYPx))
    }
    if (what !== 'all' && isOnTheWay(piece.who) !== (what === 'on the way')) continue
    context.moveTo(piece.leftPx, y(piece.fromYPx))
    context.lineTo(Math.max(piece.rightPx, piece.leftPx + 0.1), y(piece.toYPx))
  }
  context.stroke()
}
