/** Reads all that a text says and asks for, shown or not, for checks of the words themselves. */
import type { Condition } from '../condition'
import type { Figure } from '../figure'
import type { Quoted, Text, Inline, Prose, Table } from '../template'

export function quotesIn(text: Text): readonly Quoted[] {
  if (typeof text === 'string') return []
  if ('parts' in text) return text.parts.flatMap((part) => (typeof part === 'string' ? [] : [part]))
  return 'when' in text ? [...quotesIn(text.text), ...quotesIn(text.otherwise ?? '')] : text.flatMap(quotesIn)
}

export function conditionsIn(text: Text): readonly Condition[] {
  if (typeof text === 'string' || 'parts' in text) return []
  return 'when' in text
    ? [text.when, ...conditionsIn(text.text), ...conditionsIn(text.otherwise ?? '')]
    : text.flatMap(conditionsIn)
}

/** The metrics, facts and numbers that a figure is made of. */
export const leavesOf = (figure: Figure): readonly Exclude<Figure, { readonly of: unknown }>[] =>
  'of' in figure ? figure.of.flatMap(leavesOf) : [figure]

/** Lists the parts that 'and', 'or' and 'not' join. */
export const partsOf = (condition: Condition): readonly Exclude<Condition, { readonly of: unknown }>[] =>
  'of' in condition ? [condition.of].flat().flatMap(partsOf) : [condition]

/** Every string of a text, shown or not; '{…}' stands for a figure. */
export const stringsOf = (text: Text): Prose =>
  typeof text === 'string'
    ? [text]
    : 'parts' in text
      ? [text.parts.map((part) => (typeof part === 'string' ? part : '{…}')).join('')]
      : 'when' in text
        ? [...stringsOf(text.text), ...(text.otherwise === undefined ? [] : stringsOf(text.otherwise))]
        : text.flatMap(stringsOf)

/** Every paragraph, caption, head and cell, shown or not: for checks of the words themselves. */
export const allWords = (parts: readonly (Text | Table | Inline)[]): Prose =>
  parts.flatMap((part) =>
    typeof part === 'object' && 'rows' in part
      ? [part.caption, ...part.columns.map(({ head }) => head), ...part.rows.flat()]
      : stringsOf(part),
  )
