/**
 * One frame of the timeline, back to front. Painting reads the frame and changes nothing but the
 * canvas; per span it allocates nothing (bars and cells come from a reused DrawList). CSS px
 * throughout; the context is blank, and already scaled by the pixel ratio.
 */
import { clipTo, fixedTopPx, type Frame, screenYPx } from './frame'
import { paintAxis, paintBands, paintGrid, paintHeaders } from './paint-frame'
import { paintGround, paintLane } from './paint-lanes'
import type { LaneLayout } from './layout'
import { nsToPx } from './scale'
import { readableOn, toCss } from './colour'
import { eachMark, type Found, type FoundRow } from './search'
import { isOnTheWay, type LineSegment, type PathLine, segmentsInView } from './path-line'
import { CAUSES, isIdle } from '../trace/gap-causes'
import type { GapCause } from '../trace/gaps'
import { formatCount, formatDuration, formatShare } from './format'
import { HOST_BUCKET, OTHER_BUCKET, type GapGroup } from './lod/gap-rows'
import { BAR_FIELDS, CELL_FIELDS, type NumberList } from './visible'

/**
 * Device gaps as brackets under the lane, with length and cause; vermilion where the host caused
 * them. Where the gaps of a repeat are too narrow for words, one line says how many there are, what
 * share of the time they come to, and their main cause.
 */

/** Narrower than this a bracket is a blot. */
const BRACKET_PX = 6
/** Height of the strip that narrow gaps form, where all of a pixel column's time was idle. */
const STRIP_PX = 3
/** 'idle 9 %' takes about this much. */
const SHORTEST_WORDS_PX = 44

/** Words for a group whose gaps are too narrow for words of their own; longest first. */
function groupWords(group: GapGroup): readonly string[] {
  const share = formatShare(group.idleNs / Math.max(1, group.knownNs))
  const cause = CAUSES[group.cause].label
  if (!isIdle(group.cause)) return [cause]
  if (group.count === 1) return [`idle ${share} · ${cause}`, `idle ${share}`]
  return [
    `${formatCount(group.count)} gaps · idle ${share} · ${cause}`,
    `idle ${share} · ${cause}`,
    `idle ${share}`,
  ]
}

/** @internal */
export function paintGaps(frame: Frame, lane: LaneLayout): void {
  const { gaps } = lane
  if (!gaps) return
  const { drawList, merger, scale, dpr } = frame
  const { startNs, endNs } = scale.view
  drawList.clear()
  const widthPx = (scale.rightPx - scale.leftPx) * dpr
  merger.run({ row: gaps.row, rowNumber: 0, steps: stripPx(dpr), startNs, endNs, widthPx }, drawList)
  /** Where a bracket had room for its own words, CSS px: its group needs none. */
  const namedPx: number[] = []
  paintStrips(frame, lane)
  for (const bucket of [OTHER_BUCKET, HOST_BUCKET]) {
    const bars = drawList.bars[bucket]
    if (bars) paintBrackets(frame, lane, bars, namedPx)
  }
  /** Two groups share the pass between them: it holds the words of the first. */
  let takenPx = scale.leftPx
  for (const group of gaps.groups) {
    const fromPx = nsToPx(scale, group.startNs)
    const left = Math.max(takenPx, fromPx)
    const right = Math.min(scale.rightPx, nsToPx(scale, group.endNs))
    takenPx = Math.max(takenPx, right)
    if (right - left >= SHORTEST_WORDS_PX && !namedPx.some((px) => px >= fromPx && px <= right))
      paintWords(frame, lane, groupWords(group), left, right, group.cause)
  }
}

const stripPx = (dpr: number): number => Math.max(1, Math.round(STRIP_PX * dpr))

/**
 * Narrow gaps by pixel column, each column as high as its share of idle time: merged as bars are,
 * so that area is time.
 */
function paintStrips({ columns, drawList, scale, dpr, theme }: Frame, lane: LaneLayout): void {
  const heightPx = stripPx(dpr)
  const topPx = Math.round((lane.gapTopPx + 4) * dpr) / dpr
  columns.beginAt(scale.leftPx, topPx, Math.ceil((scale.rightPx - scale.leftPx) * dpr), heightPx, dpr)
  for (const bucket of [OTHER_BUCKET, HOST_BUCKET]) {
    const { values, length } = drawList.cells[bucket] ?? { values: [], length: 0 }
    columns.ink(bucket === HOST_BUCKET ? theme.hues.wait : theme.text2, 1)
    for (let at = 0; at < length; at += CELL_FIELDS) {
      const column = values[at] ?? 0
      const from = Math.min(heightPx - 1, values[at + 3] ?? 0)
      const to = Math.max(from + 1, values[at + 4] ?? 0)
      columns.fill(column, column + (values[at + 1] ?? 0), from, to)
    }
  }
  columns.end()
}

function paintBrackets(frame: Frame, lane: LaneLayout, bars: NumberList, namedPx: number[]): void {
  const { context, scale, dpr, data, theme } = frame
  const top = lane.gapTopPx + 1
  for (let at = 0; at < bars.length; at += BAR_FIELDS) {
    const { values } = bars
    const index = values[at + 3] ?? -1
    const gap = data.gaps[index]
    if (!gap) continue
    const hostCaused = CAUSES[gap.cause].isHosts
    const colour = hostCaused ? theme.hues.wait : theme.text2
    const left = nsToPx(scale, gap.startNs)
    const right = nsToPx(scale, gap.endNs)
    if (right - left < BRACKET_PX) {
      context.fillStyle = toCss(colour)
      const from = scale.leftPx + (values[at] ?? 0) / dpr
      context.fillRect(from, top + 3, scale.leftPx + (values[at + 1] ?? 0) / dpr - from, STRIP_PX)
      continue
    }
    context.strokeStyle = toCss(colour)
    context.lineWidth = hostCaused ? 1.5 : 1
    context.setLineDash(CAUSES[gap.cause].mark === 'dashed' ? [3, 2] : [])
    context.beginPath()
    context.moveTo(left + 1, top)
    context.lineTo(left + 1, top + 5)
    context.lineTo(right - 1, top + 5)
    context.lineTo(right - 1, top)
    context.stroke()
    context.setLineDash([])
    const length = formatDuration(gap.durationNs)
    const { label } = CAUSES[gap.cause]
    const words = isIdle(gap.cause)
      ? [`idle ${length} · ${label}`, `idle ${length}`]
      : [`${label} · ${length}`, label]
    if (right - left >= SHORTEST_WORDS_PX && paintWords(frame, lane, words, left, right, gap.cause))
      namedPx.push(Math.max(left, scale.leftPx))
  }
}

/**
 * The longest wording that fits between two edges, in the part that is in view. False where none
 * does.
 */
function paintWords(
  { context, scale, theme, fonts }: Frame,
  lane: LaneLayout,
  wordings: readonly string[],
  left: number,
  right: number,
  cause: GapCause,
): boolean {
  const from = Math.max(left, scale.leftPx)
  const to = Math.min(right, scale.rightPx)
  const text = fonts.smallRuler.first(wordings, to - from - 4)
  if (text === '') return false
  context.font = fonts.small
  context.textAlign = 'center'
  context.fillStyle = toCss(
    CAUSES[cause].isHosts ? readableOn(theme.surface2, theme.hues.wait, theme.text) : theme.text2,
  )
  context.fillText(text, (from + to) / 2, lane.gapTopPx + Math.min(16, lane.gapHeightPx - 6))
  return true
}

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
