/**
 * One frame of the timeline, back to front. Painting reads the frame and changes nothing but the
 * canvas; per span it allocates nothing (bars and cells come from a reused DrawList). CSS px
 * throughout; the context is blank, and already scaled by the pixel ratio.
 */
import { fixedTopPx, type Frame } from './frame'
import { paintAxis, paintBands, paintGrid, paintHeaders } from './paint-frame'
import { foundLanes, paintFound, paintFoundBands } from './paint-found'
import { paintGaps } from './paint-gaps'
import { paintLane } from './paint-lanes'
import { paintPath } from './paint-path'
import type { LaneLayout } from './layout'
import { nsToPx } from './scale'
import { toCss } from './colour'

export function paintFrame(frame: Frame): void {
  const { context, widthPx, heightPx, scale, layout, scrollPx, patterns, theme } = frame
  patterns.anchor(nsToPx(scale, 0))
  context.textBaseline = 'middle'

  const fixedPx = fixedTopPx(layout)
  const pinned = layout.lanes.filter(({ topPx }) => topPx < fixedPx)
  const others = layout.lanes.slice(pinned.length)
  paintZone(frame, others, { topPx: fixedPx, bottomPx: heightPx, scrollPx })
  if (pinned.length > 0) {
    const topPx = layout.bandTopPx + layout.bandPx
    paintZone(frame, pinned, { topPx, bottomPx: fixedPx, scrollPx: 0 })
    context.fillStyle = toCss(theme.text, theme.forcedColors ? 1 : 0.3)
    context.fillRect(0, fixedPx - 1, widthPx, 1)
  }

  paintAxis(frame)
  paintBands(frame)
  if (frame.found) paintFoundBands(frame, frame.found)
  if (frame.path) paintPath(frame, frame.path)
}

interface Zone {
  readonly topPx: number
  readonly bottomPx: number
  readonly scrollPx: number
}

/** Lanes that scroll together, in their part of the canvas. */
function paintZone(frame: Frame, lanes: readonly LaneLayout[], { topPx, bottomPx, scrollPx }: Zone): void {
  const { context, widthPx, scale } = frame
  const inView = lanes.filter(
    (lane) => lane.topPx <= bottomPx + scrollPx && lane.topPx + lane.heightPx >= topPx + scrollPx,
  )
  context.save()
  context.beginPath()
  context.rect(0, topPx, widthPx, bottomPx - topPx)
  context.clip()
  context.translate(0, -scrollPx)
  context.save()
  context.beginPath()
  context.rect(scale.leftPx, topPx + scrollPx, scale.rightPx - scale.leftPx, bottomPx - topPx)
  context.clip()
  const found = frame.found && foundLanes(frame.found)
  for (const lane of inView) paintLane(frame, lane, 'ground')
  paintGrid(frame)
  for (const lane of inView) {
    paintLane(frame, lane, 'marks')
    if (lane.gapHeightPx > 0) paintGaps(frame, lane)
    if (found) paintFound(frame, lane, found.get(lane.lane?.id ?? -1))
  }
  context.restore()
  paintHeaders(frame, lanes)
  context.restore()
}
