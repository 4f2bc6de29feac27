/**
 * Arrows between slices as 's' and 'f' events. A reader binds each to the innermost slice of that
 * thread at its time, so: 's' at the start of its slice, 'f' (with bp 'e', 'enclosing') inside its
 * own and not before 's'. A wait begins before the pass it waits for, so its arrow arrives later
 * than its start. Where no such time exists the arrow is left out, and counted.
 */
import { upperBound } from '../../base/search'
import { FLOW_KINDS, type Trace } from '../schema'
import type { Layout, Slice } from './slices'

interface FlowPoint {
  readonly pid: number
  readonly tid: number
  readonly timeNs: number
}
export interface FlowArrow {
  readonly id: number
  readonly kind: string
  readonly from: FlowPoint
  readonly to: FlowPoint
}

interface ThreadSlices {
  readonly slices: readonly Slice[]
  readonly starts: Float64Array
}

export function arrows(
  { flows }: Trace,
  layout: Layout,
): { readonly arrows: readonly FlowArrow[]; readonly leftOut: number } {
  const homes = new Map<number, { readonly slice: Slice; readonly thread: ThreadSlices }>()
  for (const all of layout.slices.values()) {
    const slices = all.filter((slice) => !slice.isAsync)
    const thread = { slices, starts: Float64Array.from(slices, (slice) => slice.startNs) }
    for (const slice of slices) homes.set(slice.span, { slice, thread })
  }
  const found: FlowArrow[] = []
  for (let row = 0; row < flows.length; row += 1) {
    const from = homes.get(flows.from[row] ?? -1)
    const to = homes.get(flows.to[row] ?? -1)
    if (!from || !to || !isInnermost(from.thread, from.slice, from.slice.startNs)) continue
    const leaveNs = from.slice.startNs
    const arriveNs = [to.slice.startNs, leaveNs, to.slice.endNs - 1].find(
      (timeNs) => timeNs >= leaveNs && isInnermost(to.thread, to.slice, timeNs),
    )
    if (arriveNs === undefined) continue
    found.push({
      id: found.length + 1,
      kind: FLOW_KINDS[flows.kind[row] ?? -1] ?? 'flow',
      from: { pid: from.slice.pid, tid: from.slice.tid, timeNs: leaveNs },
      to: { pid: to.slice.pid, tid: to.slice.tid, timeNs: arriveNs },
    })
  }
  return { arrows: found, leftOut: flows.length - found.length }
}

/**
 * Slices nest and are sorted by start, so the last one that began and has not ended is the
 * innermost.
 */
function isInnermost({ slices, starts }: ThreadSlices, slice: Slice, timeNs: number): boolean {
  if (timeNs < slice.startNs || timeNs >= slice.endNs) return false
  for (let index = upperBound(starts, timeNs) - 1; index >= 0; index -= 1) {
    const candidate = slices[index]
    if (candidate && timeNs < candidate.endNs) return candidate === slice
  }
  return false
}
