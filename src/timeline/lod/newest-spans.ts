/**
 * The newest part of a trace that still grows, so that drawing a long run live costs no more than
 * drawing a short one. A window on the columns, not a copy: it starts at the first span, jumps
 * ahead when it has become twice as long as it should be, and between jumps keeps its start, so
 * that span numbers stay what they were. Flows that reach out of it, and instants and samples far
 * older than it, are left out.
 */
import { collectivesOf } from '../../trace/collectives'
import { detailsOf } from '../../trace/details'
import type { CounterColumns, FlowColumns, InstantColumns, SpanColumns, Trace } from '../../trace/schema'

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
      spans: spansFrom(spans, this.#firstSpan),
      flows: this.#flowsOf(flows),
      collectives: collectivesOf(trace.collectives, (span) => span - this.#firstSpan),
      details: detailsOf(trace.details, (span) => span - this.#firstSpan),
      instants: lastInstants(trace.instants, most),
      counters: trace.counters.map((counter) => lastSamples(counter, most)),
    }
  }

  #isInside({ from, to }: FlowColumns, flow: number): boolean {
    return (from[flow] ?? -1) >= this.#firstSpan && (to[flow] ?? -1) >= this.#firstSpan
  }

  #flowsOf(flows: FlowColumns): FlowColumns {
    const most = flows.length - this.#firstFlow
    const from = new Uint32Array(most)
    const to = new Uint32Array(most)
    const kind = new Uint8Array(most)
    let length = 0
    for (let flow = this.#firstFlow; flow < flows.length; flow += 1) {
      if (!this.#isInside(flows, flow)) continue
      from[length] = (flows.from[flow] ?? 0) - this.#firstSpan
      to[length] = (flows.to[flow] ?? 0) - this.#firstSpan
      kind[length] = flows.kind[flow] ?? 0
      length += 1
    }
    return {
      length,
      from: from.subarray(0, length),
      to: to.subarray(0, length),
      kind: kind.subarray(0, length),
    }
  }
}

const spansFrom = (spans: SpanColumns, first: number): SpanColumns => ({
  length: spans.length - first,
  lane: spans.lane.subarray(first, spans.length),
  kind: spans.kind.subarray(first, spans.length),
  role: spans.role.subarray(first, spans.length),
  source: spans.source.subarray(first, spans.length),
  start: spans.start.subarray(first, spans.length),
  end: spans.end.subarray(first, spans.length),
  name: spans.name.subarray(first, spans.length),
  submission: spans.submission.subarray(first, spans.length),
  variant: spans.variant.subarray(first, spans.length),
  repeat: spans.repeat.subarray(first, spans.length),
  step: spans.step.subarray(first, spans.length),
  line: spans.line.subarray(first, spans.length),
  bytes: spans.bytes.subarray(first, spans.length),
  flops: spans.flops.subarray(first, spans.length),
})

function lastInstants(
  { length, lane, time, name, submission }: InstantColumns,
  most: number,
): InstantColumns {
  const first = Math.max(0, length - most)
  return {
    length: length - first,
    lane: lane.subarray(first, length),
    time: time.subarray(first, length),
    name: name.subarray(first, length),
    submission: submission.subarray(first, length),
  }
}

function lastSamples(counter: CounterColumns, most: number): CounterColumns {
  const { length, timeNs, value } = counter
  const first = Math.max(0, length - most)
  return {
    ...counter,
    length: length - first,
    timeNs: timeNs.subarray(first, length),
    value: value.subarray(first, length),
  }
}
