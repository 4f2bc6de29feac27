/**
 * Device gaps as brackets under the lane, with length and cause; vermilion where the host caused
 * them. Where the gaps of a repeat are too narrow for words, one line says how many there are, what
 * share of the time they come to, and their main cause.
 */
import { CAUSES, isIdle } from '../trace/gap-causes'
import type { GapCause } from '../trace/gaps'
import { formatCount, formatDuration, formatShare } from './format'
import type { Frame } from './frame'
import { HOST_BUCKET, OTHER_BUCKET, type GapGroup } from './lod/gap-rows'
import type { LaneLayout } from './layout'
import { nsToPx } from './scale'
import { toCss, readableOn } from './colour'
import { BAR_FIELDS, CELL_FIELDS, type NumberList } from './visible'

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
