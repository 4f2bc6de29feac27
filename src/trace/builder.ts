/**
 * Writes a trace while a run goes on; `assembler.ts` puts its chunks together again in the other
 * thread. Append-only: indices given out never change. Times are in the lane's own clock; nothing
 * here converts (schema.ts).
 */
import { assert } from '../base/fault'
import { madeOnce } from '../base/lists'
import type { Collective } from './collectives'
import {
  columnsOf,
  eachTable,
  growingTables,
  GrowingCounter,
  type GrowingTables,
  type NewCounter,
  viewTables,
} from './columns'
import {
  FLOW_KINDS,
  REPEAT_NONE,
  SPAN_KINDS,
  SPAN_ROLES,
  SPAN_SOURCES,
  TABLES,
  TRACE_VERSION,
  type ClockDomain,
  type Column,
  type ClockSnapshot,
  type FlowKind,
  type Lane,
  type RunInfo,
  type SpanKind,
  type SpanRole,
  type SpanSource,
  type TableName,
  type Trace,
  type TraceChunk,
  type TraceTables,
} from './schema'

export { TraceAssembler } from './assembler'

export interface NewSpan {
  readonly lane: number
  readonly kind: SpanKind
  readonly role?: SpanRole | undefined
  readonly source?: SpanSource
  /** In the lane's clock: host ns, or device ticks. Finite, end not before start. */
  readonly start: number
  readonly end: number
  readonly name: string
  readonly submission?: number | undefined
  readonly variant?: string | undefined
  readonly repeat?: number | undefined
  readonly step?: number | undefined
  /** Line of the variant's program, from 1. */
  readonly line?: number | undefined
  readonly bytes?: number | undefined
  readonly flops?: number | undefined
}

/** Facts of a span of kind 'collective'; those left out are not known. */
export type NewCollective = Pick<Collective, 'span' | 'operation'> &
  Partial<Omit<Collective, 'row' | 'span' | 'operation'>>

/** Texts as in schema.ts, `DetailColumns`; '' where the file does not say. */
export interface NewDetail {
  readonly span: number
  readonly shape: string
  readonly form: string
  readonly values: string
}

export interface NewInstant {
  readonly lane: number
  readonly time: number
  readonly name: string
  readonly submission?: number | undefined
}

/** Name -> number, filled once: a run adds spans by the thousand and names by the dozen. */
const indexOf = <Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> =>
  Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>
export const KIND_INDEX = indexOf(SPAN_KINDS)
export const ROLE_INDEX = indexOf(SPAN_ROLES)
export const SOURCE_INDEX = indexOf(SPAN_SOURCES)

/** The lane column holds 16 bits. */
const MAX_LANES = 0xffff

export class TraceBuilder {
  info: RunInfo
  readonly #clocks: ClockDomain[]
  readonly #lanes: Lane[] = []
  readonly #strings: string[] = []
  readonly #stringIndex = new Map<string, number>()
  readonly #tables: GrowingTables
  readonly #spans: GrowingTables['spans']
  readonly #counters: GrowingCounter[] = []
  readonly #snapshots: ClockSnapshot[] = []
  readonly #rejected = new Map<string, number>()
  /** How much of each was in the chunks taken so far. */
  readonly #sent = new Map<object, number>()
  #sentCounters = 0
  #unsentRejects = new Map<string, number>()

