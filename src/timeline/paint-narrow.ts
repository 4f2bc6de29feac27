/**
 * Bars too narrow for a name, in the lane's columns: the marks of marks.ts as `paint-lanes.ts`
 * strokes and fills them, but for round corners. Device px from the corner of the columns; patterns
 * are anchored to time 0.
 */
import type { Frame } from './frame'
import type { LaneLayout } from './layout'
import type { Mark, MarkName } from './marks'
import { tileEdge } from './patterns'
import { nsToPx } from './scale'
import type { Rgb } from './colour'
import { BAR_FIELDS, type NumberList } from './visible'

/** Below it a bar has no room for a name, and its corners need not be round. CSS px. */
export const NARROW_PX = 12
/** From this width on touching bars get a hairline between them. CSS px. */
export const WIDE_PX = 6
/** Height of a 'half' mark: a little less than half, so that a name fits above the level. */
export const HALF = 0.4
/** Strength of a light fill within an outline. */
export const TINT_ALPHA = 0.3
/**
 * Narrower, an outline would be all there is of a bar: it is filled as merged ones are. CSS px,
 * width and height.
 */
const OUTLINE_PX = 3
/** Dash of an outline, CSS px. */
export const DASH_PX = { on: 3, off: 2 } as const

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export function addNarrowBars(
  frame: Frame,
  lane: LaneLayout,
  bars: NumberList,
  mark: Mark,
  isInferred: boolean,
  topPx: number,
): void {
  const { columns, theme, dpr, scale } = frame
  const { values, length } = bars
  const hue = theme.hues[mark.hue]
  const name = isInferred ? 'hatch' : mark.mark
  const limit = NARROW_PX * dpr
  const zero = { x: (nsToPx(scale, 0) - scale.leftPx) * dpr, y: -topPx * dpr }
  for (let at = 0; at < length; at += BAR_FIELDS) {
    const left = values[at] ?? 0
    const full = (values[at + 1] ?? 0) - left
    const row = full < limit ? lane.rows[values[at + 2] ?? -1] : undefined
    if (!row) continue
    const top = Math.round((row.topPx - topPx) * dpr)
    const bottom = Math.max(top + 1, Math.round((row.topPx + row.barPx - topPx) * dpr))
    const box = { left, right: left + (full >= WIDE_PX * dpr ? full - dpr : full), top, bottom }
    if (name === 'solid') {
      columns.ink(hue, 1)
      columns.cover(box.left, box.right, top, bottom)
    } else if (full < OUTLINE_PX * dpr || row.barPx < OUTLINE_PX) {
      columns.ink(hue, mark.mergedAlpha)
      columns.cover(box.left, box.right, top, bottom)
    } else {
      addFill(frame, box, name, hue, zero)
      columns.ink(hue, name === 'outline' ? 0.7 : 1)
      addOutline(frame, box, isInferred || name === 'dashed')
    }
  }
}

function addFill(
  { columns, dpr }: Frame,
  { left, right, top, bottom }: Box,
  name: MarkName | 'hatch',
  hue: Rgb,
  zero: { readonly x: number; readonly y: number },
): void {
  switch (name) {
    case 'tint':
      columns.ink(hue, TINT_ALPHA)
      columns.cover(left, right, top, bottom)
      return
    case 'half':
      columns.ink(hue, 1)
      columns.cover(left, right, Math.round(bottom - (bottom - top) * HALF), bottom)
      return
    case 'lines': {
      // Lines alone are too thin to be seen as one bar.
      columns.ink(hue, TINT_ALPHA)
      columns.cover(left, right, top, bottom)
      columns.ink(hue, 1)
      const edge = tileEdge(name, dpr)
      for (let x = firstOf(left, zero.x, edge); x < right; x += edge)
        columns.cover(Math.max(left, x), Math.min(right, x + edge / 3), top, bottom)
      return
    }
    case 'dots': {
      columns.ink(hue, 1)
      const edge = tileEdge(name, dpr)
      const dot = Math.max(1, Math.round(edge * 0.4))
      for (let y = Math.round(firstOf(top, zero.y + (edge - dot) / 2, edge)); y < bottom; y += edge)
        for (let x = firstOf(left, zero.x + (edge - dot) / 2, edge); x < right; x += edge)
          columns.cover(
            Math.max(left, x),
            Math.min(right, x + dot),
            Math.max(top, y),
            Math.min(bottom, y + dot),
          )
      return
    }
    case 'hatch': {
      columns.ink(hue, 1)
      const edge = tileEdge(name, dpr)
      const stroke = edge * 0.31
      // Each row of pixels is cut by every stroke once, a pixel further left than the row above.
      for (let y = top; y < bottom; y += 1)
        for (let x = firstOf(left, zero.x + zero.y - y - stroke / 2, edge); x < right; x += edge)
          columns.cover(Math.max(left, x), Math.min(right, x + stroke), y, y + 1)
      return
    }
    default:
  }
}

/** The last repeat of a tile that begins at or before `from`. */
const firstOf = (from: number, zero: number, edge: number): number =>
  zero + Math.floor((from - zero) / edge) * edge

function addOutline({ columns, dpr }: Frame, { left, right, top, bottom }: Box, isDashed: boolean): void {
  const line = Math.max(1, Math.round(dpr))
  columns.cover(left, right, top, top + line)
  columns.cover(left, right, bottom - line, bottom)
  const dash = isDashed
    ? { on: Math.round(DASH_PX.on * dpr), every: Math.round((DASH_PX.on + DASH_PX.off) * dpr) }
    : { on: bottom - top, every: bottom - top }
  for (let y = top + line; y < bottom - line; y += dash.every) {
    const end = Math.min(y + dash.on, bottom - line)
    columns.cover(left, left + line, y, end)
    columns.cover(right - line, right, y, end)
  }
}
