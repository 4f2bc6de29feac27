/**
 * Sums over a selected stretch of time, per lane and kind: the union of what is seen of the spans,
 * their count and bytes.
 */
import { madeOnce } from '../base/lists'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, type SpanKind } from '../trace/schema'
import { total, union } from './intervals'
import type { Interval } from './types'
import { lowerBound } from '../base/search'

export interface Area {
  readonly startNs: number
  readonly endNs: number
  /** Lane ids. */
  readonly lanes: readonly number[]
}

export interface AreaSum {
  readonly lane: number
  readonly kind: SpanKind
  /** Time within the area that at least one such span covers. */
  readonly unionNs: number
  /** unionNs / length of the area. */
  readonly share: number
  /** Spans that reach into the area; one of no length counts when it lies in it. */
  readonly count: number
  /**
   * Bytes of spans that begin in the area, so that areas side by side count each span once. Null
   * where no span has any.
   */
  readonly bytes: number | null
}

/** In the order of `area.lanes`, then of SPAN_KINDS; kinds that do not occur are left out. */
export function sumArea(placed: PlacedTrace, area: Area): readonly AreaSum[] {
  const { spans } = placed.trace
  const startNs = Math.min(area.startNs, area.endNs)
  const endNs = Math.max(area.startNs, area.endNs)
  return area.lanes.flatMap((id) => {
    const lane = placed.lanes[id]
    if (!lane) return []
    const sums = new Map<number, { intervals: Interval[]; count: number; bytes: number | null }>()
    // maxEndNs ascends: everything before ended before the area.
    const first = lowerBound(lane.maxEndNs, startNs, lane.length)
    for (let index = first; index < lane.length; index += 1) {
      const start = lane.startNs[index] ?? 0
      const end = lane.endNs[index] ?? 0
      if (start >= endNs) break
      const reachesIn = end > startNs || (start === end && start >= startNs)
      if (!reachesIn) continue
      const span = lane.span[index] ?? 0
      const kind = spans.kind[span] ?? 0
      const sum = madeOnce(sums, kind, () => ({ intervals: [], count: 0, bytes: null }))
      sum.count += 1
      sum.intervals.push({ start: Math.max(start, startNs), end: Math.min(end, endNs) })
      const sizeBytes = spans.bytes[span] ?? Number.NaN
      if (!Number.isNaN(sizeBytes) && start >= startNs) sum.bytes = (sum.bytes ?? 0) + sizeBytes
    }
    return [...sums]
      .sort(([a], [b]) => a - b)
      .map(([kind, { intervals, count, bytes }]) => {
        const unionNs = total(union(intervals))
        const share = endNs > startNs ? unionNs / (endNs - startNs) : 0
        return { lane: id, kind: SPAN_KINDS[kind] ?? 'other', unionNs, share, count, bytes }
      })
  })
}
