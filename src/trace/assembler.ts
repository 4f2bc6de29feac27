/**
 * A trace put together again from its chunks, in the other thread. Chunks must come in the order
 * sent, each once. What `trace()` gave before does not change when more comes.
 */
import { assert } from '../base/fault'
import { buffersToMove } from '../base/shared-memory'
import { columnsOf, TABLE_NAMES, growingTables, GrowingCounter, viewTables } from './columns'
import {
  TRACE_VERSION,
  type ClockDomain,
  type ClockSnapshot,
  type Lane,
  type RunInfo,
  type Trace,
  type TraceChunk,
} from './schema'

/** `trace()` copies no column: call it after every chunk. */
export class TraceAssembler {
  #info: RunInfo
  #clocks: readonly ClockDomain[] = []
  #lanes: readonly Lane[] = []
  #strings: readonly string[] = []
  #snapshots: readonly ClockSnapshot[] = []
  #rejected: Readonly<Record<string, number>> = {}
  readonly #tables = growingTables()
  readonly #counters: GrowingCounter[] = []

  constructor(info: RunInfo) {
    this.#info = info
  }

  /** Derived values and the origin may be known later than the first chunk. */
  setInfo(info: RunInfo): void {
    this.#info = info
  }

  append(chunk: TraceChunk): void {
    const follows =
      chunk.firstSpan === this.#tables.spans.length && chunk.firstString === this.#strings.length
    assert(follows, 'a chunk is missing, or came twice')
    // New arrays, not pushes: traces handed out before keep theirs.
    if (chunk.clocks.length > 0) this.#clocks = [...this.#clocks, ...chunk.clocks]
    if (chunk.lanes.length > 0) this.#lanes = [...this.#lanes, ...chunk.lanes]
    if (chunk.strings.length > 0) this.#strings = [...this.#strings, ...chunk.strings]
    if (chunk.snapshots.length > 0) this.#snapshots = [...this.#snapshots, ...chunk.snapshots]
    for (const name of TABLE_NAMES) this.#tables[name].append(chunk[name] as never) // of the same spec
    for (const [index, counter] of chunk.counters.entries()) {
      const { name, unit, lane } = counter
      const growing = (this.#counters[index] ??= new GrowingCounter({ name, unit, lane }))
      growing.samples.append(counter)
    }
    const rejected = { ...this.#rejected }
    for (const [reason, count] of Object.entries(chunk.rejected))
      rejected[reason] = (rejected[reason] ?? 0) + count
    this.#rejected = rejected
  }

  trace(): Trace {
    return {
      version: TRACE_VERSION,
      info: this.#info,
      clocks: this.#clocks,
      snapshots: this.#snapshots,
      lanes: this.#lanes,
      strings: this.#strings,
      ...viewTables(this.#tables),
      counters: this.#counters.map((counter) => counter.columns()),
      rejected: this.#rejected,
    }
  }
}

/** The buffers behind a chunk's columns, each once. */
export function buffersOf(chunk: TraceChunk): ArrayBuffer[] {
  const tables = [...TABLE_NAMES.map((name) => chunk[name]), ...chunk.counters]
  return buffersToMove(
    tables.flatMap((table) => Object.values(columnsOf(table)).filter((column) => ArrayBuffer.isView(column))),
  )
}
