/** What is in view as a table: the same facts for whoever reads better than they see, or wants to sort. */
import { useMemo, useState } from 'react'
import {
  formatCount,
  formatDuration,
  formatTime,
  rowsInView,
  TABLE_COLUMNS,
  treeKey,
  type TableColumn,
  type TableSort,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../timeline'
import { useSlowView } from './use-timeline'

const LIMIT = 200
const NUMBERS: ReadonlySet<TableColumn> = new Set(['start', 'duration', 'submission'])

export interface SpanTableProps {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly selected: Target | null
}

export const SpanTable = ({ data, timeline, selected }: SpanTableProps) => {
  const [open, setOpen] = useState(false)
  return (
    <details
      className="tl-span-table"
      open={open}
      onToggle={(event) => {
        setOpen(event.currentTarget.open)
      }}
    >
      <summary>What is in view, as a table</summary>
      {open && <Rows data={data} timeline={timeline} selected={selected} />}
    </details>
  )
}

const Rows = ({ data, timeline, selected }: SpanTableProps) => {
  const [sort, setSort] = useState<TableSort>({ column: 'start', descending: false })
  const view = useSlowView(timeline, 250, true)
  const { rows, total } = useMemo(
    () => (view ? rowsInView(data, view, sort, LIMIT) : { rows: [], total: 0 }),
    [data, view, sort],
  )
  const onSort = (column: TableColumn): void => {
    setSort({ column, descending: sort.column === column && !sort.descending })
  }
  return (
    <>
      <p className="tl-note" role="status">
        {total === 0
          ? 'Nothing in view.'
          : total > rows.length
            ? `${formatCount(rows.length)} of ${formatCount(total)} in view; ${formatCount(total - rows.length)} more: zoom in or sort to reach them.`
            : `${formatCount(total)} in view.`}
      </p>
      <div className="tl-scroll" role="region" aria-label="Spans and gaps in view">
        <table className="tl-table">
          <thead>
            <tr>
              {TABLE_COLUMNS.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={NUMBERS.has(column) ? 'tl-number' : undefined}
                  aria-sort={
                    sort.column !== column ? undefined : sort.descending ? 'descending' : 'ascending'
                  }
                >
                  <button
                    type="button"
                    className="tl-sort"
                    onClick={() => {
                      onSort(column)
                    }}
                  >
                    {column}
                    <span aria-hidden="true">
                      {sort.column !== column ? '' : sort.descending ? ' ↓' : ' ↑'}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, target, startNs, durationNs, lane, kind, name, submission, owner }) => (
              <tr key={key} data-selected={treeKey(selected) === treeKey(target) || undefined}>
                <td className="tl-number">{formatTime(startNs)}</td>
                <td className="tl-number">{formatDuration(durationNs)}</td>
                <td>{lane}</td>
                <td>{kind}</td>
                <td>
                  <button
                    type="button"
                    className="tl-pick"
                    onClick={() => {
                      timeline?.select(target)
                    }}
                  >
                    {name === '' ? kind : name}
                  </button>
                </td>
                <td className="tl-number">{submission < 0 ? '' : submission}</td>
                <td>{owner}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
