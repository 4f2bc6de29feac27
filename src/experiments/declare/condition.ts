/**
 * When a rule or a sentence holds, as data: read from a verdict.md (vite/words/condition.ts), evaluated over a report's facts. Whatever
 * was not measured makes a comparison false, so an absence proves nothing; `not` turns that round, so it is for `measured` and for what
 * is always known. Pure.
 */
import { evaluate, parseExpression } from './expression'
import type { Facts, Names } from './facts'

export type Condition =
  | { readonly op: 'always' }
  | { readonly op: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly op: 'not'; readonly of: Condition }
  | { readonly op: 'measured'; readonly what: string }
  /** Both intervals are known, and the left one lies below the right one, whole; or they touch. */
  | { readonly op: 'below' | 'overlaps'; readonly left: string; readonly right: string }
  | {
      readonly op: 'at-least' | 'less-than'
      readonly what: string
      readonly bound: number
      /** Which end of the interval must be so: 'value' is the median alone. */
      readonly edge: 'value' | 'low' | 'high'
    }
  | { readonly op: 'param'; readonly name: string; readonly value: string | number }
  /** The adapter computes on the CPU. */
  | { readonly op: 'software' }

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
    case 'param':
      return facts.params[condition.name] === condition.value
    case 'software':
      return facts.environment.isSoftware
  }
}
