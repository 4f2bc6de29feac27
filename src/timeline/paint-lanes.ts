/**
 * One lane: its ground, its bars and cells with the marks of marks.ts, their names, and its
 * instants.
 */
import { edgeBoundNs } from '../trace/place'
import { lowerBound, upperBound } from '../base/search'
import { hasChip, type LaneLayout } from './layout'
import { type Mark, MARK_BY_KIND } from './marks'
import { fillRounded, fillTriangle, fillWhisker, type Frame } from './frame'
import { addNarrowBars, DASH_PX, HALF, NARROW_PX, TINT_ALPHA, WIDE_PX } from './paint-narrow'
import { nsToPx, pxToNs } from './scale'
import { mixRgb, toCss, inkOn, type Rgb } from './colour'
import { BAR_FIELDS, CELL_FIELDS, type IntegerList, type NumberList } from './visible'
import { visitCounter } from './lod/counter-levels'
import { lodOf } from './lod/trace-lod'

/**
 * The bound of each device edge as a whisker under the bar, where it is wider than a pixel. Where
 * the whiskers of neighbours run into each other they are drawn as one: the order of those edges
 * against the host is not known.
 */
function paintWhiskers({ context, scale, data, theme }: Frame, lane: LaneLayout, bars: NumberList): void {
  const { values, length } = bars
  if (length === 0) return
  const { kind } = data.placed.trace.spans
  let [left, right, lastY] = [NaN, NaN, NaN]
  const close = (): void => {
    if (right >= scale.leftPx && left <= scale.rightPx) fillWhisker(context, left, right, lastY)
  }
  for (let at = 0; at < length; at += BAR_FIELDS) {
    const span = values[at + 3] ?? 0
    const row = lane.rows[values[at + 2] ?? -1]
    const mark = MARK_BY_KIND[kind[span] ?? -1]
    if (!row || !mark) continue
    context.fillStyle = toCss(theme.hues[mark.hue], theme.forcedColors ? 1 : 0.4)
    const y = row.topPx + row.barPx + 3
    for (let edge = 0; edge < 2; edge += 1) {
      const [before, after] = edgeBoundNs(data.placed, span, edge === 0 ? 'start' : 'end')
      if (!((before + after) * scale.pxPerNs > 1) || before === Infinity) continue
      const edgeNs = (edge === 0 ? data.placed.startNs[span] : data.placed.endNs[span]) ?? 0
      const from = nsToPx(scale, edgeNs - before)
      const to = nsToPx(scale, edgeNs + after)
      if (y === lastY && from <= right + 2) {
        right = Math.max(right, to)
        continue
      }
      close()
      ;[left, right, lastY] = [from, to, y]
    }
  }
  close()
}

/**
 * A lane's counter (queue depth) over its rows: a stepped area that holds each sample until the
 * next. In whole pixels, column by column: samples that share one show their extremes.
 */
const LINE_PX = 1.25
const AREA_ALPHA = 0.28
/** Room above the highest value. */
const HEADROOM_PX = 3

