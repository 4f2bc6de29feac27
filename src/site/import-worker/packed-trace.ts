/**
 * A trace as a message: its columns shared, else copied and moved, since the worker analyses them
 * while the page draws. Names and clock brackets would be many small objects: they are columns too.
 * Invariant: unpackTrace(packTrace(trace)) is the trace.
 */
import { buffersToMove, shareable, sharesMemory } from '../../base/shared-memory'
import { columnsOf, eachTable, rowsOf, SNAPSHOT_TABLE, tableOf } from '../../trace/columns'
import type { ClockSnapshot, Column, TableName, TableOf, Trace, TraceTables } from '../../trace/schema'
import { type YieldIfDue, giveWay } from '../../base/give-way'

export interface PackedStrings {
  /** UTF-8: each holds CHUNK strings, the last one what is left. */
  readonly texts: readonly Uint8Array<ArrayBuffer>[]
  /** Where each string ends within its text, in UTF-16 code units. */
  readonly ends: Uint32Array<ArrayBuffer>
}

const CHUNK = 4096

/**
 * Many strings as few texts: a list of 10^6 costs the receiving thread a long stop, a handful of
 * texts and a column of ends do not. They are cut apart again in turns, or one by one as they are
 * asked for. Half a surrogate pair comes back as U+FFFD. `stringOf` is asked for one after the
 * other, and no more than CHUNK of them are there at once.
 */
export function packStrings(count: number, stringOf: (index: number) => string): PackedStrings {
  const encoder = new TextEncoder()
  const texts: Uint8Array<ArrayBuffer>[] = []
  const ends = new Uint32Array(count)
  for (let first = 0; first < count; first += CHUNK) {
    giveWay()
    const own: string[] = []
    let end = 0
    for (let index = first; index < Math.min(count, first + CHUNK); index += 1) {
      const text = stringOf(index)
      own.push(text)
      end += text.length
      ends[index] = end
    }
    texts.push(encoder.encode(own.join('')))
  }
  return { texts, ends }
}

export const columnsOfStrings = ({ texts, ends }: PackedStrings) => [ends, ...texts]

// A byte order mark that a text begins with is part of it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** One at a time; the chunk that was read last is kept. */
export function stringReader({ texts, ends }: PackedStrings): (index: number) => string {
  let [read, text] = [-1, '']
  return (index) => {
    const chunk = Math.floor(index / CHUNK)
    if (chunk !== read) [read, text] = [chunk, decoder.decode(texts[chunk])]
    return text.slice(index % CHUNK === 0 ? 0 : ends[index - 1], ends[index])
  }
}

/** @internal */
export async function unpackStrings(packed: PackedStrings, yieldIfDue: YieldIfDue): Promise<string[]> {
  const stringAt = stringReader(packed)
  const strings: string[] = []
  for (let index = 0; index < packed.ends.length; index += 1) {
    strings.push(stringAt(index))
    if (index % CHUNK === 0) await yieldIfDue()
  }
  return strings
}

export interface PackedTrace {
  readonly rest: Omit<Trace, 'strings' | 'snapshots'>
  readonly strings: PackedStrings
  readonly snapshots: TableOf<typeof SNAPSHOT_TABLE>
}

type Tables = Pick<Trace, TableName | 'counters'>

/**
 * Each table with other columns. Columns of a file lie in one buffer, with all else that it holds.
 */
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
    ...eachTable<TraceTables>((name) => changed(trace[name])),
    counters: trace.counters.map(changed),
  }
}

/** The same trace in memory that the page can share, where it can share any. */
export const sharedTrace = (trace: Trace): Trace => (sharesMemory() ? changeColumns(trace, shareable) : trace)

export function packTrace({ strings, snapshots, ...tables }: Trace): {
  readonly packed: PackedTrace
  readonly transfer: readonly ArrayBuffer[]
} {
  const rows = tableOf(SNAPSHOT_TABLE, snapshots)
  const texts = packStrings(strings.length, (index) => strings[index] ?? '')
  const columns: Column[] = [
    ...Object.keys(SNAPSHOT_TABLE).flatMap((name) => columnsOf(rows)[name] ?? []),
    ...columnsOfStrings(texts),
  ]
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
  for (const bracket of rowsOf(SNAPSHOT_TABLE, snapshots))
    if (brackets.push(bracket) % 256 === 0) await yieldIfDue()
  return { ...rest, strings: await unpackStrings(strings, yieldIfDue), snapshots: brackets }
}
