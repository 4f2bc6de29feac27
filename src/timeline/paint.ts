/**
 * One frame of the timeline, back to front. Painting reads the frame and changes nothing but the
 * canvas; per span it allocates nothing (bars and cells come from a reused DrawList). CSS px
 * throughout; the context is blank, and already scaled by the pixel ratio.
 */
import { clipTo, fixedTopPx, type Frame, screenYPx } from './frame'
import { paintAxis, paintBands, paintGrid, paintHeaders } from './paint-frame'
import { paintGaps } from './paint-gaps'
import { paintGround, paintLane } from './paint-lanes'
import type { LaneLayout } from './layout'
import { nsToPx } from './scale'
import { toCss } from './colour'
import { eachMark, type Found, type FoundRow } from './search'
import { isOnTheWay, type LineSegment, type PathLine, segmentsInView } from './path-line'

/**
 * The critical path over the bars: a solid line where something was at work, a dashed one where
 * what came next was on its way.
 */
const LINE_PX = 2.5
const HALO_PX = 4.5
const DENSE_PX = 6
const DENSE_LINE_PX = 1
const DASH = [3, 3]
/** Pieces are cut at pixels: nearer than this one goes on from the other. */
const JOINED_PX = 1.5

function paintPath(frame: Frame, line: PathLine): void {
  const { context, data, layout, scale, theme, heightPx } = frame
  const segments = segmentsInView(line, data, layout, scale)
  const [first, last] = [segments[0], segments.at(-1)]
  if (!first || !last) return
  // Under the bands: lanes that scroll go under what is fixed, and so does the line.
  const top = fixedTopPx(layout)
  clipTo(frame, top, heightPx - top)
  // A segment every few pixels: dashes would be noise, and cost the more the more there are.
  const isDense = segments.length * DENSE_PX > last.rightPx - Math.max(scale.leftPx, first.leftPx)
  context.lineJoin = 'round'
  const stroke = (what: Parameters<typeof trace>[2], lineWidth: number): void => {
    context.lineWidth = lineWidth
    trace(frame, segments, what)
  }
  const ink = toCss(theme.forcedColors ? theme.accent : theme.text)
  context.strokeStyle = isDense ? ink : toCss(theme.surface, 0.8)
  context.lineCap = isDense ? 'butt' : 'round'
  stroke('all', isDense ? DENSE_LINE_PX : HALO_PX)
  if (!isDense) {
    context.strokeStyle = ink
    stroke('at work', LINE_PX)
    context.lineCap = 'butt'
    context.setLineDash(DASH)
    stroke('on the way', LINE_PX - 0.75)
  }
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

/** No mark is narrower: it must be seen beside its neighbours. */
const LEAST_PX = 2
const VEIL = 0.62

function paintFound(frame: Frame, { fold, placed, rows }: LaneLayout, found: Found): void {
  for (const { topPx, barPx, spans } of rows) {
    if (!spans) continue
    // A folded lane has one row for all.
    paintRow(frame, found.inRow(fold === 'folded' && placed ? placed : spans), topPx, barPx, VEIL)
  }
}

function paintFoundBands(frame: Frame, { bands }: Found): void {
  const { context, layout, heightPx } = frame
  clipTo(frame, layout.bandTopPx, heightPx)
  // Not veiled: they say where one is.
  paintRow(frame, bands, layout.bandTopPx + 2, layout.bandPx - 6, 0)
  context.restore()
}

function paintRow(frame: Frame, row: FoundRow, topPx: number, barPx: number, veil: number): void {
  const { context, scale, theme } = frame
  const { startNs, endNs } = scale.view
  let veilFromPx = scale.leftPx
  const veilTo = (px: number): void => {
    if (veil > 0 && px > veilFromPx) context.fillRect(veilFromPx, topPx - 1, px - veilFromPx, barPx + 2)
  }
  context.fillStyle = toCss(theme.surface, veil)
  const marks: number[] = []
  eachMark(row, startNs, endNs, LEAST_PX / scale.pxPerNs, (fromNs, toNs) => {
    const [left, right] = [nsToPx(scale, fromNs), nsToPx(scale, toNs)]
    veilTo(left)
    veilFromPx = right
    marks.push(Math.max(scale.leftPx, left), Math.min(scale.rightPx, right))
  })
  veilTo(scale.rightPx)
  context.fillStyle = toCss(theme.forcedColors ? theme.accent : theme.text)
  // Touching spans are distinguished by the hairline that their bars leave too.
  for (let at = 0; at < marks.length; at += 2) {
    const left = marks[at] ?? 0
    context.fillRect(left, topPx + barPx, Math.max(LEAST_PX, (marks[at + 1] ?? 0) - left - 1), 2)
  }
}

export function paintFrame(frame: Frame): void {
  frame.patterns.anchor(nsToPx(frame.scale, 0))
  frame.context.textBaseline = 'middle'
  paintLanes(frame)
  paintAxis(frame)
  paintBands(frame)
  if (frame.found) paintFoundBands(frame, frame.found)
  for (const line of frame.path) paintPath(frame, line)
}

/** The rows, scrolled, below what is fixed. */
function paintLanes(frame: Frame): void {
  const { context, widthPx, heightPx, scrollPx, layout } = frame
  const topPx = fixedTopPx(layout)
  const inView = layout.lanes.filter(
    (lane) => lane.topPx <= heightPx + scrollPx && lane.topPx + lane.heightPx >= topPx + scrollPx,
  )
  clipTo(frame, topPx, heightPx - topPx, { leftPx: 0, rightPx: widthPx })
  context.translate(0, -scrollPx)
  clipTo(frame, topPx + scrollPx, heightPx - topPx)
  for (const lane of inView) paintGround(frame, lane)
  paintGrid(frame)
  for (const lane of inView) {
    paintLane(frame, lane)
    if (lane.gapHeightPx > 0) paintGaps(frame, lane)
    if (frame.found) paintFound(frame, lane, frame.found)
  }
  context.restore()
  paintHeaders(frame, layout.lanes)
  context.restore()
}
