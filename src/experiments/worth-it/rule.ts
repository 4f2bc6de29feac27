/**
 * The rule of thumb: the device is worth it when the time it saves by computing faster exceeds the time that the bytes need.
 *
 *   uses · 2n³ · (1/processor − 1/device)  >  8n² / upload + 4n² / readback  (+ latency)
 *
 * Two matrices of 4n² bytes go there, one comes back. Both sides grow, the left one faster: there is one n where they are equal.
 * Without latency it is the ratio of two rates; with it the root of a cubic. The interval comes from the corners of the
 * intervals of what goes in, since n grows or falls steadily with each of them. Pure.
 */

/** A quantity with its interval. */
export interface Bounded {
  readonly value: number
  readonly low: number
  readonly high: number
}

export interface RuleInput {
  /** Matmuls on each upload. */
  readonly uses: number
  /** GFLOP/s: processor, and device with everything in place. */
  readonly processor: Bounded
  readonly device: Bounded
  /** GB/s. */
  readonly upload: Bounded
  readonly readback: Bounded
  /** ms that a round trip takes with nothing to carry or to compute; null leaves it out. */
  readonly latencyMs: Bounded | null
}

/** Infinity where the device computes no faster: then no size is large enough. Rates in GFLOP/s and GB/s, latency in ms. */
export function crossoverByRule(
  uses: number,
  processor: number,
  device: number,
  upload: number,
  readback: number,
  latencyMs: number,
): number {
  // ns, as GFLOP/s is FLOP/ns and GB/s bytes/ns.
  const savedPerCube = 2 * uses * (1 / processor - 1 / device)
  const movedPerSquare = 8 / upload + 4 / readback
  if (!(savedPerCube > 0)) return Infinity
  const latencyNs = latencyMs * 1e6
  const deficit = (n: number): number => (savedPerCube * n - movedPerSquare) * n * n - latencyNs
  // Without latency the root itself, and with it a lower bound: the upper one by carrying both terms on n³ alone.
  let low = movedPerSquare / savedPerCube
  if (latencyNs === 0) return low
  let high = low + Math.cbrt(latencyNs / savedPerCube) + 1
  for (let step = 0; step < 100 && high - low > 1e-9 * high; step += 1) {
    const middle = (low + high) / 2
    if (deficit(middle) > 0) high = middle
    else low = middle
  }
  return high
}

/** Null where the rule gives no size: the device computes no faster than the processor. The upper end may be Infinity. */
export function predict({ uses, processor, device, upload, readback, latencyMs }: RuleInput): Bounded | null {
  const corner = (less: 'low' | 'value' | 'high', more: 'low' | 'value' | 'high'): number =>
    crossoverByRule(
      uses,
      // A faster processor moves the crossover up; a faster device and faster transfers move it down.
      processor[more],
      device[less],
      upload[less],
      readback[less],
      latencyMs?.[more] ?? 0,
    )
  const value = corner('value', 'value')
  if (!Number.isFinite(value)) return null
  return { value, low: corner('high', 'low'), high: corner('low', 'high') }
}