/** Adds to the lane's columns, whose corner lies at (scale.leftPx, topPx). */
function paintCounter(frame: Frame, lane: LaneLayout, topPx: number): void {
  const { scale, data, theme, dpr, columns } = frame
  const levels = lodOf(data.placed).counters[lane.counters[0] ?? -1]
  const counter = levels?.columns
  if (!counter || counter.length === 0) return
  const bottom = Math.round((lane.counterTopPx + lane.counterHeightPx - topPx) * dpr)
  const perUnit = ((lane.counterHeightPx - HEADROOM_PX) / lane.counterMax) * dpr
  const line = Math.max(1, Math.round(LINE_PX * dpr))
  const hue = theme.hues.queue
  const rowOf = (value: number): number => Math.round(bottom - value * perUnit)
  const columnOf = (timeNs: number): number => Math.floor((nsToPx(scale, timeNs) - scale.leftPx) * dpr)

  /** One value from column to column. */
  const hold = (from: number, to: number, row: number): void => {
    if (to <= from) return
    columns.ink(hue, AREA_ALPHA)
    columns.fill(from, to, row, bottom)
    columns.ink(hue, 1)
    columns.fill(from, to, Math.min(row, bottom - line), Math.min(row, bottom - line) + line)
  }
  /** All values that a column saw, from the lowest to the highest. */
  const rise = (column: number, top: number, low: number): void => {
    columns.ink(hue, 1)
    columns.fill(column, column + line, top, Math.max(top + line, low))
  }

  const { startNs, endNs } = scale.view
  const first = Math.max(0, upperBound(counter.timeNs, startNs, counter.length) - 1)
  const last = Math.min(counter.length, lowerBound(counter.timeNs, endNs, counter.length) + 1)
  let row = rowOf(counter.value[first] ?? 0)
  let column = Math.max(-1, columnOf(counter.timeNs[first] ?? 0))
  let [top, low] = [row, row]
  const closeColumn = (): void => {
    if (top !== low) rise(column, top, low)
  }
  visitCounter(levels, first + 1, last, 1 / (scale.pxPerNs * dpr), (timeNs, lowest, highest, lastValue) => {
    const next = columnOf(timeNs)
    if (next !== column) {
      closeColumn()
      hold(column, next, row)
      column = next
      ;[top, low] = [row, row]
    }
    top = Math.min(top, rowOf(highest))
    low = Math.max(low, rowOf(lowest))
    row = rowOf(lastValue)
  })
  closeColumn()
  const lastNs = Math.max(data.nowNs, counter.timeNs[counter.length - 1] ?? 0)
  hold(column, Math.max(column + 1, columnOf(Math.min(lastNs, endNs)) + 1), row)
}

/** Room that a lane's name takes where it lies over its row. */
const CHIP_PX = 16
/** A name needs this much, whatever its length. */
const LABEL_PX = 24

export function paintLane(frame: Frame, lane: LaneLayout): void {
  const isPlaced = lane.placed && !(lane.lane && frame.data.placed.unplaced.includes(lane.lane.id))
  if (isPlaced) collect(frame, lane)
  else frame.drawList.clear()
  paintColumns(frame, lane)
  if (!isPlaced) {
    if (!lane.lane || lane.placed) paintPlaceHeld(frame, lane)
    return
  }
  const { drawList } = frame
  for (let bucket = 0; bucket < drawList.bars.length; bucket += 1) {
    const mark = MARK_BY_KIND[bucket >> 1]
    const bars = drawList.bars[bucket]
    if (mark && bars && bars.length > 0) paintBars(frame, lane, bars, mark, (bucket & 1) === 1)
  }
  if (lane.whiskerPx > 0) for (const bars of drawList.bars) paintWhiskers(frame, lane, bars)
  paintInstants(frame, lane)
}

/** Fills the draw list with what the view shows of all rows. */
function collect({ drawList, merger, scale, dpr }: Frame, lane: LaneLayout): void {
  drawList.clear()
  const { startNs, endNs } = scale.view
  const widthPx = (scale.rightPx - scale.leftPx) * dpr
  for (const [rowNumber, row] of lane.rows.entries())
    if (row.spans)
      merger.run({ row: row.spans, rowNumber, steps: stepsOf(row, dpr), startNs, endNs, widthPx }, drawList)
}

/** Shares of a column's time are drawn to a device pixel of the bar. */
const stepsOf = ({ barPx }: LaneLayout['rows'][number], dpr: number): number => Math.ceil(barPx * dpr)

/** The strips that bars lie on: what is left of them is idle. */
export function paintGround({ context, scale, theme }: Frame, lane: LaneLayout): void {
  context.fillStyle = toCss(theme.surface)
  const width = scale.rightPx - scale.leftPx
  const first = lane.rows[0]
  const last = lane.rows.at(-1)
  if (first && last) {
    const top = first.topPx - 1
    context.fillRect(scale.leftPx, top, width, last.topPx + last.barPx + 1 - top)
  }
  if (lane.counterHeightPx > 0) context.fillRect(scale.leftPx, lane.counterTopPx, width, lane.counterHeightPx)
}

