/**
 * Finds where two measured curves cross, and from which size on one of them leads. Sizes are n, or
 * whatever the curves are drawn over. Pure.
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
 * `leads[i]` = log(incumbent's time / challenger's time) at sizes[i]: above 0 where the challenger
 * is faster.
 */
function crossing(sizes: readonly number[], leads: readonly number[]): number {
  const last = leads.findLastIndex((lead) => lead <= 0)
  if (last === -1) return 0
  if (last === sizes.length - 1) return Infinity
  const [from = 1, to = 1] = sizes.slice(last, last + 2)
  const [behind = 0, ahead = 1] = leads.slice(last, last + 2)
  // An interval that reaches down to no time at all leads by infinitely much: then one end of the
  // gap is all that is known.
  const share = ahead === Infinity ? 0 : behind === -Infinity ? 1 : -behind / (ahead - behind)
  return from * (to / from) ** share
}

/**
 * The size from which on the challenger is faster at every size run, and the `sizes` at which both
 * were timed. The interval is bounded by curves: the earliest crossing takes the slower edge of the
 * one and the faster edge of the other at every size, the latest the opposite. Null where there is
 * no size at which both have a time above 0.
 *
 * @param incumbent ascending
 */
export function findCrossover(
  incumbent: readonly Timed[],
  challenger: readonly Timed[],
): (Bounded & { readonly sizes: readonly number[] }) | null {
  const pairs = incumbent.flatMap((slow) => {
    const fast = challenger.find(({ n }) => n === slow.n)
    return fast && slow.value > 0 && fast.value > 0 ? [{ slow, fast }] : []
  })
  if (pairs.length === 0) return null
  const sizes = pairs.map(({ slow }) => slow.n)
  const at = (edge: keyof Bounded, opposite: keyof Bounded): number => {
    const leads = pairs.map(({ slow, fast }) => Math.log(slow[edge] / fast[opposite]))
    return crossing(sizes, leads)
  }
  return { value: at('value', 'value'), low: at('high', 'low'), high: at('low', 'high'), sizes }
}
