/** Kernels that take far longer than the device's peak allows for their operator's sizes. */
import type { PlacedTrace } from '../../trace/place'
import { Walk } from './walk'

/**
 * A kernel is far from its bound when it takes this many times as long. Products of 8192 and large
 * copies take 1.1 to 1.4 times as long.
 */
const FAR = 2
/**
 * Nothing is as short as its bound that is shorter than this: a kernel that does nothing takes 1 to
 * 2 µs.
 */
const LEAST_NS = 2_000

/**
 * By span of a kernel: the least time that its share of the operator's work can take. Empty where
 * no sizes are recorded.
 */
export function slowKernels(placed: PlacedTrace): ReadonlyMap<number, number> {
  const { trace } = placed
  const isSized = new Uint8Array(trace.lanes.length)
  for (const lane of trace.lanes) isSized[lane.id] = Number(lane.kind === 'host')
  const hasSizes = trace.details.span
    .subarray(0, trace.details.length)
    .some((span) => isSized[trace.spans.lane[span] ?? -1] === 1)
  if (!hasSizes) return new Map()
  const walk = new Walk(placed)
  if (!walk.peak) return new Map()
  const slow = new Map<number, number>()
  for (let span = 0; span < trace.spans.length; span += 1) {
    const known = walk.shareOf(span)
    if (!known || Number.isNaN(known.costed.boundNs)) continue
    const leastNs = Math.max(LEAST_NS, known.costed.boundNs * known.share)
    if (walk.lengthNs(span) > FAR * leastNs) slow.set(span, leastNs)
  }
  return slow
}
