/**
 * Figures worked out from figures, as short texts that templates and conditions share: 'stall-ms $often / kernel-ms never'.
 *
 *     quotient   a / b              a sum over a sum; intervals as wide as both allow
 *     sum        a + b, a - b       durations are brought to ms
 *     fallback   a ?? b             b where a was not measured
 *     choice     min(a, b), max(a, b)
 *     product    a * b
 *     metric     name variant       'step-ms never', 'step-ms $often'; a metric of the whole run has no variant
 *     recorded   file:metric variant     of a file under public/recordings/, read while the site is built (recorded.ts)
 *     other      param.steps, derived.matrixSize, 0.5, 2.4ms, 2.4[2.1;3]ms (a number with its interval; ? for an end that is not known), ( … )
 *
 * Bytes over a time are a rate, and over a rate a time; what has no common unit has no sum, no difference and no quotient (units.ts). Operators stand between blanks,
 * since names hold '-' and '+'. Pure.
 */
import { Tokens } from '../base/tokens'
import { findMetric, type Metric } from '../trace/report'
import type { Facts, Names } from './facts'
import { both, divide, type Interval } from './interval-arithmetic'
import { commonUnit, IN_MS, productUnit, quotientUnit, unitOfFact, type Measure, type Unit } from './units'

/** An interval with its unit. */
export interface Quantity extends Interval {
  readonly unit: Unit
}

export type Expression =
  | { readonly is: 'metric'; readonly name: string; readonly variant: string }
  | { readonly is: 'fact'; readonly from: 'param' | 'derived'; readonly name: string }
  | { readonly is: 'recorded'; readonly file: string; readonly figure: string; readonly variant: string }
  | ({ readonly is: 'number' } & Quantity)
  | { readonly is: Operator; readonly of: readonly [Expression, Expression] }
type Binary = '/' | '*' | '+' | '-' | '??'
type Operator = Binary | 'min' | 'max'

/** Words that end a metric's name, so that no variant is called so: operators, and what conditions are written with. */
const RESERVED = new Set('/ * + - ?? ( ) , below overlaps surely at less and or'.split(' '))
const NAME = /^[a-z][a-z0-9-]*$/
/** 'LESSON/STEP:step-ms': a file of public/recordings/ without its ending, and a figure in it. */
const RECORDED = /^([a-z0-9][a-z0-9-]*(?:\/[a-z0-9-]+)?):(\S+)$/
const NUMBER = String.raw`-?\d[\d.]*(?:e[+-]?\d+)?`
const LITERAL = new RegExp(
  String.raw`^(${NUMBER})(?:\[(${NUMBER}|\?);(${NUMBER}|\?)\])?(ms|us|ns|ratio|bytes|GB/s|GFLOP/s|flop/byte)?$`,
)

/** '2.4ms'; null where the text is no number. */
export function literalOf(text: string): Quantity | null {
  const [, digits, low = digits, high = digits, unit] = LITERAL.exec(text) ?? []
  if (digits === undefined) return null
  const end = (written: string | undefined) => (written === '?' ? null : Number(written))
  const value = Number(digits)
  return Number.isNaN(value)
    ? null
    : { value, low: end(low), high: end(high), unit: (unit as Unit | undefined) ?? 'count' } // by LITERAL
}

/** The same, to be read again. */
export function literalText({ value, low, high, unit }: Quantity): string {
  const interval = low === value && high === value ? '' : `[${String(low ?? '?')};${String(high ?? '?')}]`
  return `${String(value)}${interval}${unit === 'count' ? '' : unit}`
}

/** Reads one expression, as far as it goes. */
export function readExpression(tokens: Tokens): Expression {
  const binary = (operators: readonly Binary[], operand: () => Expression): Expression => {
    let left = operand()
    for (;;) {
      const operator = operators.find((each) => tokens.takeIf(each))
      if (!operator) return left
      left = { is: operator, of: [left, operand()] }
    }
  }
  const primary = (): Expression => {
    if (tokens.takeIf('(')) {
      const inner = sums()
      tokens.expect(')')
      return inner
    }
    const token = tokens.take()
    if ((token === 'min' || token === 'max') && tokens.takeIf('(')) {
      const left = sums()
      tokens.expect(',')
      const right = sums()
      tokens.expect(')')
      return { is: token, of: [left, right] }
    }
    const literal = literalOf(token)
    if (literal) return { is: 'number', ...literal }
    const variantOf = (): string => {
      const next = tokens.peek()
      return next === undefined || RESERVED.has(next) ? '' : tokens.take()
    }
    const [, file, figure] = RECORDED.exec(token) ?? []
    if (file !== undefined && figure !== undefined)
      return { is: 'recorded', file, figure, variant: variantOf() }
    const [, from, fact] = /^(param|derived)\.(\w+)$/.exec(token) ?? []
    if (fact !== undefined) return { is: 'fact', from: from === 'param' ? 'param' : 'derived', name: fact }
    if (!NAME.test(token) || RESERVED.has(token)) tokens.fail(`'${token}' is no metric`)
    return { is: 'metric', name: token, variant: variantOf() }
  }
  const fallback = () => binary(['??'], primary)
  const quotients = () => binary(['/', '*'], fallback)
  const sums = (): Expression => binary(['+', '-'], quotients)
  return sums()
}

const parsed = new Map<string, Expression>()

/** Throws where the text is no expression. */
export function parseExpression(text: string): Expression {
  const known = parsed.get(text)
  if (known) return known
  const tokens = new Tokens(text, 'expression')
  const expression = readExpression(tokens)
  tokens.expectEnd()
  parsed.set(text, expression)
  return expression
}

/** 'every-step' for '$often'; null where the name stands for nothing in this run. */
const resolveName = (variant: string, names: Names): string | null =>
  variant.startsWith('$') ? (names[variant.slice(1)] ?? null) : variant

/** The metric itself, or undefined where an expression names none or more. */
export function metricOf(expression: Expression, facts: Facts, names: Names): Metric | undefined {
  if (expression.is !== 'metric') return undefined
  const variant = resolveName(expression.variant, names)
  return variant === null ? undefined : findMetric(facts.metrics, expression.name, variant)
}

/** Null where something that it needs was not measured, or its parts have no common unit. */
export function evaluate(expression: Expression, facts: Facts, names: Names): Quantity | null {
  switch (expression.is) {
    case 'number': {
      const { value, low, high, unit } = expression
      return { value, low, high, unit }
    }
    case 'recorded':
      throw new Error(`${expression.file}:${expression.figure} is to be read while the site is built.`)
    case 'fact': {
      const value = (expression.from === 'param' ? facts.params : facts.derived)[expression.name]
      if (typeof value !== 'number') return null
      return { value, low: value, high: value, unit: unitOfFact(expression.name) }
    }
    case 'metric': {
      const metric = metricOf(expression, facts, names)
      if (metric?.value == null || !Number.isFinite(metric.value)) return null
      return { value: metric.value, low: metric.low, high: metric.high, unit: metric.unit }
    }
    case '??':
      return evaluate(expression.of[0], facts, names) ?? evaluate(expression.of[1], facts, names)
    default:
      break
  }
  const [a, b] = expression.of.map((part) => inMs(evaluate(part, facts, names)))
  if (!a || !b) return null
  switch (expression.is) {
    case '+':
    case 'min':
    case 'max':
      return combine(a, b, commonUnit(measureOf(a), measureOf(b)), COMBINED[expression.is])
    case '-':
      // What is smallest with the one's low is so with the other's high.
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
