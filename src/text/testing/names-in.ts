import type { Expression } from '../expression'

/** The metrics and facts that an expression names. */
export function namesIn(expression: Expression): readonly Exclude<Expression, { of: unknown }>[] {
  return 'of' in expression ? expression.of.flatMap(namesIn) : [expression]
}
