/**
 * When a rule or a sentence holds, as data: built by small functions, evaluated over a report's facts. Whatever was not measured makes
 * a comparison false, so an absence proves nothing; `not` turns that round, so it is for `measured` and for what is always known. Pure.
 */
import { evaluate, parseExpression } from './expression'
import type { Facts, Names } from './facts'

export type Condition =
  | { readonly op: 'always' }
  | { readonly op: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly op: 'not'; readonly of: Condition }
  | { readonly op: 'measured'; readonly what: string }
  /** Intervals that do not touch, or that do. */
  | { readonly op: 'below' | 'overlaps'; readonly left: string; readonly right: string }
  | {
      readonly op: 'at-least' | 'less-than'
      readonly what: string
      readonly bound: number
      /** Which end of the interval must be so: 'value' is the median alone. */
      readonly edge: 'value' | 'low' | 'high'
    }
  | { readonly op: 'param'; readonly name: string; readonly values: readonly (string | number | boolean)[] }
  | { readonly op: 'software' }

export const always: Condition = { op: 'always' }
export const all = (...of: readonly Condition[]): Condition => ({ op: 'all', of })
export const any = (...of: readonly Condition[]): Condition => ({ op: 'any', of })
export const not = (of: Condition): Condition => ({ op: 'not', of })
/** Each of these figures was measured. */
export const measured = (...what: readonly string[]): Condition =>
  all(...what.map((each): Condition => ({ op: 'measured', what: each })))
/** The left interval lies below the right one, whole. */
export const below = (left: string, right: string): Condition => ({ op: 'below', left, right })
/** Both intervals are known and touch. */
export const overlaps = (left: string, right: string): Condition => ({ op: 'overlaps', left, right })
/** The median is so; the interval may reach beyond. */
export const atLeast = (what: string, bound: number): Condition => ({
  op: 'at-least',
  what,
  bound,
  edge: 'value',
})
export const lessThan = (what: string, bound: number): Condition => ({
  op: 'less-than',
  what,
  bound,
  edge: 'value',
})
/** The whole interval is so. */
export const surelyAtLeast = (what: string, bound: number): Condition => ({
  op: 'at-least',
  what,
  bound,
  edge: 'low',
})
export const surelyLessThan = (what: string, bound: number): Condition => ({
  op: 'less-than',
  what,
  bound,
  edge: 'high',
})
/** The parameter has one of these values. */
export const param = (name: string, ...values: readonly (string | number | boolean)[]): Condition => ({
  op: 'param',
  name,
  values,
})
/** The adapter computes on the CPU. */
export const software: Condition = { op: 'software' }

export function holds(condition: Condition, facts: Facts, names: Names): boolean {
  const valueOf = (what: string) => evaluate(parseExpression(what), facts, names)
  switch (condition.op) {
    case 'always':
      return true
    case 'all':
      return condition.of.every((each) => holds(each, facts, names))
    case 'any':
      return condition.of.some((each) => holds(each, facts, names))
    case 'not':
      return !holds(condition.of, facts, names)
    case 'measured':
      return valueOf(condition.what) !== null
    case 'below':
    case 'overlaps': {
      const [left, right] = [valueOf(condition.left), valueOf(condition.right)]
      if (left?.low == null || left.high === null || right?.low == null || right.high === null) return false
      if (condition.op === 'below') return left.high < right.low
      return left.low <= right.high && right.low <= left.high
    }
    case 'at-least':
    case 'less-than': {
      const found = valueOf(condition.what)?.[condition.edge]
      if (found == null) return false
      return condition.op === 'at-least' ? found >= condition.bound : found < condition.bound
    }
    case 'param': {
      const value = facts.params[condition.name]
      return typeof value !== 'object' && value !== undefined && condition.values.includes(value)
    }
    case 'software':
      return facts.environment.isSoftware
  }
}

/** The expressions that a condition compares. */
export function expressionsOf(condition: Condition): readonly string[] {
  switch (condition.op) {
    case 'all':
    case 'any':
      return condition.of.flatMap(expressionsOf)
    case 'not':
      return expressionsOf(condition.of)
    case 'below':
    case 'overlaps':
      return [condition.left, condition.right]
    case 'measured':
    case 'at-least':
    case 'less-than':
      return [condition.what]
    default:
      return []
  }
}
