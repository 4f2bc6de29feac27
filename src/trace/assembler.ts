/**
 * A trace put together again from its chunks, in the other thread. Chunks must come in the order
 * sent, each once. What `trace()` gave before does not change when more comes.
 */
import { assert } from '../base/fault'
import { GrowingTable, GrowingCounter } from './columns'
import { NO_DETAILS } from './details'
import {
  COLLECTIVE_TABLE,
  FLOW_TABLE,
  INSTANT_TABLE,
  SPAN_TABLE,
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
  readonly #spans = new GrowingTable(SPAN_TABLE, 1024)
  readonly #instants = new GrowingTable(INSTANT_TABLE, 64)
  readonly #flows = new GrowingTable(FLOW_TABLE, 512)
  readonly #collectives = new GrowingTable(COLLECTIVE_TABLE, 16)
  readonly #counters: GrowingCounter[] = []

  constructor(info: RunInfo) {
    this.#info = info
  }

  /** Derived values and the origin may be known later than the first chunk. */
  setInfo(info: RunInfo): void {
    this.#info = info
  }

  append(chunk: TraceChunk): void {
    const follows = chunk.firstSpan === this.#spans.length && chunk.firstString === this.#strings.length
    assert(follows, 'a chunk is missing, or came twice')
    // New arrays, not pushes: traces handed out before keep theirs.
    if (chunk.clocks.length > 0) this.#clocks = [...this.#clocks, ...chunk.clocks]
    if (chunk.lanes.length > 0) this.#lanes = [...this.#lanes, ...chunk.lanes]
    if (chunk.strings.length > 0) this.#strings = [...this.#strings, ...chunk.strings]
    if (chunk.snapshots.length > 0) this.#snapshots = [...this.#snapshots, ...chunk.snapshots]
    this.#spans.append(chunk.spans)
    this.#instants.append(chunk.instants)
    this.#flows.append(chunk.flows)
    this.#collectives.append(chunk.collectives)
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
      spans: this.#spans.view(),
      instants: this.#instants.view(),
      counters: this.#counters.map((counter) => counter.columns()),
      flows: this.#flows.view(),
      collectives: this.#collectives.view(),
      details: NO_DETAILS,
      rejected: this.#rejected,
    }
  }
}

/** The buffers behind a chunk's columns, each once. */
export function buffersOf(chunk: TraceChunk): ArrayBuffer[] {
  const columns = [chunk.spans, chunk.instants, chunk.flows, chunk.collectives, ...chunk.counters].flatMap(
    (group) => Object.values(group as unknown as Record<string, unknown>),
  )
  return [...new Set(columns.filter((value) => ArrayBuffer.isView(value)).map((value) => value.buffer))]
    .filter((buffer) => buffer instanceof ArrayBuffer)
    .filter((buffer) => buffer.byteLength > 0)
}
