/** A host thread's nested spans as one stretch after the other, each with all that it lies in. */
import type { PlacedLane } from '../../trace/place'

/** A lane's spans, nested. Positions are those of the placed lane. */
export interface NestedLane {
  readonly lane: number
  readonly span: Uint32Array
  readonly startNs: Float64Array
  readonly endNs: Float64Array
  /** Position of the enclosing span; -1: none. */
  readonly parent: Int32Array
}

/** One pass: a lane is sorted by start, and what contains comes before what it contains. */
export function nest({ lane, span, startNs, endNs, length }: PlacedLane): NestedLane {
  const parent = new Int32Array(length).fill(-1)
  for (let at = 0, open = -1; at < length; at += 1) {
    while (open >= 0 && (endNs[open] ?? 0) <= (startNs[at] ?? 0)) open = parent[open] ?? -1
    parent[at] = open
    open = at
  }
  return { lane, span, startNs, endNs, parent }
}

/** Times in which a position of a lane is the innermost; -1: nothing is recorded. */
export interface Part {
  readonly lane: NestedLane
  readonly startNs: number
  readonly endNs: number
  readonly at: number
}

/**
 * From `fromNs` to `toNs` without a hole. Spans that overlap without nesting end where the next
 * begins.
 */
export function partsOf(lane: NestedLane, fromNs: number, toNs: number): Part[] {
  const { startNs, endNs, parent } = lane
  const parts: Part[] = []
  let clock = fromNs
  const until = (timeNs: number, at: number) => {
    const endsNs = Math.min(timeNs, toNs)
    if (endsNs <= clock) return
    parts.push({ lane, startNs: clock, endNs: endsNs, at })
    clock = endsNs
  }
  let open = -1
  for (let at = 0; at < startNs.length; at += 1) {
    const begin = startNs[at] ?? 0
    if (begin >= toNs) break
    while (open >= 0 && (endNs[open] ?? 0) <= begin) {
      until(endNs[open] ?? 0, open)
      open = parent[open] ?? -1
    }
    until(begin, open)
    open = at
  }
  while (open >= 0) {
    until(endNs[open] ?? 0, open)
    open = parent[open] ?? -1
  }
  until(toNs, -1)
  return parts
}
