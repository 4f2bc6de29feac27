/** A table (table.ts) as text: a cell for people, and the whole as Markdown. */
import { durationText, flopRateText, plain } from '../../base/figures'
import type { Row, Table, Unit } from './table'

type Cell = string | number | null | undefined

/** As people read it; '' where it is not known. */
export function cellText(cell: Cell, unit: Unit): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell
  switch (unit) {
    case 'ns':
      return durationText(cell)
    case 'share':
      // Not capped: more than all of a bound says that the bound is wrong.
      return `${plain(100 * cell)} %`
    case 'flops':
      return flopRateText(cell)
    case 'bytes':
      return `${plain(cell)} GB/s`
    default:
      return plain(cell, 6)
  }
}

type Shown = Pick<Table, 'columns'> & { readonly rows: readonly Row[] }

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/[\r\n]+/g, ' ')

export const tableMarkdown = ({ columns, rows }: Shown): string =>
  [
    columns.map(({ head }) => head),
    columns.map(({ unit }) => (unit === 'text' ? '---' : '---:')),
    ...rows.map(({ cells }) => columns.map(({ id, unit }) => escaped(cellText(cells[id], unit)))),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
