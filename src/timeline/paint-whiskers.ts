/** How well the edges of device spans are known, where that can be seen. */
import type { Frame } from './frame'
import type { LaneLayout } from './layout'
import { MARK_BY_KIND } from './marks'
import { nsToPx } from './scale'
import { toCss } from './colour'
import { BAR_FIELDS, type NumberList } from './visible'

/**
 * The bound of each device edge as a whisker under the bar, where it is wider than a pixel. Where
 * the whiskers of neighbours run into each other they are drawn as one: the order of those edges
 * against the host is not known.
 */
export function paintWhiskers(
  { context, scale, data, theme }: Frame,
  lane: LaneLayout,
  bars: NumberList,
): void {
  const { values, length } = bars
  if (length === 0) return
  const { kind } = data.placed.trace.spans
  let [left, right, lastY] = [NaN, NaN, NaN]
  const close = (): void => {
    if (!(right >= scale.leftPx && left <= scale.rightPx)) return
    context.fillRect(left, lastY, right - left, 1.5)
    if (right - left < 4) return
    context.fillRect(left, lastY - 2, 1, 5.5)
    context.fillRect(right - 1, lastY - 2, 1, 5.5)
  }
  for (let at = 0; at < length; at += BAR_FIELDS) {
    const span = values[at + 3] ?? 0
    const row = lane.rows[values[at + 2] ?? -1]
    const mark = MARK_BY_KIND[kind[span] ?? -1]
    if (!row || !mark) continue
    context.fillStyle = toCss(theme.hues[mark.hue], theme.forcedColors ? 1 : 0.4)
    const y = row.topPx + row.barPx + 3
    for (let edge = 0; edge < 2; edge += 1) {
      const [before, after] = data.placed.edgeBoundNs(span, edge === 0 ? 'start' : 'end')
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
