/**
 * The most that one invocation can execute, in iterations, as a polynomial of the fuel of each
 * loop: coefficients by power, from 0 on. An iteration of up to TOKENS_OF_ITERATION tokens counts
 * once, a longer one in proportion; so does text outside loops.
 */
import type { ScannedFunction } from './scan'

export type Cost = readonly number[]

/** `for (var i = 0u; i < n; i += 1u) { sum += a[i]; }` has 28. */
export const TOKENS_OF_ITERATION = 32

export const weight = (tokens: number): number => Math.max(1, Math.ceil(tokens / TOKENS_OF_ITERATION))

export function iterationsOf(cost: Cost, perInvocation: number): number {
  return cost.reduceRight((sum, coefficient) => sum * perInvocation + coefficient, 0)
}

/** Written out with every call in its place, that is what a compiler may have to translate. */
export const lengthOf = (cost: Cost): number => iterationsOf(cost, 1)

/** For each function; null for one that reaches itself, which WGSL does not allow. */
export function costsOf(functions: ReadonlyMap<string, ScannedFunction>): ReadonlyMap<string, Cost | null> {
  const costs = new Map<string, Cost | null>()
  const costOf = (name: string): Cost | null => {
    const known = costs.get(name)
    if (known !== undefined) return known
    costs.set(name, null) // until it is known: a call back to it finds this
    const scanned = functions.get(name)
    if (!scanned) return null
    let total: Cost | null = [weight(scanned.tokens)]
    // Fuel is not refilled while the function runs: all iterations of one loop together are at most
    // its fuel.
    for (const { tokens } of scanned.loops) total = added(total, [0, weight(tokens)])
    for (const { callee, loop } of scanned.calls) {
      const cost = costOf(callee)
      total = cost && total ? added(total, loop ? [0, ...cost] : cost) : null
    }
    costs.set(name, total)
    return total
  }
  for (const name of functions.keys()) costOf(name)
  return costs
}

const added = (a: Cost, b: Cost): Cost =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, power) => (a[power] ?? 0) + (b[power] ?? 0))
