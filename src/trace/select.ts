/**
 * Part of a trace as a trace of its own: some spans, some lanes. What points at something that is
 * left out goes with it (arrows); strings that nobody names any more are dropped. Clocks and their
 * snapshots all stay: they tie the device's time to the host's, and come from all of a run. The
 * trace given is not changed.
 */
import { columnsOf, COUNTER_TABLE, eachTable, rowsThat, takeRows } from './columns'
import {
  REFERENCES,
  type Lane,
  type TraceTables,
  type Trace,
  SPAN_KINDS,
  SPAN_ROLES,
  SPAN_SOURCES,
  type SpanColumns,
} from './schema'
import type { NewSpan } from './builder'

interface Selection {
  /** Spans of lanes that are left out are not asked for. */
  readonly span?: (span: number) => boolean
  readonly lane?: (lane: Lane) => boolean
  readonly instant?: (row: number) => boolean
  /** Host ns: counter samples and the instants of host clocks outside go. */
  readonly range?: readonly [startNs: number, endNs: number]
}

const everything = () => true

export function selectSpans(
  trace: Trace,
  { span = everything, lane = everything, instant = everything, range }: Selection,
): Trace {
  const isNear = (timeNs: number) => !range || (timeNs >= range[0] && timeNs <= range[1])
  const kept = trace.lanes.filter(lane)
  const laneOf = new Map(kept.map(({ id }, index) => [id, index]))
  const strings: string[] = []
  const stringOf = new Map<number, number>()
  const text = (index: number): number => {
    if (index < 0) return -1
    const known = stringOf.get(index)
    if (known !== undefined) return known
    const next = strings.push(trace.strings[index] ?? '') - 1
    stringOf.set(index, next)
    return next
  }
  const newLane = (id: number) => laneOf.get(id) ?? -1

  const { spans, instants, counters } = trace
  const spanRows = rowsThat(spans.length, (row) => laneOf.has(spans.lane[row] ?? -1) && span(row))
  const spanOf = new Int32Array(spans.length).fill(-1)
  for (const [at, row] of spanRows.entries()) spanOf[row] = at
  const isHost = (row: number) =>
    trace.clocks[trace.lanes[instants.lane[row] ?? -1]?.clock ?? -1]?.kind === 'host'
  const isKept = (row: number) => (!isHost(row) || isNear(instants.time[row] ?? 0)) && instant(row)
  const numbers = { lanes: newLane, strings: text, spans: (row: number) => spanOf[row] ?? -1 } as const
  const tables = eachTable<TraceTables>((name, spec) => {
    const table = columnsOf(trace[name])
    const changes: Record<string, (row: number) => number> = {}
    const ties: [column: string, number: (row: number) => number][] = []
    for (const [column, to] of Object.entries(REFERENCES[name])) {
      if (!(to in numbers)) continue
      const number = numbers[to as keyof typeof numbers]
      changes[column] = number
      if (to !== 'strings') ties.push([column, number])
    }
    const isTied = (row: number) => ties.every(([column, number]) => number(table[column]?.[row] ?? -1) >= 0)
    const rows =
      name === 'spans'
        ? spanRows
        : rowsThat(trace[name].length, (row) => isTied(row) && (name !== 'instants' || isKept(row)))
    return takeRows(spec, table, rows, changes)
  })
  return {
    ...trace,
    ...tables,
    lanes: kept.map((each, id) => ({ ...each, id })),
    counters: counters.flatMap(({ name, unit, lane: on, ...samples }) => {
      if (!laneOf.has(on)) return []
      const rows = rowsThat(samples.length, (row) => isNear(samples.timeNs[row] ?? 0))
      return [{ name, unit, lane: newLane(on), ...takeRows(COUNTER_TABLE, samples, rows) }]
    }),
    strings,
  }
}

/**
 * A span of one trace as a new one of another: all that is the same wherever it stands. Its lane,
 * times and submission are the caller's.
 *
 * @param textOf of the trace that the span is of, by its index; '' where there is none
 */
export function copySpan(
  spans: SpanColumns,
  row: number,
  textOf: (text: number | undefined) => string,
): Omit<NewSpan, 'lane' | 'start' | 'end' | 'submission'> {
  const variant = spans.variant[row] ?? -1
  return {
    kind: SPAN_KINDS[spans.kind[row] ?? -1] ?? 'other',
    role: SPAN_ROLES[spans.role[row] ?? -1],
    source: SPAN_SOURCES[spans.source[row] ?? -1] ?? 'imported',
    name: textOf(spans.name[row]),
    variant: variant < 0 ? undefined : textOf(variant),
    repeat: spans.repeat[row],
    step: spans.step[row],
    line: spans.line[row],
    bytes: spans.bytes[row],
    flops: spans.flops[row],
  }
}
