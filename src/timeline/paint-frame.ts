/**
 * Paints the frame of the lanes: time axis, grid, the bands of variants across the top, and the
 * sticky headers.
 */
import { headerMiddlePx, SECOND_LINE_PX } from './hit-test'
import { formatCount } from './format'
import { hasChip, type LaneLayout } from './layout'
import type { Hue } from './marks'
import { clipTo, fillRounded, fillTriangle, type Frame } from './frame'
import { nsToPx } from './scale'
import { mixRgb, toCss } from './colour'
import type { Band } from './lod/bands'

/** 'never, repeat 3', counted from 1 as people do; then shorter wordings of it. @internal */
export function bandLabels({ variant, repeat, isWarmUp }: Band): readonly string[] {
  if (isWarmUp) return [`${variant}, warm-up`, variant]
  return repeat >= 0 ? [`${variant}, repeat ${repeat + 1}`, `${variant}, ${repeat + 1}`, variant] : [variant]
}

const GROUP_HUE: Readonly<Record<LaneLayout['kind'], Hue>> = {
  host: 'host',
  queue: 'queue',
  staging: 'staging',
  device: 'device',
  other: 'queue',
}

export function paintGrid({ context, scale, layout, theme, ticks }: Frame): void {
  const top = layout.bandTopPx
  context.fillStyle = toCss(theme.text, theme.forcedColors ? 0.35 : 0.07)
  for (const { timeNs } of ticks.major)
    context.fillRect(Math.round(nsToPx(scale, timeNs)), top, 1, layout.heightPx - top)
  // The border between two repeats reads as a seam, a little stronger than the grid.
  context.fillStyle = toCss(theme.text, theme.forcedColors ? 0.6 : 0.16)
  let lastPx = -Infinity
  for (const { startNs, endNs } of layout.bands)
    for (const edgeNs of [startNs, endNs]) {
      const px = Math.round(nsToPx(scale, edgeNs))
      if (px < scale.leftPx || px > scale.rightPx || px - lastPx < 6) continue
      lastPx = px
      context.fillRect(px, top, 1, layout.heightPx - top)
    }
}

export function paintAxis(frame: Frame): void {
  const { context, scale, layout, theme, ticks, fonts } = frame
  const { axisPx } = layout
  const middle = axisPx / 2 - 1
  clipTo(frame, 0, axisPx)
  context.fillStyle = toCss(theme.text2, 0.35)
  for (const timeNs of ticks.minorNs) context.fillRect(Math.round(nsToPx(scale, timeNs)), axisPx - 3, 1, 3)
  context.fillStyle = toCss(theme.text2, 0.8)
  for (const { timeNs } of ticks.major) context.fillRect(Math.round(nsToPx(scale, timeNs)), axisPx - 6, 1, 6)
  context.font = fonts.small
  context.textAlign = 'center'
  context.fillStyle = toCss(theme.text2)
  const baseWidth = layout.headerPx === 0 && ticks.base ? fonts.smallRuler.width(ticks.base.label) + 16 : 0
  for (const { timeNs, label } of ticks.major) {
    const px = nsToPx(scale, timeNs)
    const half = fonts.smallRuler.width(label) / 2
    // A label cut by the edge of the canvas says less than none.
    if (px - half < scale.leftPx + baseWidth || px + half > scale.rightPx - 2) continue
    context.fillText(label, px, middle)
  }
  context.restore()
  if (!ticks.base) return
  context.fillStyle = toCss(theme.text)
  context.textAlign = layout.headerPx === 0 ? 'left' : 'right'
  context.font = fonts.small
  context.fillText(ticks.base.label, layout.headerPx === 0 ? 4 : layout.headerPx - 12, middle)
}

/** One labelled extent a repeat, so that every bar below is seen to belong to a variant. */
export function paintBands(frame: Frame): void {
  const { context, scale, layout, theme, fonts, patterns } = frame
  const top = layout.bandTopPx + 2
  const height = layout.bandPx - 4
  clipTo(frame, layout.bandTopPx, layout.bandPx)
  context.textAlign = 'left'
  context.font = fonts.label
  const quiet = mixRgb(theme.surface2, theme.text, 0.08)
  let drawnTo = -Infinity
  for (const band of layout.bands) {
    const left = nsToPx(scale, band.startNs)
    const right = nsToPx(scale, band.endNs)
    if (right < scale.leftPx || left > scale.rightPx || right < drawnTo) continue
    const from = Math.max(left, drawnTo)
    const width = Math.max(1, right - from - 1)
    drawnTo = right
    context.fillStyle = theme.forcedColors ? toCss(theme.surface) : toCss(quiet)
    fillRounded(context, from, top, width, height, Math.min(4, width / 2))
    if (band.isWarmUp) {
      context.fillStyle = patterns.get('hatch', mixRgb(quiet, theme.text, 0.12))
      context.fill()
    }
    if (theme.forcedColors) {
      context.strokeStyle = toCss(theme.text)
      context.lineWidth = 1
      context.stroke()
    }
    const textLeft = Math.max(from, scale.leftPx) + 8
    const room = Math.min(right, scale.rightPx) - textLeft - 8
    const labels = bandLabels(band)
    const label = fonts.labelRuler.first(labels, room) || fonts.labelRuler.fit(labels.at(-1) ?? '', room)
    if (label === '') continue
    if (band.isWarmUp) {
      context.fillStyle = toCss(quiet)
      context.fillRect(textLeft - 3, top + 2, fonts.labelRuler.width(label) + 6, height - 4)
    }
    context.fillStyle = toCss(band.isWarmUp ? theme.text2 : theme.text)
    context.fillText(label, textLeft, top + height / 2 + 0.5)
  }
  context.restore()
}

