/**
 * Takes out of a program the times in which the profiler was at work and the device had nothing to
 * do, as when CUPTI asks for its first buffer: 2 to 3 ms within the first launch of a file that was
 * recorded without a warm-up. What comes after moves forward by as much.
 */
import { IndexedSet, total } from '../intervals'
import type { Interval } from '../types'
import type { Draft, DraftStretch } from './draft'

/** @returns the draft without them, and how long they were, ns */
export function cutPauses(
  draft: Draft,
  stretches: readonly DraftStretch[],
  profiler: readonly Interval[],
): { readonly draft: Draft; readonly cutNs: number } {
  const { work, edgesNs } = draft
  const [fromNs = 0, toNs = 0] = [edgesNs[0], edgesNs.at(-1)]
  const pauses = profiler.filter(
    ({ start, end }) =>
      start >= fromNs && end <= toNs && !work.some(({ startNs, endNs }) => startNs < end && endNs > start),
  )
  if (pauses.length === 0) return { draft, cutNs: 0 }
  const cut = IndexedSet.of(pauses)
  const moved = (ns: number) => ns - cut.totalWithin(-Infinity, ns)
  for (const stretch of stretches) {
    const { startNs, endNs, arrivesNs } = stretch
    stretch.lengthNs = Math.max(0, stretch.lengthNs - cut.totalWithin(startNs, endNs))
    stretch.startNs = moved(startNs)
    stretch.endNs = moved(endNs)
    if (arrivesNs >= 0) stretch.arrivesNs = moved(arrivesNs)
  }
  for (const each of work) {
    each.latencyNs = Math.max(0, each.latencyNs - cut.totalWithin(each.callNs, each.startNs))
    each.callNs = moved(each.callNs)
    each.startNs = moved(each.startNs)
    each.endNs = moved(each.endNs)
  }
  return { draft: { ...draft, edgesNs: edgesNs.map(moved) }, cutNs: total(pauses) }
}
