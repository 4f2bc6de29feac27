/**
 * Quotations: a figure of a file under public/recordings/ becomes a part of the words while the site is built, so that words cannot drift
 * from what was recorded. Beside figures of the reader's own run it stays in the expression, as a number with its interval and unit. Pure.
 */
import { evaluate, literalText, parseExpression, type Expression, type Quantity } from './expression'
import { holds, type Condition } from './condition'
import { NO_FACTS, type Facts } from './facts'
import { fill, placeholdersOf, type Text } from './template'
import { say } from './wording'
import type { ReportFigure } from '../trace/figure'

/** Throws where the file, or the figure in it, is not there. */
export type Recorded = (file: string, figure: string, variant: string) => Quantity

/** Where a file is from. */
export interface RecordedOrigin {
  readonly device: string
  /** ISO. */
  readonly date: string
}

/** All that words take from files. Each throws where the file does not have it. */
export interface Recordings {
  readonly figure: Recorded
  readonly origin: (file: string) => RecordedOrigin
  /** Of a run of the lab. */
  readonly facts: (file: string) => Facts
  /** Of a run of the lab: a chart of its report. */
  readonly chart: (file: string, id: string) => ReportFigure
}

/** Of one expression, whether it quotes, and whether it needs a run. */
function usesOf(expression: Expression): { readonly quotes: boolean; readonly run: boolean } {
  if ('of' in expression) {
    const [a, b] = expression.of.map(usesOf)
    return { quotes: a?.quotes === true || b?.quotes === true, run: a?.run === true || b?.run === true }
  }
  return { quotes: expression.is === 'recorded', run: expression.is === 'metric' || expression.is === 'fact' }
}

function bound(expression: Expression, recorded: Recorded): Expression {
  if ('of' in expression) {
    const [a, b] = expression.of
    return { ...expression, of: [bound(a, recorded), bound(b, recorded)] }
  }
  if (expression.is !== 'recorded') return expression
  const { value, low, high, unit } = recorded(expression.file, expression.figure, expression.variant)
  return { is: 'number', value, low, high, unit }
}

/** As it is written. Every operation stands in brackets of its own. */
function textOf(expression: Expression): string {
  switch (expression.is) {
    case 'number':
      return literalText(expression)
    case 'fact':
      return `${expression.from}.${expression.name}`
    case 'metric':
      return [expression.name, expression.variant].filter((part) => part !== '').join(' ')
    case 'recorded':
      return [`${expression.file}:${expression.figure}`, expression.variant].join(' ').trim()
    case 'min':
    case 'max':
      return `${expression.is}(${textOf(expression.of[0])}, ${textOf(expression.of[1])})`
    default:
      return `(${textOf(expression.of[0])} ${expression.is} ${textOf(expression.of[1])})`
  }
}

/** The expression with its quotations as numbers. */
export function bindExpression(text: string, recorded: Recorded): string {
  const expression = parseExpression(text)
  return usesOf(expression).quotes ? textOf(bound(expression, recorded)) : text
}

/** An expression of quotations and numbers alone. @throws where it asks for a run's figures, or has no value */
export function quoteOf(text: string, recorded: Recorded): Quantity {
  const expression = parseExpression(text)
  const quantity = usesOf(expression).run ? null : evaluate(bound(expression, recorded), NO_FACTS, {})
  if (!quantity) throw new Error(`'${text}' is no figure of recordings.`)
  return quantity
}

/** What quotes recordings alone becomes words; what quotes a run as well keeps its braces. */
function bindWords(text: string, recorded: Recorded): string {
  return text.replaceAll(/\{([^{}]+)\}/g, (written) => {
    const [placeholder] = placeholdersOf(written)
    if (!placeholder || placeholder.expression.startsWith('$')) return written
    const uses = usesOf(parseExpression(placeholder.expression))
    if (!uses.quotes) return written
    const expression = bindExpression(placeholder.expression, recorded)
    if (uses.run) return `{${expression}${placeholder.format === null ? '' : ` | ${placeholder.format}`}}`
    const reading = { facts: NO_FACTS, names: {}, metric: say, withBounds: false }
    const words = fill({ ...placeholder, expression }, reading)
    if (words === null) throw new Error(`'${written}' has no value.`)
    return words
  })
}

/** Every expression of figures written anew; `ofRun` sees what is said of a run besides. */
function rewritten(
  condition: Condition,
  write: (expression: string) => string,
  ofRun: (condition: Condition) => Condition,
): Condition {
  switch (condition.op) {
    case 'always':
      return condition
    case 'all':
    case 'any':
      return { ...condition, of: condition.of.map((each) => rewritten(each, write, ofRun)) }
    case 'not':
      return { ...condition, of: rewritten(condition.of, write, ofRun) }
    case 'measured':
    case 'at-least':
    case 'less-than':
      return { ...condition, what: write(condition.what) }
    case 'below':
    case 'overlaps':
      return { ...condition, left: write(condition.left), right: write(condition.right) }
    default:
      return ofRun(condition)
  }
}

/** Quotations keep their intervals, so that a recording is compared as a run is. */
export const bindCondition = (condition: Condition, recorded: Recorded): Condition =>
  rewritten(
    condition,
    (text) => bindExpression(text, recorded),
    (ofRun) => ofRun,
  )

/** Of recordings alone. @throws where it asks for something of a run */
export function holdsOfRecordings(condition: Condition, recorded: Recorded): boolean {
  const bound = rewritten(
    condition,
    (text) => {
      if (usesOf(parseExpression(text)).run) throw new Error(`'${text}' asks for a figure of a run.`)
      return bindExpression(text, recorded)
    },
    ({ op }) => {
      throw new Error(`'${op}' is said of a run, and here is none.`)
    },
  )
  return holds(bound, NO_FACTS, {})
}

export function bindText(text: Text, recorded: Recorded): Text {
  if (typeof text === 'string') return bindWords(text, recorded)
  if ('when' in text) {
    const { when, otherwise } = text
    return {
      when: bindCondition(when, recorded),
      text: bindText(text.text, recorded),
      ...(otherwise === undefined ? {} : { otherwise: bindText(otherwise, recorded) }),
    }
  }
  return text.map((part) => bindText(part, recorded))
}
