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
  const operatorOf = walk.costedOfWork()
  /**
   * By operator: time of its kernels on tensor cores. The bound is theirs; others change layouts.
   */
  const tensorNs = new Map<number, number>()
  for (let span = 0; span < operatorOf.length; span += 1) {
    const operator = operatorOf[span] ?? -1
    if (operator >= 0 && walk.usesTensorCores(span))
      tensorNs.set(operator, (tensorNs.get(operator) ?? 0) + walk.lengthNs(span))
  }
  for (let span = 0; span < operatorOf.length; span += 1) {
    const operator = operatorOf[span] ?? -1
    const known = walk.costed().get(operator)
    if (!known || Number.isNaN(known.boundNs)) continue
    const ns = walk.lengthNs(span)
    const ownNs = tensorNs.get(operator)
    const part = ownNs === undefined ? ns / known.deviceNs : walk.usesTensorCores(span) ? ns / ownNs : 0
    const leastNs = Math.max(LEAST_NS, known.boundNs * part)
    if (ns > FAR * leastNs) slow.set(span, leastNs)
  }
  return slow
}
