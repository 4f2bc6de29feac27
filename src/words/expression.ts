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
 *     other      param.steps, derived.matrixSize, 0.5, 2.4ms, ( … )
 *
 * Bytes over a time are a rate. Operators stand between blanks, since names hold '-' and '+'. Pure.
 */
import { Tokens } from '../base/tokens'
import { findMetric, type Metric } from '../trace/report'
import type { Facts, Names } from './facts'
import { both, divide, type Interval } from './interval-arithmetic'

/** An interval with its unit. */
export interface Quantity extends Interval {
  readonly unit: Metric['unit']
}

export type Expression =
  | { readonly is: 'metric'; readonly name: string; readonly variant: string }
  | { readonly is: 'fact'; readonly from: 'param' | 'derived'; readonly name: string }
  | { readonly is: 'recorded'; readonly file: string; readonly figure: string; readonly variant: string }
  | { readonly is: 'number'; readonly value: number; readonly unit: Quantity['unit'] }
  | { readonly is: Operator; readonly of: readonly [Expression, Expression] }
type Binary = '/' | '*' | '+' | '-' | '??'
type Operator = Binary | 'min' | 'max'

/** Words that end a metric's name, so that no variant is called so: operators, and what conditions are written with. */
const RESERVED = new Set('/ * + - ?? ( ) , below overlaps surely at less and or'.split(' '))
const NAME = /^[a-z][a-z0-9-]*$/
/** 'LESSON/STEP:step-ms': a file of public/recordings/ without its ending, and a figure in it. */
const RECORDED = /^([a-z0-9][a-z0-9-]*(?:\/[a-z0-9-]+)?):(\S+)$/
const LITERAL = /^(\d[\d.]*(?:e[+-]?\d+)?)(ms|us|ns|ratio|bytes|GB\/s|GFLOP\/s|flop\/byte)?$/

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
    const [, digits, unit] = LITERAL.exec(token) ?? []
    if (digits !== undefined)
      return { is: 'number', value: Number(digits), unit: (unit as Quantity['unit'] | undefined) ?? 'count' } // by LITERAL
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

const IN_MS: Partial<Record<Metric['unit'], number>> = { ms: 1, us: 1e-3, ns: 1e-6 }

/** The metric itself, or undefined where an expression names none or more. */
export function metricOf(expression: Expression, facts: Facts, names: Names): Metric | undefined {
  if (expression.is !== 'metric') return undefined
  const variant = resolveName(expression.variant, names)
  return variant === null ? undefined : findMetric(facts.metrics, expression.name, variant)
}

/** Null where something that it needs was not measured. */
export function evaluate(expression: Expression, facts: Facts, names: Names): Quantity | null {
  switch (expression.is) {
    case 'number':
      return known(expression.value, expression.unit)
    case 'recorded':
      throw new Error(`${expression.file}:${expression.figure} is to be read while the site is built.`)
    case 'fact': {
      const value = (expression.from === 'param' ? facts.params : facts.derived)[expression.name]
      return typeof value === 'number' ? known(value, 'count') : null
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
      return combine(a, b, a.unit, (x, y) => x + y)
    case '-':
      return { ...combine(a, b, a.unit, (x, y) => x - y), ...crossed(a, b, (x, y) => x - y) }
    case '*':
      return combine(a, b, a.unit === 'count' || a.unit === 'ratio' ? b.unit : a.unit, (x, y) => x * y)
    case 'min':
      return combine(a, b, a.unit, Math.min)
    case 'max':
      return combine(a, b, a.unit, Math.max)
    case '/': {
      const divided = divide(a, b)
      if (!divided || a.unit !== 'bytes' || b.unit !== 'ms') return divided && { ...divided, unit: 'ratio' }
      return scaled({ ...divided, unit: 'GB/s' }, 1e-6) // bytes a ms
    }
  }
}

function inMs(quantity: Quantity | null): Quantity | null {
  const scale = quantity === null ? undefined : IN_MS[quantity.unit]
  if (quantity === null || scale === undefined) return quantity
  return scaled({ ...quantity, unit: 'ms' }, scale)
}

const known = (value: number, unit: Quantity['unit']): Quantity => ({ value, low: value, high: value, unit })

const scaled = ({ value, low, high, unit }: Quantity, by: number): Quantity => ({
  value: value * by,
  low: low === null ? null : low * by,
  high: high === null ? null : high * by,
  unit,
})

const combine = (
  a: Quantity,
  b: Quantity,
  unit: Quantity['unit'],
  of: (a: number, b: number) => number,
): Quantity => ({
  value: of(a.value, b.value),
  low: both(a.low, b.low, of),
  high: both(a.high, b.high, of),
  unit,
})

/** What is smallest with the one's low is so with the other's high. */
const crossed = (a: Quantity, b: Quantity, of: (a: number, b: number) => number) => ({
  low: both(a.low, b.high, of),
  high: both(a.high, b.low, of),
})
