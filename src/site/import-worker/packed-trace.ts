/**
 * A trace as a message: its columns shared, else copied and moved, since the worker analyses them
 * while the page draws. Names and clock brackets would be many small objects: they are columns too.
 * Invariant: unpackTrace(packTrace(trace)) is the trace.
 */
import { buffersToMove, shareable, sharesMemory } from '../../base/shared-memory'
import type { ClockSnapshot, Column, Trace } from '../../trace/schema'
import { type YieldIfDue, giveWay } from '../../base/give-way'

export interface PackedStrings {
  /** Each holds CHUNK strings, the last one what is left; as bytes: of UTF-8. */
  readonly texts: readonly (string | Uint8Array<ArrayBuffer>)[]
  /** Where each string ends within its text, in UTF-16 code units. */
  readonly ends: Uint32Array<ArrayBuffer>
}

const CHUNK = 4096

/**
 * Many strings as few: a list of 10^6 costs the receiving thread a long stop, a handful of long strings and a column of ends does not.
 * Cut apart again in turns, or one by one as they are asked for. `stringOf` is asked for one after the other, and no more than CHUNK of them are there at once.
 */
function packed<Text>(count: number, stringOf: (index: number) => string, as: (text: string) => Text) {
  const texts: Text[] = []
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
    texts.push(as(own.join('')))
  }
  return { texts, ends }
}

/** @internal As they are, half a surrogate pair too. */
export const packStrings = (strings: readonly string[]): PackedStrings =>
  packed(
    strings.length,
    (index) => strings[index] ?? '',
    (text) => text,
  )

/**
 * Sentences: one sign beyond Latin-1, as ’ is, and a string takes two bytes for each of its characters; UTF-8 takes one. Half a surrogate
 * pair comes back as U+FFFD. `transfer`: the bytes, to be moved.
 */
export function packSentences(
  count: number,
  sentenceOf: (index: number) => string,
): { readonly packed: PackedStrings; readonly transfer: readonly ArrayBuffer[] } {
  const encoder = new TextEncoder()
  const { texts, ends } = packed(count, sentenceOf, (text) => encoder.encode(text))
  return { packed: { texts, ends }, transfer: [ends.buffer, ...texts.map(({ buffer }) => buffer)] }
}

// A byte order mark that a text begins with is part of it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const decoded = (text: string | Uint8Array<ArrayBuffer>): string =>
  typeof text === 'string' ? text : decoder.decode(text)

/** One at a time; the chunk that was read last is kept. */
export function stringReader({ texts, ends }: PackedStrings): (index: number) => string {
  let [read, text] = [-1, '']
  return (index) => {
    const chunk = Math.floor(index / CHUNK)
    if (chunk !== read) [read, text] = [chunk, decoded(texts[chunk] ?? '')]
    return text.slice(index % CHUNK === 0 ? 0 : ends[index - 1], ends[index])
  }
}

/** @internal */
export async function unpackStrings(
  { texts, ends }: PackedStrings,
  yieldIfDue: YieldIfDue,
): Promise<string[]> {
  const strings: string[] = []
  for (const [chunk, packedText] of texts.entries()) {
    const text = decoded(packedText)
    const first = chunk * CHUNK
    const last = Math.min(first + CHUNK, ends.length)
    for (let index = first, begin = 0; index < last; index += 1) {
      const end = ends[index] ?? begin
      strings.push(text.slice(begin, end))
      begin = end
    }
    await yieldIfDue()
  }
  return strings
}

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
