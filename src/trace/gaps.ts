/**
 * Stretches in which a device did nothing: columns, and the rows that look into them. Of a file of
 * 10^6 spans there may be 3·10^5, and each as an object of its own, with its evidence in words,
 * takes as much as five spans. How they are found is analysis/gaps.ts's to say.
 */
import { GrowingTable } from './columns'
import type { SpanColumns, TableOf, TableSpec } from './schema'

/**
 * Why the device was idle, in the order in which tables show it. Links hold their numbers: append,
 * never reorder. Of a run of the lab's own it is what its recorder saw of the host; of a profile
 * from elsewhere that is taken further, to what it comes from in a program.
 */
export const GAP_CAUSES = [
  'host-waited', // the host was awaiting a result before it submitted what came next (a sync stall)
  'host-late', // the host was at work (encoding, filling, JavaScript) and had submitted nothing
  'upload-not-ready', // the next submission waited for its bytes: a staging buffer was mapped or filled, or an upload was still on its way
  'launch-overhead', // the next pass had been submitted before the gap began: scheduling between queued submissions
  'unknown', // the evidence does not decide (bounds too wide, or nothing recorded)
  'rank-waited', // the host was in send() or recv(), or another collective, before it submitted what came next: it waited for another rank
  // Causes in profiles.
  'not-recorded', // launches stand there whose work is not in the file: neither busy nor idle is known
  // Causes that a program would have to change: those of analysis/replay/causes.ts that leave gaps.
  'read-back', // the host waited for a value that it read
  'synchronize', // the host waited for the device and read nothing
  'data-loading', // the host was loading data and had launched nothing
  'host-code', // the host ran the program's own code and had launched nothing
  'dispatch', // the host was dispatching operators more slowly than the device ran them
  'allocation', // the host was allocating or freeing memory of the device
  'pageable-copies', // a copy from or to pageable memory held up the host
  'copies-in-line', // a copy stood between kernels, or was prepared too late
  'host-callback', // a host callback ran inside a graph
  'late-rank', // the host was in send() or recv(), or a collective of its own, and had queued nothing behind it
  'profiler', // the profiler itself was at work
  'first-step', // the first step recorded: libraries load, the profiler begins
  'between-kernels', // the device's own pause from one queued kernel to the next
  // Causes in recorded pages.
  'between-frames', // the page was waiting for its next frame, and had submitted nothing
] as const
export type GapCause = (typeof GAP_CAUSES)[number]

export interface Gap {
  /** Lane of the device: that of the work that ended the gap; behind the last work, of that. */
  readonly lane: number
  /** On the host's axis; NaN where the device's clock could not be tied to it. */
  readonly startNs: number
  readonly endNs: number
  /** On the device's own axis, ticks of 1 ns. */
  readonly deviceStartNs: number
  /** Length in device ticks: exact to the quantum, no clock fit needed. */
  readonly durationNs: number
  readonly cause: GapCause
  /**
   * One sentence with the figures, put together when it is read: 'host awaited mapAsync of
   * submission 12 for 3.1 of these 3.2 ms'.
   */
  readonly evidence: string
  /**
   * Spans (trace indices) that are the evidence; the work before and after: −1 where the device has
   * no record before it, or after it.
   */
  readonly spans: readonly number[]
  readonly before: number
  readonly after: number
  readonly variant: number
  readonly repeat: number
}

const GAP_TABLE = {
  before: 'i32',
  after: 'i32',
  startNs: 'f64',
  endNs: 'f64',
  deviceStartNs: 'f64',
  durationNs: 'f64',
  /** Index into GAP_CAUSES. */
  cause: 'u8',
  /** End of each gap's spans in `spans`; they begin where those of the one before end. */
  spansEnd: 'u32',
} as const satisfies TableSpec

export interface GapColumns extends TableOf<typeof GAP_TABLE> {
  readonly spans: Int32Array
}

/** The rest of a gap follows from the span after it. */
export type FoundGap = Omit<Gap, 'lane' | 'variant' | 'repeat' | 'evidence'>

export class GapTable {
  readonly #table = new GrowingTable(GAP_TABLE)
  readonly #spans: number[] = []

  add(gap: FoundGap): void {
    const row = this.#table.addRow()
    const { columns } = this.#table
    columns.before[row] = gap.before
    columns.after[row] = gap.after
    columns.startNs[row] = gap.startNs
    columns.endNs[row] = gap.endNs
    columns.deviceStartNs[row] = gap.deviceStartNs
    columns.durationNs[row] = gap.durationNs
    columns.cause[row] = GAP_CAUSES.indexOf(gap.cause)
    for (const span of gap.spans) this.#spans.push(span)
    columns.spansEnd[row] = this.#spans.length
  }

  columns(): GapColumns {
    return { ...this.#table.copy(), spans: Int32Array.from(this.#spans) }
  }
}

export function gapColumns(gaps: readonly FoundGap[]): GapColumns {
  const table = new GapTable()
  for (const gap of gaps) table.add(gap)
  return table.columns()
}

/** @param spans of the trace @param evidenceOf of a row, each time it is read */
export function gapReader(
  columns: GapColumns,
  spans: SpanColumns,
  evidenceOf: (row: number) => string,
): (row: number) => Gap {
  const table = { columns, spans, evidenceOf }
  return (row) => new GapRow(table, row)
}

export function gapsOfColumns(...from: Parameters<typeof gapReader>): readonly Gap[] {
  const gapAt = gapReader(...from)
  return Array.from({ length: from[0].length }, (_, row) => gapAt(row))
}

interface Table {
  readonly columns: GapColumns
  readonly spans: SpanColumns
  readonly evidenceOf: (row: number) => string
}

/** Accessors of the class: one made for each object costs more than all else of it. */
class GapRow implements Gap {
  readonly #table: Table
  readonly #row: number
  constructor(table: Table, row: number) {
    this.#table = table
    this.#row = row
  }
  get lane(): number {
    const { lane } = this.#table.spans
    return lane[this.after] ?? lane[this.before] ?? -1
  }
  get startNs(): number {
    return this.#table.columns.startNs[this.#row] ?? Number.NaN
  }
  get endNs(): number {
    return this.#table.columns.endNs[this.#row] ?? Number.NaN
  }
  get deviceStartNs(): number {
    return this.#table.columns.deviceStartNs[this.#row] ?? Number.NaN
  }
  get durationNs(): number {
    return this.#table.columns.durationNs[this.#row] ?? Number.NaN
  }
  get cause(): GapCause {
    return GAP_CAUSES[this.#table.columns.cause[this.#row] ?? -1] ?? 'unknown'
  }
  get evidence(): string {
    return this.#table.evidenceOf(this.#row)
  }
  get spans(): readonly number[] {
    const { spans, spansEnd } = this.#table.columns
    return Array.from(spans.subarray(spansEnd[this.#row - 1] ?? 0, spansEnd[this.#row]))
  }
  get before(): number {
    return this.#table.columns.before[this.#row] ?? -1
  }
  get after(): number {
    return this.#table.columns.after[this.#row] ?? -1
  }
  get variant(): number {
    return this.#table.spans.variant[this.after] ?? -1
  }
  get repeat(): number {
    return this.#table.spans.repeat[this.after] ?? -1
  }
}
