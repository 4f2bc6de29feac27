/**
 * A run as the bytes of a file that `decodeRun` (codec.ts) reads. Apart from it for its size: see
 * file-writer.ts.
 */
import { columnsOf, COUNTER_TABLE, SNAPSHOT_TABLE, TABLE_NAMES, tableOf } from './columns'
import { writeFile, type RawTable } from './file-writer'
import type { Report } from './report'
import { type Column, type TableName, TABLES, type TableSpec, TRACE_VERSION, type Trace } from './schema'

export interface SavedRun {
  readonly trace: Trace
  readonly report: Report | null
}

/** No table of a file that has none. */
export const LEFT_OUT_EMPTY: readonly TableName[] = ['collectives', 'details']

export const counterTable = (counter: number): string => `counter ${String(counter)}`

export function encodeRun({ trace, report }: SavedRun): Uint8Array<ArrayBuffer> {
  const names = TABLE_NAMES.filter((name) => trace[name].length > 0 || !LEFT_OUT_EMPTY.includes(name))
  const tables: Record<string, RawTable> = {
    ...Object.fromEntries(names.map((name) => [name, toRaw(TABLES[name], trace[name])])),
    snapshots: toRaw(SNAPSHOT_TABLE, tableOf(SNAPSHOT_TABLE, trace.snapshots)),
  }
  for (const [index, counter] of trace.counters.entries())
    tables[counterTable(index)] = toRaw(COUNTER_TABLE, counter)
  return writeFile(TRACE_VERSION, {
    header: {
      info: trace.info,
      clocks: trace.clocks,
      lanes: trace.lanes,
      strings: trace.strings,
      counters: trace.counters.map(({ name, unit, lane }) => ({ name, unit, lane })),
      rejected: trace.rejected,
      report,
    },
    tables,
  })
}

const toRaw = (spec: TableSpec, table: { readonly length: number }): RawTable => ({
  length: table.length,
  columns: Object.fromEntries(Object.keys(spec).map((name) => [name, columnsOf(table)[name] as Column])), // of its own spec
})
