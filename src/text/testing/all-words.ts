import { stringsOf, type Passage, type Prose } from '../passage'

/** Every paragraph, caption, head and cell, shown or not: for checks of the words themselves. */
export const allWords = (passage: Passage): Prose =>
  passage.flatMap((part) =>
    typeof part === 'object' && 'rows' in part
      ? [part.caption, ...part.columns.map(({ head }) => head), ...part.rows.flat()]
      : stringsOf(part),
  )
