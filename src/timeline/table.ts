/**
 * The span table: what is in view, as rows. Spans and gaps, sorted, the first so many with the count of all. Pure.
 * Every column has a number to sort by, so that of a million spans only those that are shown become rows.
 */
import { quickselect } from 'd3-array'
import { CAUSES, isIdle } from '../trace/gap-causes'
import { GAP_CAUSES } from '../trace/gaps'
import { belonging, spanDurationNs } from './describe'
import { laneGaps } from '../picture/gap-rows'
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

const collator = new Intl.Collator('en', { numeric: true })
/** A collator takes 3 µs a comparison: 5000 names take 0.2 s to sort, and more are sorted by their code units. */
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

/** What a column sorts by, as numbers; nothing sorts before something. */
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
      // Variant, then repeat, then step: 2^20 repeats and 2^20 steps keep a double exact up to 2^13 variants.
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

export function rowsInView(
  data: TimelineData,
  view: View,
  sort: TableSort,
  limit: number,
): { readonly rows: readonly TableRow[]; readonly total: number } {
  const candidates = candidatesIn(data, view)
  const { ofSpan, ofGap } = keysOf(data, sort.column)
  const sign = sort.descending ? -1 : 1
  const keyOf = (id: number): number => sign * (id < 0 ? ofGap(-1 - id) : ofSpan(id))
  const startOf = (id: number): number =>
    (id < 0 ? data.gaps[-1 - id]?.startNs : data.placed.startNs[id]) ?? 0
  const keys = Float64Array.from(candidates, keyOf)
  let shown: readonly number[] = [...candidates.subarray(0, limit)]
  if (candidates.length > limit) {
    // All that come before the last one shown, and of those equal to it the earliest.
    const last = quickselect(Float64Array.from(keys), limit - 1)[limit - 1] ?? Infinity
    const before: number[] = []
    const equal: number[] = []
    for (const [at, id] of candidates.entries()) {
      const key = keys[at] ?? 0
      if (key < last) before.push(id)
      else if (key === last) equal.push(id)
    }
    equal.sort((a, b) => startOf(a) - startOf(b))
    shown = [...before, ...equal.slice(0, limit - before.length)]
  }
  const ordered = [...shown].sort((a, b) => keyOf(a) - keyOf(b) || startOf(a) - startOf(b))
  return {
    rows: ordered.map((id) => (id < 0 ? gapRow(data, -1 - id) : spanRow(data, id))),
    total: candidates.length,
  }
}

function spanRow({ placed }: TimelineData, span: number): TableRow {
  const { trace } = placed
  return {
    key: `span ${span}`,
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
    key: `gap ${index}`,
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
