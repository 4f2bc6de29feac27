/**
 * Marks search results: found spans keep their strength and get a line under them, the rest of the
 * lanes is veiled. Where many share a pixel, one that is found marks it. The cost is that of the
 * pixels.
 */
import type { Frame } from './frame'
import type { LaneLayout } from './layout'
import { nsToPx } from './scale'
import { eachMark, type Found, type FoundLane, type FoundRow } from './search'
import { toCss } from './colour'

/** No mark is narrower: it must be seen beside its neighbours. */
const LEAST_PX = 2
const VEIL = 0.62

export const foundLanes = ({ lanes }: Found): ReadonlyMap<number, FoundLane> =>
  new Map(lanes.map((lane) => [lane.lane, lane]))

export function paintFound(frame: Frame, lane: LaneLayout, found: FoundLane | undefined): void {
  for (const [number, { topPx, barPx, spans }] of lane.rows.entries()) {
    if (!spans) continue
    // One row for all: the lane is folded.
    const row = lane.rows.length === 1 ? found : found?.rows[number]
    paintRow(frame, row, topPx, barPx, VEIL)
  }
}

export function paintFoundBands(frame: Frame, { bands }: Found): void {
  const { context, layout, scale, heightPx } = frame
  if (layout.bandPx === 0) return
  context.save()
  context.beginPath()
  context.rect(scale.leftPx, layout.bandTopPx, scale.rightPx - scale.leftPx, heightPx)
  context.clip()
  // Not veiled: they say where one is.
  paintRow(frame, bands, layout.bandTopPx + 2, layout.bandPx - 6, 0)
  context.restore()
}

function paintRow(frame: Frame, row: FoundRow | undefined, topPx: number, barPx: number, veil: number): void {
  const { context, scale, theme } = frame
  const { startNs, endNs } = scale.view
  let veilFromPx = scale.leftPx
  const veilTo = (px: number): void => {
    if (veil > 0 && px > veilFromPx) context.fillRect(veilFromPx, topPx - 1, px - veilFromPx, barPx + 2)
  }
  context.fillStyle = toCss(theme.surface, veil)
  const marks: number[] = []
  if (row)
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
