/**
 * How far facts are from a condition, for a search that is led towards it. Zero exactly where it is
 * so.
 */
import { holds, type Condition } from '../condition'
import type { Facts, Names } from '../facts'

const sum = (of: readonly number[]): number => of.reduce((total, each) => total + each, 0)

/**
 * @returns how many comparisons have to come out otherwise until it holds; with `isTrue` false,
 * until its negation does
 */
export function unmet(condition: Condition, facts: Facts, names: Names, isTrue = true): number {
  if (condition.op === 'not') return unmet(condition.of, facts, names, !isTrue)
  if (condition.op === 'all' || condition.op === 'any') {
    const parts = condition.of.map((each) => unmet(each, facts, names, isTrue))
    return (condition.op === 'all') === isTrue ? sum(parts) : Math.min(...parts)
  }
  return holds(isTrue ? condition : { op: 'not', of: condition }, facts, names) ? 0 : 1
}

/**
 * @returns how many have to come out otherwise until it does not hold: its negation need not hold
 * either
 */
export function met(condition: Condition, facts: Facts, names: Names): number {
  if (!holds(condition, facts, names)) return 0
  if (condition.op !== 'all' && condition.op !== 'any') return 1
  const parts = condition.of.map((each) => met(each, facts, names))
  return condition.op === 'all' ? Math.min(...parts) : sum(parts)
}
