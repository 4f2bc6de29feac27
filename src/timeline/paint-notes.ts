/**
 * The notes of the trace: a flag each on the strip under the axis, and over what it is about a thin bracket: on its lane, or along the
 * strip with a line down at either end where it is about all lanes. CSS px.
 */
import type { Annotation } from '../trace/schema'
import { fixedTopPx, screenYPx, type Frame } from './frame'
import { noteFlags, type NoteFlag } from './notes'
import { nsToPx } from './scale'
import { mixRgb, toCss } from './colour'

/** Room over a lane's rows in which its brackets lie. */
const BRACKET_PX = 4

export function paintNotes(frame: Frame): void {
  const { context, data, layout, scale, heightPx, fonts } = frame
  const { annotations } = data.placed.trace
  if (layout.notesPx === 0 || annotations.length === 0) return
  context.save()
  context.beginPath()
  context.rect(scale.leftPx, layout.axisPx, scale.rightPx - scale.leftPx, heightPx)
  context.clip()
  for (const note of annotations) paintExtent(frame, note)
  const flags = noteFlags(annotations, scale, fonts.smallRuler)
  for (const flag of flags) paintFlag(frame, flag)
  context.restore()
}

function paintExtent(frame: Frame, note: Annotation): void {
  const { context, layout, scale, scrollPx, theme, heightPx } = frame
  if (note.endNs < scale.view.startNs || note.startNs > scale.view.endNs) return
  const left = nsToPx(scale, note.startNs)
  const right = Math.max(left + 1, nsToPx(scale, note.endNs))
  const lane = note.lane === null ? null : layout.lanes.find((each) => each.lane?.id === note.lane)
  const colour = toCss(theme.text, theme.forcedColors ? 1 : 0.75)
  if (!lane) {
    const bottom = layout.axisPx + layout.notesPx
    context.fillStyle = colour
    context.fillRect(left, bottom - 1.5, right - left, 1.5)
    context.strokeStyle = toCss(theme.text, theme.forcedColors ? 0.8 : 0.3)
    context.lineWidth = 1
    context.setLineDash([2, 4])
    context.beginPath()
    for (const px of right - left < 2 ? [left] : [left, right]) {
      context.moveTo(Math.round(px) + 0.5, bottom)
      context.lineTo(Math.round(px) + 0.5, heightPx)
    }
    context.stroke()
    context.setLineDash([])
    return
  }
  const first = lane.counterHeightPx > 0 ? lane.counterTopPx : (lane.rows[0]?.topPx ?? lane.topPx)
  const top = screenYPx(layout, scrollPx, first) - BRACKET_PX
  if (lane.topPx >= fixedTopPx(layout) && top < fixedTopPx(layout)) return
  context.fillStyle = colour
  context.fillRect(left, top, right - left, 1.5)
  context.fillRect(left, top, 1.5, BRACKET_PX)
  context.fillRect(right - 1.5, top, 1.5, BRACKET_PX)
}

function paintFlag(frame: Frame, { leftPx, widthPx, fromPx, text, notes }: NoteFlag): void {
  const { context, layout, theme, fonts, scale } = frame
  const top = layout.axisPx + 1
  const height = layout.notesPx - 5
  context.fillStyle = toCss(theme.forcedColors ? theme.surface : mixRgb(theme.surface, theme.text, 0.1))
  context.strokeStyle = toCss(theme.text, theme.forcedColors ? 1 : 0.45)
  context.lineWidth = 1
  context.beginPath()
  context.roundRect(leftPx + 0.5, top + 0.5, widthPx - 1, height - 1, [0, 3, 3, 0])
  context.fill()
  context.stroke()
  context.fillStyle = toCss(theme.text)
  // The pole, where what the note is about begins in view.
  if (fromPx >= scale.leftPx) context.fillRect(leftPx, top, 2, layout.notesPx - 1)
  const middle = top + height / 2 + 0.5
  context.font = fonts.small
  context.textAlign = 'left'
  if (text !== '') {
    context.fillText(text, leftPx + 7, middle)
    return
  }
  // No room for a word: as many lines as a note has, or a figure.
  context.textAlign = 'center'
  context.fillText(notes.length > 1 ? String(notes.length) : '…', leftPx + widthPx / 2 + 1, middle)
}
