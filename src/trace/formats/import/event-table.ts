/**
 * Events where their spans will be: an event's values are in columns of the spans' table until the
 * last pass writes the spans into the same rows. So there is no table of events beside that of the
 * spans, and none is copied.
 */
import { GrowingTable } from '../../columns'
import { SPAN_TABLE } from '../../schema'

export interface EventColumns {
  readonly phase: Uint8Array
  /** What it is (classes.ts), once that is known. */
  readonly group: Uint8Array
  /** What becomes of it: 0 or one of the two below. */
  readonly drawn: Uint8Array
  readonly thread: Uint16Array
  /** Text numbers; 0: none. */
  readonly name: Uint32Array
  readonly category: Int32Array
  /** The id of an arrow's end or a half; of others the correlation. */
  readonly key: Int32Array
  /** Whole µs as in the file, NaN: none; ns from the base once that is known (time-base.ts). */
  readonly time: Float64Array
  readonly durationNs: Float64Array
  /** ns beside the whole µs; then bytes that a copy or a collective moves. */
  readonly restNs: Float64Array
  readonly bytes: Float64Array
  /** Where its arguments are (kept-arguments.ts); 0: it has none. */
  readonly args: Int32Array
  /** 1: it has no place on the axis; then the step. */
  readonly step: Int32Array
  /** Its number among the file's events, and its first byte. */
  readonly index: Int32Array
  readonly byte: Float64Array
}

export const DRAWN = 1
/** Without an end in the file. */
export const DRAWN_OPEN = 2

/** Ends of arrows, halves and instants with an id. */
const WITH_ID = new Set(Array.from('stfben', (letter) => letter.charCodeAt(0)))
export const hasId = (phase: number): boolean => WITH_ID.has(phase)

const FIRST_ROWS = 4096

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
    const {
      kind,
      role,
      source,
      lane,
      name,
      variant,
      submission,
      start,
      end,
      bytes,
      line,
      step,
      repeat,
      flops,
    } = this.spans.columns
    return {
      phase: kind,
      group: role,
      drawn: source,
      thread: lane,
      name,
      category: variant,
      key: submission,
      time: start,
      durationNs: end,
      restNs: bytes,
      bytes,
      args: line,
      step,
      index: repeat,
      byte: flops,
    }
  }
}
