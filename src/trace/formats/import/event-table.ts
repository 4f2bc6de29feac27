/**
 * Events where their spans will be: an event's values are in columns of the spans' table until the
 * last pass writes the spans into the same rows. So there is no table of events beside that of the
 * spans, and none is copied.
 * Passes over rows are `forEach` of a column, not loops: V8 compiles the callback once, but a long
 * loop while it runs, and drops that code when the loop ends.
 */
import { GrowingTable } from '../../columns'
import { SPAN_TABLE, type SpanColumns } from '../../schema'

/** The column of the spans that each of the events' has the place of. */
const PLACE = {
  phase: 'kind',
  /** What it is (classes.ts), once that is known. */
  group: 'role',
  /** What becomes of it: 0 or one of the two below. */
  drawn: 'source',
  thread: 'lane',
  /** Text numbers; 0: none. */
  name: 'name',
  category: 'variant',
  /** The id of an arrow's end or a half; of others the correlation. */
  key: 'submission',
  /** Whole µs as in the file, NaN: none; ns from the base once that is known (time-base.ts). */
  time: 'start',
  durationNs: 'end',
  /** ns beside the whole µs; then bytes that a copy or a collective moves. */
  restNs: 'bytes',
  bytes: 'bytes',
  /** Where its arguments are (kept-arguments.ts); 0: it has none. */
  args: 'line',
  /** 1: it has no place on the axis; then the step. */
  step: 'step',
  /** Its number among the file's events, and its first byte. */
  index: 'repeat',
  byte: 'flops',
} as const satisfies Readonly<Record<string, keyof typeof SPAN_TABLE>>

type EventColumns = { readonly [Name in keyof typeof PLACE]: SpanColumns[(typeof PLACE)[Name]] }

export const DRAWN = 1
/** Without an end in the file. */
export const DRAWN_OPEN = 2

/** Few, so that the table grows before V8 compiles what writes it: see json-cursor.ts. */
const FIRST_ROWS = 64

export class EventTable {
  readonly spans = new GrowingTable(SPAN_TABLE, FIRST_ROWS)
  columns = this.#view()

  get length(): number {
    return this.spans.length
  }

  /** `expected`: how many there may be in the end. */
  addRow(expected?: number): number {
    const row = this.spans.addRow(expected)
    this.#renew()
    return row
  }

  /** A row like another, at the end. */
  copyRow(from: number): number {
    const row = this.spans.copyRow(from)
    this.#renew()
    return row
  }

  /** Rows with a value that few have: the search is native. */
  *rowsWith(name: 'phase' | 'group', value: number): Generator<number, void> {
    const column = this.columns[name].subarray(0, this.length)
    for (let row = column.indexOf(value); row >= 0; row = column.indexOf(value, row + 1)) yield row
  }

  /** ns from the base; NaN where it has no time, or none on the axis. */
  nsOf(row: number): number {
    return this.columns.time[row] ?? Number.NaN
  }

  endNsOf(row: number): number {
    return this.nsOf(row) + (this.columns.durationNs[row] ?? 0)
  }

  /** Columns are others once the table has grown. */
  #renew(): void {
    if (this.spans.columns.start !== this.columns.time) this.columns = this.#view()
  }

  #view(): EventColumns {
    const { columns } = this.spans
    // One for each name of PLACE, which the type system cannot follow.
    return Object.fromEntries(
      Object.entries(PLACE).map(([name, place]) => [name, columns[place]]),
    ) as unknown as EventColumns
  }
}
