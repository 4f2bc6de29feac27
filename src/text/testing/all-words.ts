import type { Inline, Prose, Table } from '../passage'
import type { Text } from '../template'

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