function paintPlaceHeld({ context, scale, data, theme, fonts }: Frame, lane: LaneLayout): void {
  const row = lane.rows[0]
  if (!row) return
  const text = lane.lane
    ? 'no fit to the host clock'
    : data.live
      ? 'arrives when its timestamps are read'
      : 'no device clock here: host-side truth only'
  context.font = fonts.small
  context.textAlign = 'left'
  context.fillStyle = toCss(theme.text2)
  context.fillText(text, scale.leftPx + 8, row.topPx + row.barPx / 2)
}

/** The counter, the cells of merged spans and narrow bars: all that comes in columns of a pixel. */
function paintColumns(frame: Frame, lane: LaneLayout): void {
  const { columns, scale, dpr, drawList } = frame
  if (drawList.mergedCount + drawList.barCount === 0 && lane.counterHeightPx === 0) return
  // On a whole pixel, so that a column is one.
  const topPx = Math.round(lane.topPx * dpr) / dpr
  const width = Math.ceil((scale.rightPx - scale.leftPx) * dpr)
  columns.beginAt(scale.leftPx, topPx, width, Math.ceil(lane.heightPx * dpr), dpr)
  if (lane.counterHeightPx > 0) paintCounter(frame, lane, topPx)
  for (const [bucket, cells] of drawList.cells.entries()) {
    const mark = MARK_BY_KIND[bucket >> 1]
    if (mark && cells.length > 0 && mark.mergedAlpha > 0) addCells(frame, lane, cells, mark, topPx)
  }
  for (const [bucket, bars] of drawList.bars.entries()) {
    const mark = MARK_BY_KIND[bucket >> 1]
    if (mark && bars.length > 0) addNarrowBars(frame, lane, bars, mark, (bucket & 1) === 1, topPx)
  }
  columns.end()
}

function addCells(
  { columns, theme, dpr }: Frame,
  lane: LaneLayout,
  { values, length }: IntegerList,
  mark: Mark,
  topPx: number,
): void {
  columns.ink(theme.hues[mark.hue], mark.mergedAlpha)
  let rowNumber = -1
  let [bottom, stepPx] = [0, 0]
  for (let at = 0; at < length; at += CELL_FIELDS) {
    const next = values[at + 2] ?? -1
    if (next !== rowNumber) {
      rowNumber = next
      const row = lane.rows[rowNumber]
      bottom = row ? (row.topPx + row.barPx - topPx) * dpr : 0
      stepPx = row ? (row.barPx * dpr) / stepsOf(row, dpr) : 0
    }
    // Whatever happened leaves at least one device pixel: nothing vanishes.
    const from = Math.round(bottom - (values[at + 3] ?? 0) * stepPx)
    const to = Math.min(from - 1, Math.round(bottom - (values[at + 4] ?? 0) * stepPx))
    const column = values[at] ?? 0
    columns.fill(column, column + (values[at + 1] ?? 0), to, from)
  }
}

function paintBars(frame: Frame, lane: LaneLayout, bars: NumberList, mark: Mark, inferred: boolean): void {
  const { context, theme } = frame
  const hue = theme.hues[mark.hue]
  const name = inferred ? 'hatch' : mark.mark
  const fill = barFill(frame, name, hue)
  const outlined = name !== 'solid'
  const halfHeight = name === 'half'

  context.fillStyle = fill
  if (name === 'lines') {
    // Lines alone are too thin to be seen as one bar.
    context.fillStyle = toCss(hue, TINT_ALPHA)
    eachBar(frame, lane, bars, (left, top, width, height) => context.fillRect(left, top, width, height))
    context.fillStyle = fill
  }
  if (name !== 'outline' && name !== 'dashed')
    eachBar(frame, lane, bars, (left, rowTop, width, barPx) => {
      const height = halfHeight ? barPx * HALF : barPx
      const top = rowTop + barPx - height
      if (width >= WIDE_PX && height >= 8) fillRounded(context, left, top, width, height, 2)
      else context.fillRect(left, top, width, height)
    })
  if (outlined) {
    context.strokeStyle = toCss(hue, name === 'outline' ? 0.7 : 1)
    context.lineWidth = name === 'dots' ? 1.25 : 1
    context.setLineDash(inferred || name === 'dashed' ? [DASH_PX.on, DASH_PX.off] : [])
    context.beginPath()
    eachBar(frame, lane, bars, (left, top, width, height) => {
      if (width >= 3 && height >= 3) context.rect(left + 0.5, top + 0.5, width - 1, height - 1)
    })
    context.stroke()
    context.setLineDash([])
  }
  context.lineWidth = 1
  paintLabels(frame, lane, bars, mark, inferred)
}

