/**
 * Units of figures, and of what is worked out from them. Times are worked with in ms, so that they
 * can be compared whatever they came in. A ratio, a count and flop/byte are plain numbers: they
 * stand beside each other. Pure.
 */
import type { Metric } from '../trace/report'

export type Unit = Metric['unit']

/** What one of a unit of time is in ms. */
export const IN_MS: Partial<Record<Unit, number>> = { ms: 1, us: 1e-3, ns: 1e-6 }

/** By how the name of a metric ends; a ratio and a count need not say so. */
const UNIT_OF_NAME: readonly (readonly [ending: RegExp, unit: Unit])[] = [
  [/-ms$/, 'ms'],
  [/-us$/, 'us'],
  [/-ns$/, 'ns'],
  [/gb-per-s$/, 'GB/s'],
  [/gflops$/, 'GFLOP/s'],
  [/-bytes$/, 'bytes'],
]
export const unitOfName = (name: string): Unit | undefined =>
  UNIT_OF_NAME.find(([ending]) => ending.test(name))?.[1]

/** Of a parameter or a derived fact: 'roundTripMs'. */
export const unitOfFact = (name: string): Unit => (/[a-z]Ms$/.test(name) ? 'ms' : 'count')

const PLAIN: ReadonlySet<Unit> = new Set(['count', 'ratio', 'flop/byte'])
const isPlain = (unit: Unit): boolean => PLAIN.has(unit)

/** A figure's unit, times in ms, and whether it is nothing: 0 has every unit. */
export interface Measure {
  readonly unit: Unit
  readonly isNothing: boolean
}

/**
 * Of a sum, of the smaller or larger, and of what is compared; null where the two cannot be held
 * against each other.
 */
export function commonUnit(a: Measure, b: Measure): Unit | null {
  if (a.unit === b.unit || (isPlain(a.unit) && isPlain(b.unit)) || (b.isNothing && isPlain(b.unit)))
    return a.unit
  return a.isNothing && isPlain(a.unit) ? b.unit : null
}

export function productUnit(a: Unit, b: Unit): Unit | null {
  if (a === 'count' || a === 'ratio') return b
  return isPlain(b) ? a : null
}

/**
 * Times are in ms. Bytes over a time are a rate, and over a rate a time: then `by` is what their
 * quotient is multiplied by.
 */
export function quotientUnit(a: Unit, b: Unit): { readonly unit: Unit; readonly by: number } | null {
  if (a === b) return { unit: 'ratio', by: 1 }
  if (isPlain(b)) return { unit: isPlain(a) ? 'ratio' : a, by: 1 }
  if (a === 'bytes' && b === 'ms') return { unit: 'GB/s', by: 1e-6 }
  return a === 'bytes' && b === 'GB/s' ? { unit: 'ms', by: 1e-6 } : null
}
