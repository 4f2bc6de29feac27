/**
 * A trace as a message: its columns by transfer, what would be many small objects (names, clock brackets) as columns too.
 * Invariant: unpackTrace(packTrace(trace)) is the trace. Columns are copied (60 MB in 30 ms): the trace stays whole for its analysis.
 */
import type { ClockSnapshot, Trace } from '../../trace/schema'
import type { Yielder } from '../../base/yield-to-main'
import { packStrings, unpackStrings, type PackedStrings } from './packed-strings'

export interface PackedTrace {
  readonly rest: Omit<Trace, 'strings' | 'snapshots'>
  readonly strings: PackedStrings
  /** Rows of clock, hostBeforeNs, beginTick, endTick, hostAfterNs. */
  readonly snapshots: Float64Array<ArrayBuffer>
}

const SNAPSHOT_ROW = 5

export function packTrace({ strings, snapshots, ...rest }: Trace): {
  readonly packed: PackedTrace
  readonly transfer: readonly ArrayBuffer[]
} {
  const rows = new Float64Array(snapshots.length * SNAPSHOT_ROW)
  for (const [index, { clock, hostBeforeNs, beginTick, endTick, hostAfterNs }] of snapshots.entries())
    rows.set([clock, hostBeforeNs, beginTick, endTick, hostAfterNs], index * SNAPSHOT_ROW)
  const packed = {
    rest: {
      ...rest,
      spans: copyColumns(rest.spans),
      instants: copyColumns(rest.instants),
      flows: copyColumns(rest.flows),
      collectives: copyColumns(rest.collectives),
      details: copyColumns(rest.details),
      counters: rest.counters.map(copyColumns),
    },
    strings: packStrings(strings),
    snapshots: rows,
  }
  const { spans, instants, flows, collectives, details, counters } = packed.rest
  const transfer = [spans, instants, flows, collectives, details, ...counters].flatMap((table) =>
    (Object.values(table) as readonly unknown[]).flatMap((column) =>
      ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
    ),
  )
  return { packed, transfer: [...transfer, rows.buffer, packed.strings.ends.buffer] }
}

/** Each column in a buffer of its own: those of a file lie in one, with all else that it holds. */
const copyColumns = <Table extends object>(table: Table): Table =>
  // Entry by entry the same table, which the type system cannot follow.
  Object.fromEntries(
    Object.entries(table).map(([name, column]: [string, unknown]) => [
      name,
      column instanceof Float64Array ||
      column instanceof Int32Array ||
      column instanceof Uint32Array ||
      column instanceof Uint16Array ||
      column instanceof Uint8Array
        ? column.slice()
        : column,
    ]),
  ) as Table

export async function unpackTrace(
  { rest, strings, snapshots }: PackedTrace,
  yielder: Yielder,
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
    if (at % (256 * SNAPSHOT_ROW) === 0) await yielder.yieldIfDue()
  }
  return { ...rest, strings: await unpackStrings(strings, yielder), snapshots: brackets }
}
