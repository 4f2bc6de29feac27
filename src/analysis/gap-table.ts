/**
 * Gaps as columns, and the objects that look into them: of a file of 10^6 spans there may be 3·10^5, and each as an object of its own,
 * with what its evidence was put together from, takes as much as five spans. Their evidence is found again when it is read.
 */
import type { Trace } from '../trace/schema'
import type { GapEvidence } from './gap-evidence'
import type { Gap, GapCause, Interval } from './types'

/** Where and when a gap is. */
export interface FoundGap {
  readonly before: number
  readonly after: number
  /** On the host's axis; NaN where the device's clock could not be tied to it. */
  readonly onHost: Interval
  /** On the device's own axis, ticks of 1 ns. */
  readonly onDevice: Interval
}

export class GapTable {
  readonly trace: Trace
  readonly #evidence: GapEvidence
  readonly #before: number[] = []
  readonly #after: number[] = []
  /** On the host's axis; where it has no place there, on the device's own. */
  readonly #start: number[] = []
  readonly #hostEnd: number[] = []
  readonly #length: number[] = []
  readonly #cause: GapCause[] = []
  /** Where the spans of each end in `#spans`; they begin where those of the one before end. */
  readonly #spansEnd: number[] = []
  readonly #spans: number[] = []

  constructor(trace: Trace, evidence: GapEvidence) {
    this.trace = trace
    this.#evidence = evidence
  }

  /** Asks for its cause. Gives its row. */
  add({ before, after, onHost, onDevice }: FoundGap): number {
    const { cause, spans } = this.#evidence.find(before, after, onHost)
    this.#before.push(before)
    this.#after.push(after)
    this.#start.push(Number.isNaN(onHost.end) ? onDevice.start : onHost.start)
    this.#hostEnd.push(onHost.end)
    this.#length.push(onDevice.end - onDevice.start)
    this.#cause.push(cause)
    for (const span of spans) this.#spans.push(span)
    return this.#spansEnd.push(this.#spans.length) - 1
  }

  before(row: number): number {
    return this.#before[row] ?? -1
  }
  after(row: number): number {
    return this.#after[row] ?? -1
  }
  hostStart(row: number): number {
    return Number.isNaN(this.hostEnd(row)) ? Number.NaN : this.start(row)
  }
  hostEnd(row: number): number {
    return this.#hostEnd[row] ?? Number.NaN
  }
  /** On the host's axis; where it has no place there, on the device's own. */
  start(row: number): number {
    return this.#start[row] ?? Number.NaN
  }
  /** Device ns: exact to the quantum. */
  length(row: number): number {
    return this.#length[row] ?? Number.NaN
  }
  cause(row: number): GapCause {
    return this.#cause[row] ?? 'unknown'
  }
  spans(row: number): readonly number[] {
    return this.#spans.slice(this.#spansEnd[row - 1] ?? 0, this.#spansEnd[row])
  }
  evidence(row: number): string {
    const onHost = { start: this.hostStart(row), end: this.hostEnd(row) }
    return this.#evidence.find(this.before(row), this.after(row), onHost).say()
  }
}

/** A row as a gap of a repeat. Accessors of the class: one made for each object costs more than all else of it. */
export class TableGap implements Gap {
  readonly #table: GapTable
  readonly #row: number
  constructor(table: GapTable, row: number) {
    this.#table = table
    this.#row = row
  }
  get lane(): number {
    return this.#table.trace.spans.lane[this.after] ?? -1
  }
  get startNs(): number {
    return this.#table.hostStart(this.#row)
  }
  get endNs(): number {
    return this.#table.hostEnd(this.#row)
  }
  get durationNs(): number {
    return this.#table.length(this.#row)
  }
  get cause(): GapCause {
    return this.#table.cause(this.#row)
  }
  get evidence(): string {
    return this.#table.evidence(this.#row)
  }
  get spans(): readonly number[] {
    return this.#table.spans(this.#row)
  }
  get before(): number {
    return this.#table.before(this.#row)
  }
  get after(): number {
    return this.#table.after(this.#row)
  }
  get variant(): number {
    return this.#table.trace.spans.variant[this.after] ?? -1
  }
  get repeat(): number {
    return this.#table.trace.spans.repeat[this.after] ?? -1
  }
}
