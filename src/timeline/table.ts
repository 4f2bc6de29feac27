/** The table twin: what is in view, as rows. Spans and gaps, sorted, the first so many with the count of all. Pure. */
import { CAUSE_LABEL } from './causes'
import { belonging, spanDurationNs } from './describe'
import { MARKS, spanKindAt } from './marks'
import { visibleRange } from './visible'
import type { Target, TimelineData, View } from './types'

export const TABLE_COLUMNS = [
  'start',
  'duration',
  'lane',
  'kind',
  'name',
  'submission',
  'belongs to',
] as const
export type TableColumn = (typeof TABLE_COLUMNS)[number]

export interface TableRow {
  readonly key: string
  readonly target: Target
  readonly startNs: number
  readonly durationNs: number
  readonly lane: string
  readonly kind: string
  readonly name: string
  /** -1: none. */
  readonly submission: number
  readonly owner: string
}

export interface TableSort {
  readonly column: TableColumn
  readonly descending: boolean
}

const COMPARE: Readonly<Record<TableColumn, (a: TableRow, b: TableRow) => number>> = {
  start: (a, b) => a.startNs - b.startNs,
  duration: (a, b) => a.durationNs - b.durationNs,
  lane: (a, b) => compareText(a.lane, b.lane),
  kind: (a, b) => compareText(a.kind, b.kind),
  name: (a, b) => compareText(a.name, b.name),
  submission: (a, b) => a.submission - b.submission,
  'belongs to': (a, b) => compareText(a.owner, b.owner),
}
const collator = new Intl.Collator('en', { numeric: true })
const compareText = (a: string, b: string): number => collator.compare(a, b)

export function rowsInView(
  data: TimelineData,
  view: View,
  sort: TableSort,
  limit: number,
): { readonly rows: readonly TableRow[]; readonly total: number } {
  const rows: TableRow[] = []
  const { placed, gaps } = data
  const { trace } = placed
  for (const lane of placed.lanes) {
    const [first, last] = visibleRange(lane, view.startNs, view.endNs)
    for (let index = first; index < last; index += 1) {
      if ((lane.endNs[index] ?? 0) < view.startNs) continue
      const span = lane.span[index] ?? 0
      rows.push({
        key: `span ${span}`,
        target: { type: 'span', span },
        startNs: lane.startNs[index] ?? 0,
        durationNs: spanDurationNs(placed, span),
        lane: trace.lanes[lane.lane]?.name ?? '',
        kind: MARKS[spanKindAt(trace.spans.kind, span)].label,
        name: trace.strings[trace.spans.name[span] ?? -1] ?? '',
        submission: trace.spans.submission[span] ?? -1,
        owner: belonging(trace, span),
      })
    }
  }
  for (const [gap, { lane, startNs, endNs, durationNs, cause, variant }] of gaps.entries()) {
    if (endNs < view.startNs || startNs > view.endNs) continue
    rows.push({
      key: `gap ${gap}`,
      target: { type: 'gap', gap },
      startNs,
      durationNs,
      lane: trace.lanes[lane]?.name ?? '',
      kind: 'idle',
      name: CAUSE_LABEL[cause],
      submission: -1,
      owner: trace.strings[variant] ?? '',
    })
  }
  const compare = COMPARE[sort.column]
  const sign = sort.descending ? -1 : 1
  rows.sort((a, b) => sign * compare(a, b) || a.startNs - b.startNs)
  return { rows: rows.slice(0, limit), total: rows.length }
}
