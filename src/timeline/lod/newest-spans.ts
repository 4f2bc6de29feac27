/**
 * The newest part of a trace that still grows, so that drawing a long run live costs no more than
 * drawing a short one. A window on the columns, not a copy: it starts at the first span, jumps
 * ahead when it has become twice as long as it should be, and between jumps keeps its start, so
 * that span numbers stay what they were. Flows that reach out of it, and instants and samples far
 * older than it, are left out.
 */
import { collectivesOf } from '../../trace/collectives'
import { COUNTER_TABLE, rowsBetween, rowsThat, takeRows } from '../../trace/columns'
import { detailsOf } from '../../trace/details'
import { FLOW_TABLE, INSTANT_TABLE, SPAN_TABLE, type FlowColumns, type Trace } from '../../trace/schema'

/**
 * Spans kept when the window jumps; it holds up to twice as many. 2^16 spans are placed, searched
 * for gaps and packed in rows in about 60 ms on one core of a small machine, which leaves the page
 * awake. A lesson's run has 10^4.
 */
export const NEWEST_SPANS = 32_768

export class NewestSpans {
  readonly #keep: number
  #firstSpan = 0
  #firstFlow = 0

  constructor(keep = NEWEST_SPANS) {
    this.#keep = keep
  }

  /** Spans of the trace before the window's first. */
  get omitted(): number {
    return this.#firstSpan
  }

  /**
   * A trace of its own, whose span 0 is span `omitted` of the whole; the trace itself while that is
   * short.
   */
  of(trace: Trace): Trace {
    const { spans, flows } = trace
    if (spans.length - this.#firstSpan > 2 * this.#keep) {
      this.#firstSpan = spans.length - this.#keep
      while (this.#firstFlow < flows.length && !this.#isInside(flows, this.#firstFlow)) this.#firstFlow += 1
    }
    if (this.#firstSpan === 0) return trace
    const most = 2 * this.#keep
    return {
      ...trace,
      spans: rowsBetween(SPAN_TABLE, spans, this.#firstSpan),
      flows: this.#flowsOf(flows),
      collectives: collectivesOf(trace.collectives, (span) => span - this.#firstSpan),
      details: detailsOf(trace.details, (span) => span - this.#firstSpan),
      instants: rowsBetween(INSTANT_TABLE, trace.instants, Math.max(0, trace.instants.length - most)),
      counters: trace.counters.map((counter) => ({
        ...counter,
        ...rowsBetween(COUNTER_TABLE, counter, Math.max(0, counter.length - most)),
      })),
    }
  }

  #isInside({ from, to }: FlowColumns, flow: number): boolean {
    return (from[flow] ?? -1) >= this.#firstSpan && (to[flow] ?? -1) >= this.#firstSpan
  }

  #flowsOf(flows: FlowColumns): FlowColumns {
    const rows = rowsThat(flows.length, (flow) => this.#isInside(flows, flow), this.#firstFlow)
    const span = (whole: number) => whole - this.#firstSpan
    return takeRows(FLOW_TABLE, flows, rows, { from: span, to: span })
  }
}
