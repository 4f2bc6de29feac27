/**
 * One frame of the timeline, back to front. Painting reads the frame and changes nothing but the canvas; per span it allocates
 * nothing (bars and cells come from a reused DrawList). CSS px throughout; the context is already scaled by the pixel ratio.
 */
import type { Layout } from './layout'
import { paintAxis, paintBands, paintGrid, paintHeaders } from './paint-frame'
import { paintGaps } from './paint-gaps'
import { paintLane } from './paint-lanes'
import type { Patterns } from './patterns'
import { nsToPx, type Scale } from './scale'
import { TextRuler } from './text'
import type { Theme } from './theme'
import type { TimeTicks } from './ticks'
import type { TimelineData } from './types'
import type { DrawList, Merger } from './visible'

export interface Frame {
  readonly context: CanvasRenderingContext2D
  readonly widthPx: number
  readonly heightPx: number
  readonly dpr: number
  readonly scale: Scale
  readonly layout: Layout
  /** How far the rows are scrolled up under axis and bands. */
  readonly scrollPx: number
  readonly data: TimelineData
  readonly theme: Theme
  readonly ticks: TimeTicks
  readonly patterns: Patterns
  readonly drawList: DrawList
  readonly merger: Merger
  readonly fonts: Fonts
}

export interface Fonts {
  readonly label: string
  readonly small: string
  readonly title: string
  readonly labelRuler: TextRuler
  readonly smallRuler: TextRuler
}

export function makeFonts(context: CanvasRenderingContext2D, family: string): Fonts {
  const label = `500 12px ${family}`
  const small = `400 11.5px ${family}`
  const measure = (font: string) => (text: string) => {
    context.font = font
    return context.measureText(text).width
  }
  return {
    label,
    small,
    title: `600 12.5px ${family}`,
    labelRuler: new TextRuler(measure(label)),
    smallRuler: new TextRuler(measure(small)),
  }
}

/** Top of the rows: what lies above stays when they scroll. */
export const fixedTopPx = (layout: Layout): number => layout.bandTopPx + layout.bandPx

export function paintFrame(frame: Frame): void {
  const { context, widthPx, heightPx, scale, layout, scrollPx, patterns } = frame
  context.clearRect(0, 0, widthPx, heightPx)
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
