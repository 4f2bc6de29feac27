/**
 * A lane's counter (queue depth) over its rows: a stepped area that holds each sample until the
 * next. In whole pixels, column by column: samples that share one show their extremes.
 */
import { lowerBound, upperBound } from '../base/search'
import { visitCounter } from './lod/counter-levels'
import { lodOf } from './lod/trace-lod'
import type { Frame } from './frame'
import type { LaneLayout } from './layout'
import { nsToPx } from './scale'

const LINE_PX = 1.25
const AREA_ALPHA = 0.28
/** Room above the highest value. */
const HEADROOM_PX = 3

/** Adds to the lane's columns, whose corner lies at (scale.leftPx, topPx). */
export function paintCounter(frame: Frame, lane: LaneLayout, topPx: number): void {
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
