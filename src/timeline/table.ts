/**
 * The span table: what is in view, as rows. Spans and gaps, sorted by a number, some of them with
 * the count of all. Pure. Of a million spans only those that are shown become rows.
 */
import { quickselect } from 'd3-array'
import { CAUSES, isIdle } from '../trace/gap-causes'
import { belonging, spanDurationNs } from './describe'
import { laneGaps } from './lod/gap-rows'
import { MARKS, spanKindAt } from './marks'
import { visibleRange } from './visible'
import { lowerBound } from '../base/search'
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
type TableColumn = (typeof TABLE_COLUMNS)[number]
export type SortedColumn = Extract<TableColumn, 'start' | 'duration'>

interface TableRow {
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
  readonly column: SortedColumn
  readonly descending: boolean
}

/** Spans as their index, gaps as −1 − index. */
function candidatesIn({ placed, gaps }: TimelineData, view: View): Int32Array {
  const found: number[] = []
  for (const lane of placed.lanes) {
    const [first, last] = visibleRange(lane, view.startNs, view.endNs)
    for (let index = first; index < last; index += 1)
      if ((lane.endNs[index] ?? 0) >= view.startNs) found.push(lane.span[index] ?? 0)
  }
  for (const { row } of laneGaps(placed, gaps).byLane.values())
    for (let at = lowerBound(row.endNs, view.startNs, row.length); at < row.length; at += 1) {
      if ((row.startNs[at] ?? 0) > view.endNs) break
      found.push(-1 - (row.span[at] ?? 0))
    }
  return Int32Array.from(found)
}

/** Null for what has no row. */
export const rowKey = (target: Target | null): string | null =>
  target?.type === 'span' ? `span ${target.span}` : target?.type === 'gap' ? `gap ${target.gap}` : null

export interface Table {
  readonly total: number
  /** From 0, those from `from` on and before `to`. Sorting reaches as far as `to`. */
  readonly rows: (from: number, to: number) => readonly TableRow[]
  /** −1: it has no row here. */
  readonly indexOf: (target: Target | null) => number
}

export function tableInView(data: TimelineData, view: View, sort: TableSort): Table {
  const ids = candidatesIn(data, view)
  const startOf = (at: number): number => {
    const id = ids[at] ?? 0
    return (id < 0 ? data.gaps[-1 - id]?.startNs : data.placed.startNs[id]) ?? 0
  }
  const durationOf = (at: number): number => {
    const id = ids[at] ?? 0
    return id < 0 ? (data.gaps[-1 - id]?.durationNs ?? 0) : spanDurationNs(data.placed, id)
  }
  const keyOf = sort.column === 'start' ? startOf : durationOf
  const sign = sort.descending ? -1 : 1
  const keys = Float64Array.from(ids, (_, at) => sign * keyOf(at))
  /** Equal spans keep their order among the candidates; the first has the least start. */
  const compare = (a: number, b: number): number =>
    (keys[a] ?? 0) - (keys[b] ?? 0) || startOf(a) - startOf(b) || a - b
  let sorted: readonly number[] = []
  /** The first so many of all, at least. */
  const first = (count: number): readonly number[] => {
    if (sorted.length >= Math.min(count, ids.length)) return sorted
    // All up to the last one asked for, which others may equal.
    const last =
      count < ids.length ? (quickselect(Float64Array.from(keys), count - 1)[count - 1] ?? Infinity) : Infinity
    sorted = [...ids.keys()].filter((at) => (keys[at] ?? 0) <= last).sort(compare)
    return sorted
  }
  return {
    total: ids.length,
    rows: (from, to) =>
      first(to)
        .slice(from, to)
        .map((at) => {
          const id = ids[at] ?? 0
          return id < 0 ? gapRow(data, -1 - id) : spanRow(data, id)
        }),
    indexOf: (target) => {
      const id = target?.type === 'span' ? target.span : target?.type === 'gap' ? -1 - target.gap : null
      const found = id === null ? -1 : ids.indexOf(id)
      return found < 0
        ? -1
        : [...ids.keys()].reduce((before, at) => before + Number(compare(at, found) < 0), 0)
    },
  }
}

function spanRow({ placed }: TimelineData, span: number): TableRow {
  const { trace } = placed
  return {
    target: { type: 'span', span },
    startNs: placed.startNs[span] ?? 0,
    durationNs: spanDurationNs(placed, span),
    lane: trace.lanes[trace.spans.lane[span] ?? -1]?.name ?? '',
    kind: MARKS[spanKindAt(trace.spans.kind, span)].label,
    name: trace.strings[trace.spans.name[span] ?? -1] ?? '',
    submission: trace.spans.submission[span] ?? -1,
    owner: belonging(trace, span),
  }
}

function gapRow({ placed: { trace }, gaps }: TimelineData, index: number): TableRow {
  const gap = gaps[index]
  return {
    target: { type: 'gap', gap: index },
    startNs: gap?.startNs ?? 0,
    durationNs: gap?.durationNs ?? 0,
    lane: trace.lanes[gap?.lane ?? -1]?.name ?? '',
    kind: isIdle(gap?.cause ?? 'unknown') ? 'idle' : 'not known',
    name: CAUSES[gap?.cause ?? 'unknown'].label,
    submission: -1,
    owner: trace.strings[gap?.variant ?? -1] ?? '',
  }
}
