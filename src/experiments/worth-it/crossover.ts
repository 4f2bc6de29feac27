/**
 * From which size on a device is worth it: measured, where two curves of time over n cross, and by the rule of thumb, from rates alone.
 * A size is `Bounded`: 0 stands for 'below every size', Infinity for 'above every size'. Pure.
 */

/** A quantity and the interval that holds it. */
export interface Bounded {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Time of an operation at one size; ms. */
export interface Timed extends Bounded {
  readonly n: number
}

/**
 * From where on the challenger leads at every size: piecewise linear in log n and log time.
 * `leads[i]` = log(incumbent's time / challenger's time) at sizes[i]: above 0 where the challenger is faster.
 */
function crossing(sizes: readonly number[], leads: readonly number[]): number {
  const last = leads.findLastIndex((lead) => lead <= 0)
  if (last === -1) return 0
  if (last === sizes.length - 1) return Infinity
  const [from = 1, to = 1] = sizes.slice(last, last + 2)
  const [behind = 0, ahead = 1] = leads.slice(last, last + 2)
  // An interval that reaches down to no time at all leads by infinitely much: then one end of the gap is all that is known.
  const share = ahead === Infinity ? 0 : behind === -Infinity ? 1 : -behind / (ahead - behind)
  return from * (to / from) ** share
}

/**
 * The size from which on the challenger is faster at every size run, and the `sizes` at which both were timed, ascending. The interval is
 * bounded by curves: the earliest crossing takes the slower edge of the one and the faster edge of the other at every size, the latest the
 * opposite. Null where there is no size at which both have a time above 0.
 */
export function findCrossover(
  incumbent: readonly Timed[],
  challenger: readonly Timed[],
): (Bounded & { readonly sizes: readonly number[] }) | null {
  const pairs = incumbent
    .flatMap((slow) => {
      const fast = challenger.find(({ n }) => n === slow.n)
      return fast && slow.value > 0 && fast.value > 0 ? [{ n: slow.n, slow, fast }] : []
    })
    .toSorted((a, b) => a.n - b.n)
  if (pairs.length === 0) return null
  const sizes = pairs.map(({ n }) => n)
  const at = (edge: keyof Bounded, opposite: keyof Bounded): number =>
    crossing(
      sizes,
      pairs.map(({ slow, fast }) => Math.log(slow[edge] / fast[opposite])),
    )
  return { value: at('value', 'value'), low: at('high', 'low'), high: at('low', 'high'), sizes }
}

/** What the rule of thumb compares. Processor, and device with everything in place: GFLOP/s; transfers: GB/s; a round trip of nothing: ms. */
export interface Rates<Value> {
  readonly processor: Value
  readonly device: Value
  readonly upload: Value
  readonly readback: Value
  readonly latencyMs: Value
}

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
  // The root without latency. With it, Newton's method from above, where the cubic is convex and so never overshot.
  let n = moved / saved
  if (latency > 0) n += Math.cbrt(latency / saved)
  for (let step = 0; step < 60 && latency > 0; step += 1)
    n -= ((saved * n - moved) * n * n - latency) / ((3 * saved * n - 2 * moved) * n)
  return n
}

/**
 * The same with intervals: n rises or falls steadily with each rate, so that its interval ends at corners of theirs. Null where the device
 * computes no faster; the upper end may be Infinity.
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
