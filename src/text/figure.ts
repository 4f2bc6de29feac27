/**
 * Figures of the facts, as data: what figures.ts of a lesson or of an experiment works out
 * (define-figures.ts), evaluated over a run. Bytes over a time are a rate, and over a rate a time;
 * what has no common unit has no value. Pure.
 */
import { findMetric, type Metric } from '../trace/report'
import type { Facts, Names } from './facts'
import { both, divide, type Interval } from './interval-arithmetic'

/** An interval with its unit. */
export interface Quantity extends Interval {
  readonly unit: Unit
}

export type Figure =
  /** A metric of the run. Its variant may be a name of the experiment: '$often'. */
  | { readonly is: 'metric'; readonly name: string; readonly variant: string }
  | { readonly is: 'fact'; readonly from: 'param' | 'derived'; readonly name: string }
  /** A quotation, which is a number once the site is built. */
  | Quotation
  | ({ readonly is: 'number' } & Quantity)
  | { readonly is: Operator; readonly of: readonly [Figure, Figure] }
export type Operator = '/' | '*' | '+' | '-' | '??' | 'min' | 'max'

/**
 * A figure of a file under public/recordings/, which is named without its ending: 'LESSON/STEP'
 * (vite/recorded-figures.ts).
 */
export interface Quotation {
  readonly is: 'recorded'
  readonly file: string
  readonly figure: string
  readonly variant: string
}

/** 'every-step' for '$often'; null where the name stands for nothing in this run. */
const resolveName = (variant: string, names: Names): string | null =>
  variant.startsWith('$') ? (names[variant.slice(1)] ?? null) : variant

/** The metric itself, or undefined where a figure is none or is made of more. */
export function metricOf(figure: Figure, facts: Facts, names: Names): Metric | undefined {
  if (figure.is !== 'metric') return undefined
  const variant = resolveName(figure.variant, names)
  return variant === null ? undefined : findMetric(facts.metrics, figure.name, variant)
}

/** Null: something that it needs was not measured, or its parts have no common unit. */
export function evaluate(figure: Figure, facts: Facts, names: Names): Quantity | null {
  switch (figure.is) {
    case 'number': {
      const { value, low, high, unit } = figure
      return { value, low, high, unit }
    }
    case 'recorded':
      throw new Error(`${figure.file}:${figure.figure} is to be read while the site is built.`)
    case 'fact': {
      const value = (figure.from === 'param' ? facts.params : facts.derived)[figure.name]
      if (typeof value !== 'number') return null
      return { value, low: value, high: value, unit: unitOfFact(figure.name) }
    }
    case 'metric': {
      const metric = metricOf(figure, facts, names)
      if (metric?.value == null || !Number.isFinite(metric.value)) return null
      return { value: metric.value, low: metric.low, high: metric.high, unit: metric.unit }
    }
    case '??':
      return evaluate(figure.of[0], facts, names) ?? evaluate(figure.of[1], facts, names)
    default:
      break
  }
  const [a, b] = figure.of.map((part) => inMs(evaluate(part, facts, names)))
  if (!a || !b) return null
  switch (figure.is) {
    case '+':
    case 'min':
    case 'max':
      return combine(a, b, commonUnit(measureOf(a), measureOf(b)), COMBINED[figure.is])
    case '-':
      // The smallest result of the one's low is that of the other's high.
      return combine(a, { ...b, low: b.high, high: b.low }, commonUnit(measureOf(a), measureOf(b)), minus)
    case '*':
      return combine(a, b, productUnit(a.unit, b.unit), (x, y) => x * y)
    case '/': {
      const [divided, of] = [divide(a, b), quotientUnit(a.unit, b.unit)]
      return divided && of && scaled({ ...divided, unit: of.unit }, of.by)
    }
  }
}

const COMBINED = { '+': (x: number, y: number) => x + y, min: Math.min, max: Math.max } as const
const minus = (x: number, y: number): number => x - y

/** Times are brought to ms. */
function inMs(quantity: Quantity | null): Quantity | null {
  const scale = quantity === null ? undefined : IN_MS[quantity.unit]
  if (quantity === null || scale === undefined) return quantity
  return scaled({ ...quantity, unit: 'ms' }, scale)
}

const measureOf = ({ value, unit }: Quantity): Measure => ({ unit, isNothing: value === 0 })

/** Two figures in one unit; null where they have none in common. */
export function comparable(a: Quantity, b: Quantity): readonly [Quantity, Quantity] | null {
  const [left, right] = [inMs(a), inMs(b)]
  return left && right && commonUnit(measureOf(left), measureOf(right)) !== null ? [left, right] : null
}

const scaled = ({ value, low, high, unit }: Quantity, by: number): Quantity => ({
  value: value * by,
  low: low === null ? null : low * by,
  high: high === null ? null : high * by,
  unit,
})

const combine = (
  a: Quantity,
  b: Quantity,
  unit: Unit | null,
  of: (a: number, b: number) => number,
): Quantity | null =>
  unit && { value: of(a.value, b.value), low: both(a.low, b.low, of), high: both(a.high, b.high, of), unit }

/**
 * Times are worked with in ms, so that they can be compared whatever they came in. A ratio, a count
 * and flop/byte are plain numbers: they stand beside each other.
 */
export type Unit = Metric['unit']

/** ms in one of a unit of time. */
export const IN_MS: Partial<Record<Unit, number>> = { ms: 1, us: 1e-3, ns: 1e-6 }

/** The end of a metric's name says its unit; a ratio and a count need not say so. */
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

/** The unit of a parameter or a derived fact, by its name: `roundTripMs` is in ms. */
const unitOfFact = (name: string): Unit => (/[a-z]Ms$/.test(name) ? 'ms' : 'count')

const PLAIN: ReadonlySet<Unit> = new Set(['count', 'ratio', 'flop/byte'])
const isPlain = (unit: Unit): boolean => PLAIN.has(unit)

/** A figure's unit, times in ms, and whether it is nothing: 0 has every unit. */
interface Measure {
  readonly unit: Unit
  readonly isNothing: boolean
}

/**
 * The unit of a sum, of the smaller or larger, and of what is compared; null: the two cannot be
 * compared.
 */
function commonUnit(a: Measure, b: Measure): Unit | null {
  if (a.unit === b.unit || (isPlain(a.unit) && isPlain(b.unit)) || (b.isNothing && isPlain(b.unit)))
    return a.unit
  return a.isNothing && isPlain(a.unit) ? b.unit : null
}

function productUnit(a: Unit, b: Unit): Unit | null {
  if (a === 'count' || a === 'ratio') return b
  return isPlain(b) ? a : null
}

/**
 * Times are in ms. Bytes over a time are a rate, and over a rate a time: then `by` is what their
 * quotient is multiplied by.
 */
function quotientUnit(a: Unit, b: Unit): { readonly unit: Unit; readonly by: number } | null {
  if (a === b) return { unit: 'ratio', by: 1 }
  if (isPlain(b)) return { unit: isPlain(a) ? 'ratio' : a, by: 1 }
  if (a === 'bytes' && b === 'ms') return { unit: 'GB/s', by: 1e-6 }
  return a === 'bytes' && b === 'GB/s' ? { unit: 'ms', by: 1e-6 } : null
}