  /** Clock 0 is the host's. An import gives the tables that it has read into. */
  constructor(
    info: RunInfo,
    host: { readonly originMs: number; readonly stepNs: number },
    tables: Partial<GrowingTables> = {},
  ) {
    this.info = info
    this.#tables = { ...growingTables(), ...tables }
    this.#spans = this.#tables.spans
    this.#clocks = [
      {
        kind: 'host',
        name: 'performance.now()',
        originMs: host.originMs,
        originTick: '0',
        stepNs: host.stepNs,
      },
    ]
  }

  get spanCount(): number {
    return this.#spans.length
  }

  laneOf(span: number): number {
    return this.#spans.columns.lane[span] ?? -1
  }

  addClock(domain: ClockDomain): number {
    return this.#clocks.push(domain) - 1
  }

  addLane(lane: Omit<Lane, 'id'>): number {
    assert(
      lane.clock in this.#clocks,
      `lane '${lane.name}' names clock ${String(lane.clock)}, which does not exist`,
    )
    assert(this.#lanes.length < MAX_LANES, 'too many lanes')
    const id = this.#lanes.length
    this.#lanes.push({ id, ...lane })
    return id
  }

  addCounter(counter: NewCounter): number {
    this.#assertLane(counter.lane)
    return this.#counters.push(new GrowingCounter(counter)) - 1
  }

  /** @returns the span's index, for flows. */
  addSpan(span: NewSpan): number {
    const row = this.#spans.length
    this.setSpan(row, span)
    return row
  }

  /** Writes a row that there is, or the next. */
  setSpan(row: number, span: NewSpan): void {
    const { start, end } = span
    this.#assertLane(span.lane)
    if (!(end >= start && end - start < Infinity))
      throw new Error(`span '${span.name}' has impossible edges: ${String(start)} to ${String(end)}`)
    if (row === this.#spans.length) this.#spans.addRow()
    const { columns } = this.#spans
    columns.lane[row] = span.lane
    columns.kind[row] = KIND_INDEX[span.kind]
    columns.role[row] = span.role === undefined ? 0 : ROLE_INDEX[span.role]
    columns.source[row] = span.source === undefined ? 0 : SOURCE_INDEX[span.source]
    columns.start[row] = start
    columns.end[row] = end
    columns.name[row] = this.string(span.name)
    columns.submission[row] = span.submission ?? -1
    columns.variant[row] = span.variant === undefined ? -1 : this.string(span.variant)
    columns.repeat[row] = span.repeat ?? REPEAT_NONE
    columns.step[row] = span.step ?? -1
    columns.line[row] = span.line ?? -1
    columns.bytes[row] = span.bytes ?? Number.NaN
    columns.flops[row] = span.flops ?? Number.NaN
  }

  /**
   * Of spans that were renumbered, and are fewer now.
   * @param numberOf by the number before; arrows and collectives have spans that are kept
   */
  renumberSpans(length: number, numberOf: Uint32Array): void {
    this.#spans.cut(length)
    const { flows, collectives } = this.#tables
    for (const column of [flows.columns.from, flows.columns.to, collectives.columns.span])
      column.forEach((span, row) => {
        column[row] = numberOf[span] ?? 0
      })
  }

  addInstant(instant: NewInstant): number {
    this.#assertLane(instant.lane)
    assert(Number.isFinite(instant.time), `instant '${instant.name}' has no time`)
    return this.#addRow('instants', instant)
  }

  /** Texts are given their numbers; what is left out is not known. */
  #addRow(name: TableName, values: NewInstant | NewCollective | NewDetail): number {
    const table = this.#tables[name]
    const row = table.addRow()
    const columns = columnsOf(table.columns)
    for (const [column, type] of Object.entries(TABLES[name])) {
      const value = (values as Readonly<Record<string, string | number | undefined>>)[column]
      const isUnknown = value === undefined || (value === '' && type === 'i32')
      const number = typeof value === 'string' && !isUnknown ? this.string(value) : value
      ;(columns[column] as Column)[row] = isUnknown ? (type === 'f64' ? Number.NaN : -1) : Number(number)
    }
    return row
  }

  addCounterSample(counter: number, timeNs: number, value: number): void {
    const { samples } = this.#counters[counter] ?? noCounter(counter)
    assert(Number.isFinite(timeNs) && Number.isFinite(value), 'a counter sample needs a time and a value')
    const row = samples.addRow()
    samples.columns.timeNs[row] = timeNs
    samples.columns.value[row] = value
  }

  /** Both spans must have been added. */
  addFlow(from: number, to: number, kind: FlowKind): void {
    assert(
      from >= 0 && from < this.#spans.length && to >= 0 && to < this.#spans.length,
      'a flow ties two spans',
    )
    const { flows } = this.#tables
    const row = flows.addRow()
    const { columns } = flows
    columns.from[row] = from
    columns.to[row] = to
    columns.kind[row] = FLOW_KINDS.indexOf(kind)
  }

  /** Its span must have been added. */
  addCollective(collective: NewCollective): void {
    assert(collective.span >= 0 && collective.span < this.#spans.length, 'a collective has a span')
    this.#addRow('collectives', collective)
  }

  /** Its span must have been added. */
  addDetail(detail: NewDetail): void {
    assert(detail.span >= 0 && detail.span < this.#spans.length, 'a detail has a span')
    this.#addRow('details', detail)
  }

  addSnapshot(snapshot: ClockSnapshot): void {
    assert(this.#clocks[snapshot.clock]?.kind === 'device', 'a snapshot belongs to a device clock')
    this.#snapshots.push(snapshot)
  }

  /** Counts what the sanity gate refused, by reason. */
  reject(reason: string, count = 1): void {
    this.#rejected.set(reason, (this.#rejected.get(reason) ?? 0) + count)
    this.#unsentRejects.set(reason, (this.#unsentRejects.get(reason) ?? 0) + count)
  }

  /**
   * Everything since the last call, in arrays of its own (transferable); null when there is
   * nothing. Every counter is in every chunk, in order, mostly without samples: so an index means
   * the same on both sides. `rejected` counts since the last chunk.
   */
  takeChunk(): TraceChunk | null {
    let isNew = this.#counters.length > this.#sentCounters || this.#unsentRejects.size > 0
    const first = (table: { readonly length: number }): number => {
      const sent = this.#sent.get(table) ?? 0
      isNew ||= table.length > sent
      this.#sent.set(table, table.length)
      return sent
    }
    const counters = this.#counters.map((counter) =>
      counter.columns(counter.samples.copy(first(counter.samples))),
    )
    const firstSpan = this.#sent.get(this.#spans) ?? 0
    const firstString = first(this.#strings)
    const chunk: TraceChunk = {
      firstSpan,
      firstString,
      clocks: this.#clocks.slice(first(this.#clocks)),
      lanes: this.#lanes.slice(first(this.#lanes)),
      strings: this.#strings.slice(firstString),
      ...eachTable<TraceTables>((name) => this.#tables[name].copy(first(this.#tables[name]))),
      snapshots: this.#snapshots.slice(first(this.#snapshots)),
      counters,
      rejected: Object.fromEntries(this.#unsentRejects),
    }
    if (!isNew) return null
    this.#sentCounters = this.#counters.length
    this.#unsentRejects = new Map()
    return chunk
  }

  /** The trace so far, without a copy. Recording may go on; the frozen trace does not change. */
  freeze(): Trace {
    return {
      version: TRACE_VERSION,
      info: this.info,
      clocks: [...this.#clocks],
      snapshots: [...this.#snapshots],
      lanes: [...this.#lanes],
      strings: [...this.#strings],
      ...viewTables(this.#tables),
      counters: this.#counters.map((counter) => counter.columns()),
      rejected: Object.fromEntries(this.#rejected),
    }
  }

  /** The text's index in `strings`. */
  string(text: string): number {
    return madeOnce(this.#stringIndex, text, () => this.#strings.push(text) - 1)
  }

  #assertLane(lane: number): void {
    if (!(lane >= 0 && lane < this.#lanes.length)) throw new Error(`lane ${String(lane)} does not exist`)
  }
}

const noCounter = (counter: number): never => {
  throw new Error(`counter ${String(counter)} does not exist`)
}
