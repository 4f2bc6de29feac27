/**
 * Conditions of a verdict.md, as src/experiments/declare/condition.ts has them:
 *
 *     A below B, A overlaps B                           intervals that do not touch, or that do
 *     A at least N, A less than N                       the median is so
 *     A surely at least N, A surely less than N         the whole interval is
 *     measured A, B · param name is value · software · timestamps · always · a condition's name
 *     ran · recorded · shown, not-shown, inconclusive · reason its-reason    of the run that the words are about
 *     not C, C and C, C or C, ( C )
 *
 * A and B are expressions (src/text/expression.ts); N is a number, with the unit of A where it has one, or a bound's name.
 */
import { Tokens } from '../../src/base/tokens'
import type { Condition } from '../../src/text/condition'
import { literalOf, readExpression } from '../../src/text/expression'

/** What the file has named before; undefined where it has not. */
export interface Known {
  /** Its number and unit: '63GB/s'. */
  readonly bound: (name: string) => string | undefined
  readonly condition: (name: string) => Condition | undefined
}

/** Throws where the text is no condition. */
export function parseCondition(text: string, known: Known): Condition {
  const tokens = new Tokens(text, 'condition')

  const expression = (): string => {
    const start = tokens.at
    readExpression(tokens)
    return tokens.since(start)
  }
  const several = (word: 'and' | 'or', op: 'all' | 'any', one: () => Condition): Condition => {
    const first = one()
    const of = [first]
    while (tokens.takeIf(word)) of.push(one())
    return of.length === 1 ? first : { op, of }
  }
  const anyOf = (): Condition => several('or', 'any', allOf)
  const allOf = (): Condition => several('and', 'all', negated)
  const negated = (): Condition => {
    if (!tokens.takeIf('not')) return single()
    if (tokens.peek() === 'shown')
      tokens.fail(
        "'not shown' leaves open whether the run decided; write 'not-shown', or 'not-shown or inconclusive'",
      )
    return { op: 'not', of: negated() }
  }

  const single = (): Condition => {
    if (tokens.takeIf('always')) return { op: 'always' }
    for (const op of ['software', 'timestamps', 'ran', 'recorded'] as const)
      if (tokens.takeIf(op)) return { op }
    for (const is of ['shown', 'not-shown', 'inconclusive'] as const)
      if (tokens.takeIf(is)) return { op: 'outcome', is }
    if (tokens.takeIf('reason')) return { op: 'reason', reason: tokens.take() }
    if (tokens.takeIf('measured')) {
      const one = (): Condition => ({ op: 'measured', what: expression() })
      const of = [one()]
      while (tokens.takeIf(',')) of.push(one())
      return { op: 'all', of }
    }
    if (tokens.takeIf('param')) {
      const name = tokens.take()
      tokens.expect('is')
      const value = tokens.take()
      return { op: 'param', name, value: /^\d/.test(value) ? Number(value) : value }
    }
    const named = known.condition(tokens.peek() ?? '')
    if (named) {
      tokens.take()
      return named
    }
    if (tokens.peek() === '(' && !isOperand(tokens)) {
      tokens.take()
      const inner = anyOf()
      tokens.expect(')')
      return inner
    }
    return comparison()
  }

  const comparison = (): Condition => {
    const left = expression()
    if (tokens.takeIf('below')) return { op: 'below', left, right: expression() }
    if (tokens.takeIf('overlaps')) return { op: 'overlaps', left, right: expression() }
    const surely = tokens.takeIf('surely')
    if (tokens.takeIf('at', 'least'))
      return { op: 'at-least', what: left, bound: number(), edge: surely ? 'low' : 'value' }
    if (tokens.takeIf('less', 'than'))
      return { op: 'less-than', what: left, bound: number(), edge: surely ? 'high' : 'value' }
    return tokens.fail(`after '${left}' comes 'below', 'overlaps', 'at least' or 'less than'`)
  }
  const number = (): string => {
    const token = tokens.take()
    const bound = literalOf(token) ? token : known.bound(token)
    return bound ?? tokens.fail(`'${token}' is neither a number nor a bound`)
  }

  const condition = anyOf()
  tokens.expectEnd()
  return condition
}

/** What stands in the brackets that come next is part of an expression: an operator or a comparison follows them. */
function isOperand(tokens: Tokens): boolean {
  let depth = 0
  let ahead = 0
  do {
    const token = tokens.peek(ahead)
    if (token === undefined) return false
    depth += token === '(' ? 1 : token === ')' ? -1 : 0
    ahead += 1
  } while (depth > 0)
  return ['/', '+', '-', '??', 'below', 'overlaps', 'surely', 'at', 'less'].includes(tokens.peek(ahead) ?? '')
}
