/**
 * The table of details (schema.ts): none of them, those of some spans, and what a damaged file may
 * say.
 */
import { rowsThat, takeRows, GrowingTable } from './columns'
import { DETAIL_TABLE, type DetailColumns, type Trace } from './schema'

export const NO_DETAILS: DetailColumns = new GrowingTable(DETAIL_TABLE, 1).copy()

/**
 * Those of the spans that are kept. `spanOf` gives the new number of a span, below 0 where it is
 * left out.
 */
export function detailsOf(
  from: DetailColumns,
  spanOf: (span: number) => number,
  textOf: (text: number) => number = (text) => text,
): DetailColumns {
  const rows = rowsThat(from.length, (row) => spanOf(from.span[row] ?? -1) >= 0)
  const text = (index: number) => (index < 0 ? -1 : textOf(index))
  return takeRows(DETAIL_TABLE, from, rows, { span: spanOf, shape: text, form: text, values: text })
}

/** First row of a decoded trace that points at nothing; -1: none. */
export function findBadDetail({ details, spans, strings }: Trace): number {
  const isText = (index: number | undefined) => index !== undefined && index >= -1 && index < strings.length
  const seen = new Uint8Array(spans.length)
  for (let row = 0; row < details.length; row += 1) {
    const span = details.span[row] ?? spans.length
    const isTold = isText(details.shape[row]) && isText(details.form[row]) && isText(details.values[row])
    if (span >= spans.length || seen[span] === 1 || !isTold) return row
    seen[span] = 1
  }
  return -1
}
