/**
 * The span table: what is in view, as rows. Spans and gaps, sorted, some of them with the count of
 * all. Pure. Every column has a number to sort by, so that of a million spans only those that are
 * shown become rows.
 */
import { quickselect } from 'd3-array'
import { CAUSES, isIdle } from '../trace/gap-causes'
import { GAP_CAUSES } from '../trace/gaps'
import { belonging, spanDurationNs } from './describe'
import { laneGaps } from './lod/gap-rows'
import { MARKS, spanKindAt } from './marks'
import { visibleRange } from './visible'
import { lowerBound } from '../base/search'
import { SPAN_KINDS } from '../trace/schema'
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
  readonly column: TableColumn
  readonly descending: boolean
}

const collator = new Intl.Collator('en', { numeric: true })
/**
 * A collator takes 3 µs a comparison: 5000 names take 0.2 s to sort, and more are sorted by their
 * code units.
 */
const COLLATED = 5000

/** Position of each text among all, equal texts alike. */
function ranksOf(texts: readonly string[]): Float64Array {
  const compare =
    texts.length <= COLLATED ? collator.compare : (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  const order = [...texts.keys()].sort((a, b) => compare(texts[a] ?? '', texts[b] ?? ''))
  const ranks = new Float64Array(texts.length)
  let rank = 0
  for (const [at, index] of order.entries()) {
    const before = texts[order[at - 1] ?? -1]
    if (before !== undefined && before !== texts[index]) rank += 1
    ranks[index] = rank
  }
  return ranks
}

const nameRanks = new WeakMap<readonly string[], Float64Array>()

/** Ranks of a trace's strings, and after them of the causes, which stand among the names. */
function ranksOfNames(strings: readonly string[]): Float64Array {
  const ranks =
    nameRanks.get(strings) ?? ranksOf([...strings, ...GAP_CAUSES.map((cause) => CAUSES[cause].label)])
  nameRanks.set(strings, ranks)
  return ranks
}

interface Keys {
  readonly ofSpan: (span: number) => number
  readonly ofGap: (gap: number) => number
}

/** Keys that a column sorts by, as numbers; nothing sorts before something. */
function keysOf({ placed, gaps }: TimelineData, column: TableColumn): Keys {
  const { trace } = placed
  const { spans, lanes, strings } = trace
  switch (column) {
    case 'start':
      return { ofSpan: (span) => placed.startNs[span] ?? 0, ofGap: (gap) => gaps[gap]?.startNs ?? 0 }
    case 'duration':
      return { ofSpan: (span) => spanDurationNs(placed, span), ofGap: (gap) => gaps[gap]?.durationNs ?? 0 }
    case 'submission':
      return { ofSpan: (span) => spans.submission[span] ?? -1, ofGap: () => -1 }
    case 'lane': {
      const ranks = ranksOf(lanes.map(({ name }) => name))
      return {
        ofSpan: (span) => ranks[spans.lane[span] ?? -1] ?? -1,
        ofGap: (gap) => ranks[gaps[gap]?.lane ?? -1] ?? -1,
      }
    }
    case 'kind': {
      const ranks = ranksOf([...SPAN_KINDS.map((kind) => MARKS[kind].label), 'idle'])
      return {
        ofSpan: (span) => ranks[spans.kind[span] ?? -1] ?? -1,
        ofGap: () => ranks[SPAN_KINDS.length] ?? -1,
      }
    }
    case 'name': {
      const ranks = ranksOfNames(strings)
      return {
        ofSpan: (span) => ranks[spans.name[span] ?? -1] ?? -1,
        ofGap: (gap) => ranks[strings.length + GAP_CAUSES.indexOf(gaps[gap]?.cause ?? 'unknown')] ?? -1,
      }
    }
    case 'belongs to': {
      const ranks = ranksOfNames(strings)
      // Variant, then repeat, then step: 2^20 repeats and 2^20 steps keep a double exact up to 2^13
      // variants.
      const key = (variant: number, repeat: number, step: number): number =>
        (((ranks[variant] ?? -1) + 1) * 2 ** 20 + repeat + 3) * 2 ** 20 + step + 1
      return {
        ofSpan: (span) => key(spans.variant[span] ?? -1, spans.repeat[span] ?? -1, spans.step[span] ?? -1),
        ofGap: (gap) => key(gaps[gap]?.variant ?? -1, gaps[gap]?.repeat ?? -1, -1),
      }
    }
  }
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
  const { ofSpan, ofGap } = keysOf(data, sort.column)
  const sign = sort.descending ? -1 : 1
  const keys = Float64Array.from(ids, (id) => sign * (id < 0 ? ofGap(-1 - id) : ofSpan(id)))
  const startOf = (at: number): number => {
    const id = ids[at] ?? 0
    return (id < 0 ? data.gaps[-1 - id]?.startNs : data.placed.startNs[id]) ?? 0
  }
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