const HEADER_LEFT_PX = 16

export function paintHeaders(frame: Frame, lanes: readonly LaneLayout[]): void {
  const { context, layout, theme, fonts } = frame
  for (const lane of lanes) {
    const firstRow = lane.rows[0]
    const hue = theme.hues[GROUP_HUE[lane.kind]]
    if (layout.headerPx === 0) {
      if (lane.groupTitle === null) {
        if (lane.label !== '' && firstRow)
          paintChip(frame, lane.label, 2, firstRow.topPx + firstRow.barPx / 2)
        continue
      }
      const middle = lane.topPx + 9
      context.fillStyle = toCss(hue)
      context.fillRect(2, middle - 6, 3, 12)
      context.textAlign = 'left'
      context.font = fonts.title
      context.fillStyle = toCss(theme.text)
      context.fillText(lane.groupTitle, 12, middle)
      if (lane.kind === 'queue' || !hasChip(layout, lane)) {
        const used = context.measureText(lane.groupTitle).width
        const more = lane.kind === 'queue' ? `depth, up to ${formatCount(lane.counterMax)}` : lane.label
        context.font = fonts.small
        context.fillStyle = toCss(theme.text2)
        context.fillText(more, 12 + used + 8, middle)
      } else if (firstRow) {
        paintChip(frame, lane.label, 2, firstRow.topPx + firstRow.barPx / 2)
      }
      continue
    }
    const firstMiddle = headerMiddlePx(lane)
    if (lane.groupTitle !== null) {
      context.fillStyle = toCss(hue)
      fillRounded(context, HEADER_LEFT_PX - 8, firstMiddle - 7, 3, 14, 1.5)
      context.font = fonts.title
      context.textAlign = 'left'
      context.fillStyle = toCss(theme.text)
      if (namePlace(frame, lane) !== 'alone')
        context.fillText(
          fonts.labelRuler.fit(lane.groupTitle, layout.headerPx - HEADER_LEFT_PX - 12),
          HEADER_LEFT_PX,
          firstMiddle + 0.5,
        )
    }
    context.font = fonts.small
    context.textAlign = 'right'
    context.fillStyle = toCss(theme.text2)
    const right = layout.headerPx - 12
    if (lane.counterHeightPx > 0) {
      context.fillText(formatCount(lane.counterMax), right, lane.counterTopPx + 6)
      // Two figures need two lines.
      if (lane.counterHeightPx >= 26)
        context.fillText('0', right, lane.counterTopPx + lane.counterHeightPx - 5)
    } else if (lane.label !== '') {
      paintName(frame, lane, right, firstMiddle)
    } else {
      paintFoldMark(frame, lane, right + 4, firstMiddle)
    }
  }
}

const FOLD_PX = 14
/** A name cut to less than this says nothing. */
const LEAST_NAME_PX = 40

type NamePlace = 'beside' | 'under' | 'alone'

/**
 * Places a lane's name: beside its group's title, else under it, else in its stead: the colour
 * still tells the group.
 */
function namePlace({ fonts, layout }: Frame, lane: LaneLayout): NamePlace {
  const { groupTitle, label, topPx, heightPx } = lane
  if (groupTitle === null) return 'alone'
  if (label === '' || lane.counterHeightPx > 0) return 'beside'
  const room = layout.headerPx - HEADER_LEFT_PX - 12 - fonts.labelRuler.width(groupTitle) - FOLD_PX
  if (room >= Math.min(LEAST_NAME_PX, fonts.smallRuler.width(label))) return 'beside'
  return heightPx >= headerMiddlePx(lane) - topPx + SECOND_LINE_PX + 8 ? 'under' : 'alone'
}

function paintName(frame: Frame, lane: LaneLayout, right: number, firstMiddle: number): void {
  const { context, fonts, layout } = frame
  const place = namePlace(frame, lane)
  const title = place === 'beside' ? fonts.labelRuler.width(lane.groupTitle ?? '') : 0
  const room = layout.headerPx - HEADER_LEFT_PX - 12 - title - (lane.fold === 'none' ? 8 : FOLD_PX)
  const name = place === 'alone' && lane.groupTitle !== null ? lane.loneLabel : lane.label
  const label = fonts.smallRuler.fitMiddle(name, room + (place === 'alone' ? 8 : 0))
  const middle = place === 'under' ? firstMiddle + SECOND_LINE_PX : firstMiddle
  context.fillText(label, right, middle + 0.5)
  paintFoldMark(frame, lane, right - fonts.smallRuler.width(label), middle)
}

/** A lane's name laid over the start of its row, where there is no header column. */
function paintChip({ context, theme, fonts }: Frame, label: string, left: number, middle: number): void {
  const width = fonts.smallRuler.width(label) + 8
  context.fillStyle = toCss(theme.surface2, 0.9)
  fillRounded(context, left, middle - 8, width, 16, 4)
  context.font = fonts.small
  context.textAlign = 'left'
  context.fillStyle = toCss(theme.text)
  context.fillText(label, left + 4, middle + 0.5)
}

/**
 * Points down where the lane's rows are shown, to the right where they are folded into one; `right`
 * is where the name begins.
 */
function paintFoldMark({ context, theme }: Frame, lane: LaneLayout, right: number, y: number): void {
  if (lane.fold === 'none') return
  const x = right - 8
  context.fillStyle = toCss(theme.text2)
  if (lane.fold === 'open') fillTriangle(context, [x - 3.5, y - 2], [x + 3.5, y - 2], [x, y + 2.5])
  else fillTriangle(context, [x - 2, y - 3.5], [x + 2.5, y], [x - 2, y + 3.5])
}
