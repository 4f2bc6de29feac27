/**
 * Rows of a table by any of its columns; a name shows the longest of its spans in the timeline.
 * PAGE rows are there at a time.
 */
import { useState } from 'react'
import type { Column, Row, Sort } from '../../analysis/tables/table'
import { cellText, shortName } from '../../analysis/tables/table-text'
import { formatNumber } from '../ui/format'
import { ScrollTable } from '../ui/ScrollTable'
import { Button } from '../ui/Button'

const PAGE = 25

interface RowsTableProps {
  readonly label: string
  readonly columns: readonly Column[]
  /** Sorted. */
  readonly rows: readonly Row[]
  /** Null: as the rows come, most time first. */
  readonly sort: Sort | null
  readonly onSort: (sort: Sort) => void
  readonly onSpan: (span: number) => void
}

export const RowsTable = ({ label, columns, rows, sort, onSort, onSpan }: RowsTableProps) => {
  const [shown, setShown] = useState(PAGE)
  const sortBy = ({ id, unit }: Column): void => {
    // Numbers begin with the largest.
    const isAgain = sort?.column === id
    onSort({ column: id, descending: isAgain ? !sort.descending : unit !== 'text' })
  }
  const at = columns.findIndex(({ id }) => id === sort?.column)
  return (
    <ScrollTable
      label={label}
      className="trace-table rows-table tabular"
      data-testid="rows-table"
      classAt={Object.fromEntries(
        columns.flatMap(({ unit }, index) => (unit === 'text' ? [[index, 'trace-words']] : [])),
      )}
      sortAt={sort ? { [at]: sort.descending ? 'descending' : 'ascending' } : {}}
      columns={columns.map((column) => (
        <button
          key={column.id}
          type="button"
          className="rows-sort"
          title={column.means || undefined}
          onClick={() => sortBy(column)}
        >
          {column.head}
          <span aria-hidden="true">{sort?.column !== column.id ? '' : sort.descending ? ' ↓' : ' ↑'}</span>
        </button>
      ))}
      below={
        rows.length > shown && (
          <Button look="link" className="small" onClick={() => setShown(shown + 4 * PAGE)}>
            Show more of {formatNumber(rows.length)} rows
          </Button>
        )
      }
      rows={rows
        .slice(0, shown)
        .map((row) =>
          columns.map(({ id, unit }, index) =>
            index === 0 ? <Name key={row.key} {...{ row, onSpan }} /> : cellText(row.cells[id], unit),
          ),
        )}
    />
  )
}

interface NameProps {
  readonly row: Row
  readonly onSpan: (span: number) => void
}

const Name = ({ row: { cells, span, line }, onSpan }: NameProps) => {
  const name = String(cells['name'] ?? '')
  return (
    <>
      {span < 0 ? (
        shortName(name)
      ) : (
        <Button
          look="link"
          className="rows-name"
          label={shortName(name)}
          title={`${name}: the longest, in the timeline`}
          onClick={() => onSpan(span)}
        />
      )}
      {line !== '' && line !== name && <code className="block small quiet">{line}</code>}
    </>
  )
}
