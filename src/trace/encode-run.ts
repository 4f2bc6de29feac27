/**
 * A run as the bytes of a file that `decodeRun` (codec.ts) reads. Apart from it for its size: see
 * file-writer.ts.
 */
import { COUNTER_TABLE, GrowingTable, SNAPSHOT_TABLE } from './columns'
import { writeFile, type RawTable } from './file-writer'
import type { Report } from './report'
import {
  COLLECTIVE_TABLE,
  DETAIL_TABLE,
  FLOW_TABLE,
  INSTANT_TABLE,
  SPAN_TABLE,
  type Column,
  type TableOf,
  type TableSpec,
  TRACE_VERSION,
  type Trace,
} from './schema'

export interface SavedRun {
  readonly trace: Trace
  readonly report: Report | null
}

export const counterTable = (counter: number): string => `counter ${String(counter)}`

export function encodeRun({ trace, report }: SavedRun): Uint8Array<ArrayBuffer> {
  const snapshots = new GrowingTable(SNAPSHOT_TABLE, Math.max(1, trace.snapshots.length))
  for (const snapshot of trace.snapshots) {
    const row = snapshots.addRow()
    snapshots.columns.clock[row] = snapshot.clock
    snapshots.columns.hostBeforeNs[row] = snapshot.hostBeforeNs
    snapshots.columns.beginTick[row] = snapshot.beginTick
    snapshots.columns.endTick[row] = snapshot.endTick
    snapshots.columns.hostAfterNs[row] = snapshot.hostAfterNs
  }
  const tables: Record<string, RawTable> = {
    spans: toRaw(SPAN_TABLE, trace.spans),
    instants: toRaw(INSTANT_TABLE, trace.instants),
    flows: toRaw(FLOW_TABLE, trace.flows),
    snapshots: toRaw(SNAPSHOT_TABLE, snapshots.view()),
  }
  // Left out where there are none.
  if (trace.collectives.length > 0) tables['collectives'] = toRaw(COLLECTIVE_TABLE, trace.collectives)
  if (trace.details.length > 0) tables['details'] = toRaw(DETAIL_TABLE, trace.details)
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

const toRaw = <Spec extends TableSpec>(spec: Spec, table: TableOf<Spec>): RawTable => ({
  length: table.length,
  columns: Object.fromEntries(
    Object.keys(spec).map((name) => [name, (table as Readonly<Record<string, unknown>>)[name] as Column]), // keys of its own spec
  ),
})