function barFill({ patterns }: Frame, name: Mark['mark'] | 'hatch', hue: Rgb): string | CanvasPattern {
  switch (name) {
    case 'dots':
    case 'lines':
    case 'hatch':
      return patterns.get(name, hue)
    case 'tint':
      return toCss(hue, TINT_ALPHA)
    default:
      return toCss(hue)
  }
}

/** All that are not in the lane's columns. */
function eachBar(
  { scale, dpr }: Frame,
  lane: LaneLayout,
  { values, length }: NumberList,
  draw: (left: number, top: number, width: number, height: number) => void,
): void {
  for (let at = 0; at < length; at += BAR_FIELDS) {
    const row = lane.rows[values[at + 2] ?? -1]
    const full = ((values[at + 1] ?? 0) - (values[at] ?? 0)) / dpr
    if (!row || full < NARROW_PX) continue
    const left = scale.leftPx + (values[at] ?? 0) / dpr
    draw(left, row.topPx, full >= WIDE_PX ? full - 1 : full, row.barPx)
  }
}

function paintLabels(frame: Frame, lane: LaneLayout, bars: NumberList, mark: Mark, inferred: boolean): void {
  const { context, scale, theme, dpr, fonts, data } = frame
  const { strings, spans } = data.placed.trace
  const { values, length } = bars
  const solid = mark.mark === 'solid' && !inferred
  const hue = theme.hues[mark.hue]
  const ink = toCss(solid ? inkOn(hue) : theme.text)
  const plate = toCss(mark.mark === 'tint' ? mixRgb(theme.surface, hue, 0.3) : theme.surface)
  // Lanes without a header column have their name over the start of the row.
  const fromPx = scale.leftPx + (frame.layout.headerPx === 0 && hasChip(frame.layout, lane) ? CHIP_PX : 0)
  context.font = fonts.small
  context.textAlign = 'left'
  for (let at = 0; at < length; at += BAR_FIELDS) {
    const row = lane.rows[values[at + 2] ?? -1]
    if (!row || row.barPx < 11) continue
    const left = Math.max(fromPx, (values[at] ?? 0) / dpr + scale.leftPx)
    const right = Math.min(scale.rightPx, (values[at + 1] ?? 0) / dpr + scale.leftPx)
    if (right - left < LABEL_PX) continue
    const span = values[at + 3] ?? 0
    const name = strings[spans.name[span] ?? -1] ?? ''
    const text = fonts.smallRuler.fit(inferred ? `${name} (inferred)` : name, right - left - 12)
    if (text === '') continue
    const isHalf = mark.mark === 'half' && !inferred
    // A plate would hide the level that the mark is about: the name stands above it.
    const middle = row.topPx + (isHalf ? (row.barPx * (1 - HALF)) / 2 + 0.5 : row.barPx / 2)
    if (!solid && !isHalf) {
      context.fillStyle = plate
      context.fillRect(left + 3, middle - 7, fonts.smallRuler.width(text) + 6, 14)
    }
    context.fillStyle = ink
    context.fillText(text, left + 6, middle + 0.5)
  }
}

/** A mark above the first row; those that share a pixel are one. */
function paintInstants({ context, scale, theme }: Frame, lane: LaneLayout): void {
  const row = lane.rows[0]
  const times = lane.instantsNs
  if (!row || times.length === 0) return
  context.fillStyle = toCss(theme.text)
  let index = lowerBound(times, scale.view.startNs)
  while (index < times.length) {
    const px = nsToPx(scale, times[index] ?? NaN)
    if (!(px <= scale.rightPx)) return
    fillTriangle(context, [px, row.topPx - 1], [px + 3.5, row.topPx - 6], [px - 3.5, row.topPx - 6])
    index = Math.max(index + 1, lowerBound(times, pxToNs(scale, px + 1)))
  }
}
