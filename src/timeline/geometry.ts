/** Computes where a target lies on the canvas, CSS px, rows not yet scrolled. Pure. */
import { WINDOW_KIND } from './marks'
import type { Layout } from './layout'
import { laneOfSpan, rowOfSpan } from './navigate'
import { nsToPx, type Scale } from './scale'
import type { Target, TimelineData } from './types'

export interface Box {
  readonly leftPx: number
  readonly rightPx: number
  readonly topPx: number
  readonly heightPx: number
}

export function spanBox(data: TimelineData, layout: Layout, scale: Scale, span: number): Box | null {
  const startNs = data.placed.startNs[span] ?? NaN
  const endNs = data.placed.endNs[span] ?? NaN
  if (!Number.isFinite(startNs) || !Number.isFinite(endNs)) return null
  const horizontal = { leftPx: nsToPx(scale, startNs), rightPx: nsToPx(scale, endNs) }
  if (data.placed.trace.spans.kind[span] === WINDOW_KIND)
    return { ...horizontal, topPx: layout.bandTopPx + 2, heightPx: Math.max(2, layout.bandPx - 4) }
  const lane = laneOfSpan(data, layout, span)
  if (!lane) return null
  const row = rowOfSpan(data, lane, span)
  return row ? { ...horizontal, topPx: row.topPx, heightPx: row.barPx } : null
}

export function targetBox(data: TimelineData, layout: Layout, scale: Scale, target: Target): Box | null {
  if (target.type === 'span') return spanBox(data, layout, scale, target.span)
  if (target.type === 'gap') {
    const gap = data.gaps[target.gap]
    const lane = gap && layout.lanes.find((candidate) => candidate.lane?.id === gap.lane)
    if (!gap || !lane) return null
    return {
      leftPx: nsToPx(scale, gap.startNs),
      rightPx: nsToPx(scale, gap.endNs),
      topPx: lane.gapTopPx,
      heightPx: lane.gapHeightPx,
    }
  }
  const lane = layout.lanes.find(({ counters }) => counters.includes(target.counter))
  if (!lane) return null
  const px = nsToPx(scale, target.timeNs)
  return { leftPx: px, rightPx: px, topPx: lane.counterTopPx, heightPx: lane.counterHeightPx }
}
