/**
 * A trace as a message: its columns shared, else copied and moved, since the worker analyses them
 * while the page draws. Names and clock brackets would be many small objects: they are columns too.
 * Invariant: unpackTrace(packTrace(trace)) is the trace.
 */
import { buffersToMove, shareable, sharesMemory } from '../../base/shared-memory'
import type { ClockSnapshot, Column, Trace } from '../../trace/schema'
import type { YieldIfDue } from '../../base/give-way'
import { packStrings, unpackStrings, type PackedStrings } from './packed-strings'

export interface PackedTrace {
  readonly rest: Omit<Trace, 'strings' | 'snapshots'>
  readonly strings: PackedStrings
  /** Rows of clock, hostBeforeNs, beginTick, endTick, hostAfterNs. */
  readonly snapshots: Float64Array<ArrayBuffer>
}

const SNAPSHOT_ROW = 5

type Tables = Pick<Trace, 'spans' | 'instants' | 'flows' | 'collectives' | 'details' | 'counters'>

/** Each table with other columns. Columns of a file lie in one buffer, with all else that it holds. */
function changeColumns<Whole extends Tables>(trace: Whole, change: (column: Column) => Column): Whole {
  const changed = <Table extends object>(table: Table): Table =>
    // Entry by entry the same table, which the type system cannot follow.
    Object.fromEntries(
      Object.entries(table).map(([name, column]: [string, unknown]) => [
        name,
        ArrayBuffer.isView(column) ? change(column as Column) : column,
      ]),
    ) as Table
  return {
    ...trace,
    spans: changed(trace.spans),
    instants: changed(trace.instants),
    flows: changed(trace.flows),
    collectives: changed(trace.collectives),
    details: changed(trace.details),
    counters: trace.counters.map(changed),
  }
}

/** The same trace in memory that the page can share, where it can share any. */
export const sharedTrace = (trace: Trace): Trace => (sharesMemory() ? changeColumns(trace, shareable) : trace)

export function packTrace({ strings, snapshots, ...tables }: Trace): {
  readonly packed: PackedTrace
  readonly transfer: readonly ArrayBuffer[]
} {
  const rows = new Float64Array(snapshots.length * SNAPSHOT_ROW)
  for (const [index, { clock, hostBeforeNs, beginTick, endTick, hostAfterNs }] of snapshots.entries())
    rows.set([clock, hostBeforeNs, beginTick, endTick, hostAfterNs], index * SNAPSHOT_ROW)
  const texts = packStrings(strings)
  const columns: Column[] = [rows, texts.ends]
  const rest = changeColumns(tables, (column) => {
    const sent = shareable(column)
    columns.push(sent)
    return sent
  })
  return { packed: { rest, strings: texts, snapshots: rows }, transfer: buffersToMove(columns) }
}

export async function unpackTrace(
  { rest, strings, snapshots }: PackedTrace,
  yieldIfDue: YieldIfDue,
): Promise<Trace> {
  const brackets: ClockSnapshot[] = []
  for (let at = 0; at < snapshots.length; at += SNAPSHOT_ROW) {
    brackets.push({
      clock: snapshots[at] ?? 0,
      hostBeforeNs: snapshots[at + 1] ?? 0,
      beginTick: snapshots[at + 2] ?? 0,
      endTick: snapshots[at + 3] ?? 0,
      hostAfterNs: snapshots[at + 4] ?? 0,
    })
    if (at % (256 * SNAPSHOT_ROW) === 0) await yieldIfDue()
  }
  return { ...rest, strings: await unpackStrings(strings, yieldIfDue), snapshots: brackets }
}
