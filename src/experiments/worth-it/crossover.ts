/**
 * Predicts by the rule of thumb, from rates alone, from which size on a device is worth it. Pure.
 */
import type { Bounded } from '../../base/crossover'

/**
 * The rule of thumb compares these. Processor, and device with everything in place: GFLOP/s;
 * transfers: GB/s; a round trip of nothing: ms.
 */
export type Rates<Value> = Readonly<
  Record<'processor' | 'device' | 'upload' | 'readback' | 'latencyMs', Value>
>

/**
 * The rule of thumb: the device is worth it when the time that it saves by computing exceeds the time that the bytes need.
 *
 *     uses · 2n³ · (1/processor − 1/device)  =  8n² / upload + 4n² / readback + latency
 *
 * Two matrices of 4n² bytes go there, one comes back. Infinity where the device computes no faster: then no size is large enough.
 */
export function sizeByRule(uses: number, rates: Rates<number>): number {
  // ns, as GFLOP/s is FLOP/ns and GB/s bytes/ns.
  const saved = 2 * uses * (1 / rates.processor - 1 / rates.device)
  const moved = 8 / rates.upload + 4 / rates.readback
  const latency = rates.latencyMs * 1e6
  if (!(saved > 0)) return Infinity
  // This is the root without latency. Newton's method starts from above, where the cubic is convex,
  // and so never overshoots.
  let n = moved / saved
  if (latency > 0) n += Math.cbrt(latency / saved)
  for (let step = 0; step < 60 && latency > 0; step += 1)
    n -= ((saved * n - moved) * n * n - latency) / ((3 * saved * n - 2 * moved) * n)
  return n
}

/**
 * Does it with intervals: n rises or falls steadily with each rate, so that its interval ends at
 * corners of theirs. Null: the device computes no faster; the upper end may be Infinity.
 */
export function predictSize(uses: number, rates: Rates<Bounded>): Bounded | null {
  // A faster processor and more latency move it up; a faster device and faster transfers move it down.
  const corner = (up: keyof Bounded, down: keyof Bounded): number =>
    sizeByRule(uses, {
      processor: rates.processor[up],
      latencyMs: rates.latencyMs[up],
      device: rates.device[down],
      upload: rates.upload[down],
      readback: rates.readback[down],
    })
  const value = corner('value', 'value')
  return Number.isFinite(value) ? { value, low: corner('low', 'high'), high: corner('high', 'low') } : null
}
