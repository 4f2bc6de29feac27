/**
 * One frame of the timeline, back to front. Painting reads the frame and changes nothing but the canvas; per span it allocates
 * nothing (bars and cells come from a reused DrawList). CSS px throughout; the context is blank, and already scaled by the pixel ratio.
 */
import { fixedTopPx, type Frame } from './frame'
import { paintAxis, paintBands, paintGrid, paintHeaders } from './paint-frame'
import { paintGaps } from './paint-gaps'
import { paintLane } from './paint-lanes'
import { nsToPx } from './scale'

export function paintFrame(frame: Frame): void {
  const { context, widthPx, heightPx, scale, layout, scrollPx, patterns } = frame
  patterns.anchor(nsToPx(scale, 0))
  context.textBaseline = 'middle'

  context.save()
  context.beginPath()
  context.rect(0, fixedTopPx(layout), widthPx, heightPx)
  context.clip()
  context.translate(0, -scrollPx)
  context.save()
  context.beginPath()
  context.rect(scale.leftPx, 0, scale.rightPx - scale.leftPx, heightPx + scrollPx)
  context.clip()
  for (const lane of layout.lanes) paintLane(frame, lane, 'ground')
  paintGrid(frame)
  for (const lane of layout.lanes) {
    if (lane.topPx > heightPx + scrollPx || lane.topPx + lane.heightPx < scrollPx) continue
    paintLane(frame, lane, 'marks')
    if (lane.gapHeightPx > 0) paintGaps(frame, lane)
  }
  context.restore()
  paintHeaders(frame)
  context.restore()

  paintAxis(frame)
  paintBands(frame)
}
