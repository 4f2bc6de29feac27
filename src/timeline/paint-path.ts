/** The critical path over the bars: a solid line where something was at work, a dashed one where what came next was on its way. */
import type { Frame } from './frame'
import { fixedTopPx, screenYPx } from './frame'
import { isOnTheWay, piecesInView, type LinePiece, type PathLine } from './path-line'
import { toCss } from './theme'

const LINE_PX = 2.5
const HALO_PX = 5.5
const DASH = [3, 3]

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
  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.strokeStyle = toCss(theme.surface, 0.85)
  context.lineWidth = HALO_PX
  trace(frame, pieces, () => true)
  context.strokeStyle = toCss(theme.forcedColors ? theme.accent : theme.text)
  context.lineWidth = LINE_PX
  trace(frame, pieces, ({ who }) => !isOnTheWay(who))
  context.lineCap = 'butt'
  context.lineWidth = LINE_PX - 0.75
  context.setLineDash(DASH)
  trace(frame, pieces, ({ who }) => isOnTheWay(who))
  context.setLineDash([])
  context.restore()
}

/** Strokes the pieces that are asked for, joined to the one before where that ends in the same place or pixel. */
function trace(frame: Frame, pieces: readonly LinePiece[], wanted: (piece: LinePiece) => boolean): void {
  const { context, layout, scrollPx } = frame
  const y = (px: number): number => screenYPx(layout, scrollPx, px)
  context.beginPath()
  for (const [at, piece] of pieces.entries()) {
    if (!wanted(piece)) continue
    const before = pieces[at - 1]
    const isJoined = before !== undefined && piece.leftPx - before.rightPx < 1.5
    if (isJoined) {
      context.moveTo(before.rightPx, y(before.toYPx))
      context.lineTo(piece.leftPx, y(piece.fromYPx))
    } else context.moveTo(piece.leftPx, y(piece.fromYPx))
    context.lineTo(piece.rightPx, y(piece.toYPx))
  }
  context.stroke()
}
