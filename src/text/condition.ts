/**
 * A condition as data, named in figures.ts (define-figures.ts) and evaluated over a run's facts: it
 * says when a rule or a sentence holds. A figure that was not measured makes it unknown: then
 * neither it nor its negation holds, so that an absence proves nothing. Pure.
 */
import type { Facts, Names } from './facts'
import { comparable, evaluate, type Figure, type Quantity } from './figure'

export type Condition =
  | { readonly op: 'always' }
  | { readonly op: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly op: 'not'; readonly of: Condition }
  | { readonly op: 'measured'; readonly what: Figure }
  /**
   * Both intervals are known and have a common unit, and the left one lies below the right one,
   * whole; or they touch.
   */
  | { readonly op: 'below' | 'overlaps'; readonly left: Figure; readonly right: Figure }
  | {
      readonly op: 'at-least' | 'less-than'
      readonly what: Figure
      readonly bound: Figure
      /** The end of the interval that must be so: 'value' is the median alone. */
      readonly edge: 'value' | 'low' | 'high'
    }
  | { readonly op: 'param'; readonly name: string; readonly value: string | number }
  /**
   * The adapter computes on the CPU; device times are measured; a run has ended; it was recorded.
   */
  | { readonly op: 'software' | 'timestamps' | 'ran' | 'recorded' }
  | { readonly op: 'outcome'; readonly is: 'shown' | 'not-shown' | 'inconclusive' }
  /** The rule that decided the verdict. */
  | { readonly op: 'reason'; readonly reason: string }

export const holds = (condition: Condition, facts: Facts, names: Names): boolean =>
  truthOf(condition, facts, names) === true

/** Null: it is not known. */
function truthOf(condition: Condition, facts: Facts, names: Names): boolean | null {
  const valueOf = (what: Figure) => evaluate(what, facts, names)
  switch (condition.op) {
    case 'always':
      return true
    case 'all':
      return joined(condition.of, false, facts, names)
    case 'any':
      return joined(condition.of, true, facts, names)
    case 'not': {
      const inner = truthOf(condition.of, facts, names)
      return inner === null ? null : !inner
    }
    case 'measured':
      return valueOf(condition.what) !== null
    case 'below':
    case 'overlaps': {
      const [left, right] = compared(valueOf(condition.left), valueOf(condition.right))
      if (left?.low == null || left.high === null || right?.low == null || right.high === null) return null
      if (condition.op === 'below') return left.high < right.low
      return left.low <= right.high && right.low <= left.high
    }
    case 'at-least':
    case 'less-than': {
      const [found, bound] = compared(valueOf(condition.what), valueOf(condition.bound))
      const edge = found?.[condition.edge]
      if (edge == null || !bound) return null
      return condition.op === 'at-least' ? edge >= bound.value : edge < bound.value
    }
    case 'param': {
      const value = facts.params[condition.name]
      return value === undefined ? null : value === condition.value
    }
    case 'software':
      return facts.environment?.isSoftware ?? null
    case 'timestamps':
      return facts.timestamps ?? null
    case 'ran':
      return facts.run !== undefined
    case 'recorded':
      return facts.run ? facts.run.origin !== 'live' : null
    case 'outcome':
      return facts.run?.outcome == null ? null : facts.run.outcome === condition.is
    case 'reason':
      return facts.run?.reason == null ? null : facts.run.reason === condition.reason
  }
}

const compared = (a: Quantity | null, b: Quantity | null): readonly (Quantity | undefined)[] =>
  (a && b && comparable(a, b)) ?? []

/**
 * The first that is so decides: one false of 'all', one true of 'any'; else one that is not known
 * leaves it unknown.
 */
function joined(of: readonly Condition[], decides: boolean, facts: Facts, names: Names): boolean | null {
  const truths = of.map((each) => truthOf(each, facts, names))
  return truths.includes(decides) ? decides : truths.includes(null) ? null : !decides
}
