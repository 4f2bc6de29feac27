/**
 * What is in view as a table: the same facts for whoever reads better than they see, or wants the
 * longest first. Arrows walk its rows, what they meet is selected on the canvas, and what is
 * selected there is where they go on. PAGE rows are there at a time, with their places among all.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import {
  formatCount,
  formatDuration,
  formatTime,
  rowKey,
  TABLE_COLUMNS,
  tableInView,
  type SortedColumn,
  type TableSort,
  type Target,
  type Timeline,
  type TimelineData,
  type View,
} from '../../../timeline'
import { Button } from '../Button'

const PAGE = 200
/** Of the keys Page Up and Page Down. */
const STRIDE = 10
const NUMBERS: ReadonlySet<string> = new Set(['start', 'duration', 'submission'])
const isSorted = (column: string): column is SortedColumn => column === 'start' || column === 'duration'

export interface SpanTableProps {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly selected: Target | null
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  /** How often the keyboard was sent here since it is open. */
  readonly asked: number
  /** Escape leaves for the canvas. */
  readonly onLeave: () => void
}

export const SpanTable = ({ open, onOpen, ...rows }: SpanTableProps) => (
  <details className="tl-span-table" open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
    <summary>What is in view, as a table</summary>
    {open && <Rows {...rows} />}
  </details>
)

/** Where a key goes from a row. */
const GOALS: Readonly<Record<string, (at: number, total: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + STRIDE,
  PageUp: (at) => at - STRIDE,
  Home: () => 0,
  End: (_, total) => total - 1,
}

/** A table needs no 60 frames a second. */
const VIEW_EVERY_MS = 250

function useSlowView(timeline: Timeline | null): View | null {
  const [view, setView] = useState<View | null>(null)
  useEffect(() => {
    if (!timeline) return undefined
    let timer = 0
    const read = (): void => {
      timer = 0
      setView(timeline.getView())
    }
    timer = window.setTimeout(read, 0)
    const off = timeline.on('view', () => {
      if (timer === 0) timer = window.setTimeout(read, VIEW_EVERY_MS)
    })
    return () => {
      off()
      window.clearTimeout(timer)
    }
  }, [timeline])
  return view
}

const Rows = ({ data, timeline, selected, asked, onLeave }: Omit<SpanTableProps, 'open' | 'onOpen'>) => {
  const [sort, setSort] = useState<TableSort>({ column: 'start', descending: false })
  const view = useSlowView(timeline)
  const table = useMemo(() => (view ? tableInView(data, view, sort) : null), [data, view, sort])
  const chosen = useMemo(() => table?.indexOf(selected) ?? -1, [table, selected])
  /** The page of what is selected, unless another was asked for since. */
  const [turned, setTurned] = useState({ at: 0, chosen })
  const total = table?.total ?? 0
  const wantedPage = turned.chosen === chosen || chosen < 0 ? turned.at : Math.floor(chosen / PAGE)
  const page = Math.max(0, Math.min(wantedPage, Math.ceil(total / PAGE) - 1))
  const from = page * PAGE
  const to = Math.min(total, from + PAGE)
  const rows = useMemo(() => (table && to > from ? table.rows(from, to) : []), [table, from, to])
  /** The row that Tab reaches. */
  const active = chosen >= from && chosen < to ? chosen : from

  const body = useRef<HTMLTableSectionElement>(null)
  /**
   * The focus belongs on the active row: it was sent there, or walks, and rows may have been made
   * anew under it.
   */
  const walks = useRef(false)
  const went = useRef(0)
  useLayoutEffect(() => {
    if (rows.length === 0 || !(walks.current || asked !== went.current)) return
    walks.current = false
    went.current = asked
    body.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [asked, rows, active])

  const onSort = (column: SortedColumn): void =>
    setSort({ column, descending: sort.column === column && !sort.descending })
  const onKey = (event: KeyboardEvent): void => {
    if (!table || event.ctrlKey || event.altKey || event.metaKey) return
    const to = GOALS[event.key]?.(active, total)
    if (to !== undefined) {
      const nearest = Math.max(0, Math.min(total - 1, to))
      const [row] = table.rows(nearest, nearest + 1)
      walks.current = row !== undefined && rowKey(row.target) !== rowKey(selected)
      if (row) timeline?.select(row.target)
    } else if (event.key === 'Enter') {
      const row = rows[active - from]
      if (row) timeline?.zoomTo(row.target)
    } else if (event.key === 'Escape') onLeave()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const turn = (by: number) => () => setTurned({ at: page + by, chosen })
  return (
    <>
      <p className="tl-note" role="status">
        {total === 0
          ? 'Nothing in view.'
          : total > PAGE
            ? `${formatCount(from + 1)} to ${formatCount(to)} of ${formatCount(total)} in view.`
            : `${formatCount(total)} in view.`}{' '}
        {total > 0 && 'Arrow keys move, Enter zooms, Esc returns to the picture.'}
      </p>
      {total > PAGE && (
        <p className="tl-note">
          <Button look="timeline" label="Rows before" disabled={from === 0} onClick={turn(-1)} />{' '}
          <Button look="timeline" label="Rows after" disabled={to === total} onClick={turn(1)} />
        </p>
      )}
      <div className="tl-scroll" role="region" aria-label="Spans and gaps in view">
        <table className="tl-table wide" aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {TABLE_COLUMNS.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={NUMBERS.has(column) ? 'tl-number' : undefined}
                  aria-sort={
                    sort.column !== column ? undefined : sort.descending ? 'descending' : 'ascending'
                  }
                >
                  {isSorted(column) ? (
                    <button type="button" className="tl-sort" onClick={() => onSort(column)}>
                      {column}
                      <span aria-hidden="true">
                        {sort.column !== column ? '' : sort.descending ? ' ↓' : ' ↑'}
                      </span>
                    </button>
                  ) : (
                    column
                  )}
                </th>
              ))}
            </tr>
          </thead>
          {/* The buttons take the focus; their keys are the same in each row. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <tbody ref={body} onKeyDown={onKey}>
            {rows.map(({ target, startNs, durationNs, lane, kind, name, submission, owner }, at) => (
              <tr
                key={rowKey(target)}
                aria-rowindex={from + at + 2}
                data-selected={from + at === chosen || undefined}
              >
                <td className="tl-number">{formatTime(startNs)}</td>
                <td className="tl-number">{formatDuration(durationNs)}</td>
                <td>{lane}</td>
                <td>{kind}</td>
                <td>
                  <button
                    type="button"
                    className="tl-pick"
                    tabIndex={from + at === active ? 0 : -1}
                    onClick={() => timeline?.select(target)}
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
