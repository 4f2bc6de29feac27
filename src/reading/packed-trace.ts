/**
 * A trace as a message: its columns by transfer, what would be many small objects (names, clock brackets) as columns too.
 * Invariant: unpackTrace(packTrace(trace)) is the trace. Packing gives the trace's own buffers away: it is not to be used after.
 */
import type { ClockSnapshot, Trace } from '../trace/schema'
import type { Turns } from './give-way'
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
  const packed = { rest, strings: packStrings(strings), snapshots: rows }
  const tables: readonly object[] = [rest.spans, rest.instants, rest.flows, ...rest.counters]
  // Columns of a file lie in one buffer, which can be given away but once.
  const buffers = new Set<ArrayBuffer>([rows.buffer, packed.strings.ends.buffer])
  for (const table of tables)
    for (const column of Object.values(table) as readonly unknown[])
      if (ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer) buffers.add(column.buffer)
  return { packed, transfer: [...buffers] }
}

export async function unpackTrace({ rest, strings, snapshots }: PackedTrace, turns: Turns): Promise<Trace> {
  const brackets: ClockSnapshot[] = []
  for (let at = 0; at < snapshots.length; at += SNAPSHOT_ROW) {
    brackets.push({
      clock: snapshots[at] ?? 0,
      hostBeforeNs: snapshots[at + 1] ?? 0,
      beginTick: snapshots[at + 2] ?? 0,
      endTick: snapshots[at + 3] ?? 0,
      hostAfterNs: snapshots[at + 4] ?? 0,
    })
    if (at % (256 * SNAPSHOT_ROW) === 0) await turns.next()
  }
  return { ...rest, strings: await unpackStrings(strings, turns), snapshots: brackets }
}
