/**
 * Where two measured curves of time over n cross: piecewise linear in log n and log time, between the sizes that were run.
 * The interval is bounded by curves: the earliest crossing takes the slower edge of the one and the faster edge of the other at
 * every size, the latest the opposite. Since the curves then differ at every n in one direction, the crossing can only move in one
 * direction too: the interval always holds the value. Pure.
 */

/** Time of an operation at one size, with its interval; ms. */
export interface Timed {
  readonly n: number
  readonly value: number
  readonly low: number
  readonly high: number
}

/** From where on `challenger` is the faster one, at every size run: between two sizes, or before the first, or not at all. */
export type Crossing =
  { readonly kind: 'at'; readonly n: number } | { readonly kind: 'below' } | { readonly kind: 'above' }

export interface Crossover {
  readonly value: Crossing
  /** The earliest and the latest that the intervals allow. */
  readonly earliest: Crossing
  readonly latest: Crossing
  /** Sizes at which both were measured, ascending. */
  readonly sizes: readonly number[]
}

/** `lead[i]` = log(incumbent time / challenger time) at sizes[i]: above 0 where the challenger is faster. */
function crossing(sizes: readonly number[], lead: readonly number[]): Crossing {
  const last = lead.findLastIndex((value) => value <= 0)
  if (last === -1) return { kind: 'below' }
  if (last === sizes.length - 1) return { kind: 'above' }
  const [from = 1, to = 1] = sizes.slice(last, last + 2)
  const [behind = 0, ahead = 1] = lead.slice(last, last + 2)
  // An interval that reaches down to no time at all leads by infinitely much: then one end of the gap is all that is known.
  const share = ahead === Infinity ? 0 : behind === -Infinity ? 1 : -behind / (ahead - behind)
  return { kind: 'at', n: Math.exp(Math.log(from) + share * (Math.log(to) - Math.log(from))) }
}

/** Null where there is no size at which both have a time above 0. */
export function findCrossover(incumbent: readonly Timed[], challenger: readonly Timed[]): Crossover | null {
  const pairs = incumbent
    .flatMap((slow) => {
      const fast = challenger.find(({ n }) => n === slow.n)
      return fast && slow.value > 0 && fast.value > 0 ? [{ n: slow.n, slow, fast }] : []
    })
    .toSorted((a, b) => a.n - b.n)
  if (pairs.length === 0) return null
  const sizes = pairs.map(({ n }) => n)
  const leads = (of: (slow: Timed, fast: Timed) => number) =>
    crossing(
      sizes,
      pairs.map(({ slow, fast }) => Math.log(of(slow, fast))),
    )
  return {
    value: leads((slow, fast) => slow.value / fast.value),
    earliest: leads((slow, fast) => slow.high / fast.low),
    latest: leads((slow, fast) => slow.low / fast.high),
    sizes,
  }
}
