/**
 * Device gaps as brackets under the lane, with length and cause; vermilion where the host caused them. Where the gaps of a repeat
 * are too narrow for words, one line says how many there are, what share of the time they come to, and their main cause.
 */
import type { GapCause } from '../analysis/types'
import { CAUSE_LABEL, isHostCaused } from './causes'
import { formatCount, formatDuration, formatShare } from './format'
import type { GapGroup, LaneLayout } from './layout'
import type { Frame } from './frame'
import { nsToPx } from './scale'
import { contrast, mixRgb, toCss, type Rgb, type Theme } from './theme'

/** Narrower than this a bracket is a blot. */
const BRACKET_PX = 6
/** Height of the strip that narrow gaps form, where all of a pixel column's time was idle. */
const STRIP_PX = 3
/** 'idle 9 %' takes about this much. */
const SHORTEST_WORDS_PX = 44

/** The hue, darkened or lightened towards the text colour until small text reads on it at 4.5:1. */
export function readable(hue: Rgb, theme: Theme): Rgb {
  for (let share = 0; share < 1; share += 0.1) {
    const colour = mixRgb(hue, theme.text, share)
    if (contrast(colour, theme.surface2) >= 4.5) return colour
  }
  return theme.text
}

/** What is said of a group whose gaps are too narrow to speak for themselves; longest first. */
function groupWords(group: GapGroup): readonly string[] {
  const share = formatShare(group.idleNs / Math.max(1, group.endNs - group.startNs))
  const cause = CAUSE_LABEL[group.cause]
  if (group.gaps.length === 1) return [`idle ${share} · ${cause}`, `idle ${share}`]
  const count = formatCount(group.gaps.length)
  return [`${count} gaps · idle ${share} · ${cause}`, `idle ${share} · ${cause}`, `idle ${share}`]
}

export function paintGaps(frame: Frame, lane: LaneLayout): void {
  const { scale } = frame
  for (const group of lane.gapGroups) {
    const left = Math.max(scale.leftPx, nsToPx(scale, group.startNs))
    const right = Math.min(scale.rightPx, nsToPx(scale, group.endNs))
    if (right <= scale.leftPx || left >= scale.rightPx) continue
    const named = paintGroup(frame, lane, group)
    if (!named && right - left >= SHORTEST_WORDS_PX)
      paintWords(frame, lane, groupWords(group), left, right, group.cause)
  }
}

/** Draws the group's brackets and strips. True where at least one bracket had room for its own words. */
function paintGroup(frame: Frame, lane: LaneLayout, group: GapGroup): boolean {
  const { context, scale, data, theme } = frame
  const top = lane.gapTopPx + 1
  const strip = new Strip(frame, top + 3)
  let named = false
  for (const index of group.gaps) {
    const gap = data.gaps[index]
    if (!gap) continue
    const left = nsToPx(scale, gap.startNs)
    const right = nsToPx(scale, gap.endNs)
    if (!(right >= scale.leftPx)) continue
    if (left > scale.rightPx) break
    const hostCaused = isHostCaused(gap.cause)
    const colour = hostCaused ? theme.hues.wait : theme.text2
    if (right - left < BRACKET_PX) {
      strip.add(left, right, hostCaused)
      continue
    }
    context.strokeStyle = toCss(colour)
    context.lineWidth = hostCaused ? 1.5 : 1
    context.setLineDash(gap.cause === 'unknown' ? [3, 2] : [])
    context.beginPath()
    context.moveTo(left + 1, top)
    context.lineTo(left + 1, top + 5)
    context.lineTo(right - 1, top + 5)
    context.lineTo(right - 1, top)
    context.stroke()
    context.setLineDash([])
    const length = formatDuration(gap.durationNs)
    const words = [`idle ${length} · ${CAUSE_LABEL[gap.cause]}`, `idle ${length}`]
    named = paintWords(frame, lane, words, left, right, gap.cause) || named
  }
  strip.close()
  return named
}

/** Narrow gaps by pixel column, each column as high as its share of idle time: merged as bars are, so that area is time. */
class Strip {
  readonly #frame: Frame
  readonly #topPx: number
  #column = NaN
  #host = 0
  #other = 0

  constructor(frame: Frame, topPx: number) {
    this.#frame = frame
    this.#topPx = topPx
  }

  add(leftPx: number, rightPx: number, hostCaused: boolean): void {
    for (let from = leftPx; ;) {
      const column = Math.floor(from)
      if (column !== this.#column) {
        this.close()
        this.#column = column
      }
      const to = Math.min(rightPx, column + 1)
      if (hostCaused) this.#host += to - from
      else this.#other += to - from
      if (to >= rightPx) return
      from = to
    }
  }

  close(): void {
    const { context, theme } = this.#frame
    const share = Math.min(1, this.#host + this.#other)
    if (share > 0) {
      context.fillStyle = toCss(this.#host >= this.#other ? theme.hues.wait : theme.text2)
      context.fillRect(this.#column, this.#topPx, 1, Math.max(0.75, STRIP_PX * share))
    }
    this.#host = 0
    this.#other = 0
  }
}

/** The longest wording that fits between two edges, in the part that is in view. False where none does. */
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
  context.fillStyle = toCss(isHostCaused(cause) ? readable(theme.hues.wait, theme) : theme.text2)
  context.fillText(text, (from + to) / 2, lane.gapTopPx + Math.min(16, lane.gapHeightPx - 6))
  return true
}
