/**
 * Device gaps as brackets under the lane, with length and cause; vermilion where the host caused them. Gaps too narrow for a
 * bracket are drawn together as a strip that says how many there are and what share of its time was idle.
 */
import type { Gap } from '../analysis/types'
import { CAUSE_LABEL, isHostCaused } from './causes'
import { formatCount, formatDuration, formatShare } from './format'
import type { LaneLayout } from './layout'
import type { Frame } from './paint'
import { nsToPx } from './scale'
import { contrast, mixRgb, toCss, type Rgb, type Theme } from './theme'

/** Narrower than this a bracket is a blot. */
const BRACKET_PX = 6
/** Narrow gaps closer than this form one strip. */
const JOIN_PX = 24

/** The hue, darkened or lightened towards the text colour until small text reads on it at 4.5:1. */
export function readable(hue: Rgb, theme: Theme): Rgb {
  for (let share = 0; share < 1; share += 0.1) {
    const colour = mixRgb(hue, theme.text, share)
    if (contrast(colour, theme.surface2) >= 4.5) return colour
  }
  return theme.text
}

/** Narrow gaps that are drawn together. */
interface Strip {
  leftPx: number
  rightPx: number
  count: number
  idleNs: number
  hostNs: number
  startNs: number
  endNs: number
}

export function paintGaps(frame: Frame, lane: LaneLayout): void {
  const { context, scale, data, theme } = frame
  const top = lane.gapTopPx + 1
  const blame = theme.hues.wait
  const neutral = theme.text2
  let strip: Strip | null = null
  const close = (): void => {
    if (strip) paintStrip(frame, lane, strip)
    strip = null
  }
  for (const index of lane.gaps) {
    const gap = data.gaps[index]
    if (!gap) continue
    const left = nsToPx(scale, gap.startNs)
    const right = nsToPx(scale, gap.endNs)
    if (right < scale.leftPx) continue
    if (left > scale.rightPx) break
    if (right - left < BRACKET_PX) {
      if (strip && left - strip.rightPx > JOIN_PX) close()
      strip ??= {
        leftPx: left,
        rightPx: right,
        count: 0,
        idleNs: 0,
        hostNs: 0,
        startNs: gap.startNs,
        endNs: 0,
      }
      strip.rightPx = Math.max(strip.rightPx, right)
      strip.endNs = Math.max(strip.endNs, gap.endNs)
      strip.count += 1
      strip.idleNs += gap.endNs - gap.startNs
      if (isHostCaused(gap.cause)) strip.hostNs += gap.endNs - gap.startNs
      continue
    }
    close()
    const hostCaused = isHostCaused(gap.cause)
    context.strokeStyle = toCss(hostCaused ? blame : neutral)
    context.lineWidth = hostCaused ? 1.5 : 1
    context.setLineDash(gap.cause === 'unknown' ? [3, 2] : [])
    context.beginPath()
    context.moveTo(left + 1, top)
    context.lineTo(left + 1, top + 5)
    context.lineTo(right - 1, top + 5)
    context.lineTo(right - 1, top)
    context.stroke()
    context.setLineDash([])
    paintGapLabel(frame, lane, gap, left, right, hostCaused ? readable(blame, theme) : neutral)
  }
  close()
}

function paintGapLabel(
  { context, scale, fonts }: Frame,
  lane: LaneLayout,
  gap: Gap,
  left: number,
  right: number,
  colour: Rgb,
): void {
  const from = Math.max(left, scale.leftPx)
  const to = Math.min(right, scale.rightPx)
  const length = formatDuration(gap.durationNs)
  const text = fonts.smallRuler.first(
    [`idle ${length} · ${CAUSE_LABEL[gap.cause]}`, `idle ${length}`, length],
    to - from - 4,
  )
  if (text === '') return
  context.font = fonts.small
  context.textAlign = 'center'
  context.fillStyle = toCss(colour)
  context.fillText(text, (from + to) / 2, lane.gapTopPx + Math.min(15, lane.gapHeightPx - 6))
}

function paintStrip({ context, scale, theme, fonts }: Frame, lane: LaneLayout, strip: Strip): void {
  const share = strip.idleNs / Math.max(1, strip.endNs - strip.startNs)
  const hostCaused = strip.hostNs * 2 > strip.idleNs
  const hue = hostCaused ? theme.hues.wait : theme.text2
  const left = Math.max(strip.leftPx, scale.leftPx)
  const right = Math.min(Math.max(strip.rightPx, strip.leftPx + 1), scale.rightPx)
  const top = lane.gapTopPx + 3
  // The strip's height is its share of idle time, as with merged bars.
  context.fillStyle = toCss(hue, 0.9)
  context.fillRect(left, top, right - left, Math.max(1, 4 * share))
  if (strip.count < 2) return
  const count = formatCount(strip.count)
  const text = fonts.smallRuler.first(
    [`${count} gaps · idle ${formatShare(share)}`, `idle ${formatShare(share)}`],
    right - left - 4,
  )
  if (text === '') return
  context.font = fonts.small
  context.textAlign = 'center'
  context.fillStyle = toCss(hostCaused ? readable(hue, theme) : theme.text2)
  context.fillText(text, (left + right) / 2, lane.gapTopPx + Math.min(15, lane.gapHeightPx - 6))
}
