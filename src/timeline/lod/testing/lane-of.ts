import type { PlacedLane } from '../../../trace/place'

/**
 * A lane of spans from start to end, ns, in the order in which placing leaves them: earlier first,
 * of two that begin together the longer.
 */
export function laneOf(spans: readonly (readonly [number, number])[]): PlacedLane {
  const sorted = [...spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])
  let furthest = -Infinity
  return {
    lane: 0,
    length: sorted.length,
    span: Uint32Array.from(sorted.keys()),
    startNs: Float64Array.from(sorted, ([start]) => start),
    endNs: Float64Array.from(sorted, ([, end]) => end),
    maxEndNs: Float64Array.from(sorted, ([, end]) => (furthest = Math.max(furthest, end))),
  }
}
