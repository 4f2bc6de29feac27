/**
 * What belongs together: spans of one submission, and the flows that touch a span. Direct flows only; a chain is followed one
 * selection at a time. Looked up when a person points at something, never while painting.
 */
import type { Trace } from '../trace/schema'

/**
 * Indices into `trace.flows` to draw for a span: those that touch it, and those that join spans of its submission
 * (submit → pass → awaiting host).
 */
export function flowsOfSpan(trace: Trace, span: number): number[] {
  const { flows, spans } = trace
  const own = spans.submission[span] ?? -1
  const found: number[] = []
  for (let flow = 0; flow < flows.length; flow += 1) {
    const from = flows.from[flow] ?? 0
    const to = flows.to[flow] ?? 0
    const touches = from === span || to === span
    const sameSubmission = own >= 0 && spans.submission[from] === own && spans.submission[to] === own
    if (touches || sameSubmission) found.push(flow)
  }
  return found
}

/** Spans of a submission in order of recording; empty for -1. */
export function spansOfSubmission(trace: Trace, submission: number): number[] {
  const found: number[] = []
  if (submission < 0) return found
  const column = trace.spans.submission
  for (let span = 0; span < trace.spans.length; span += 1) if (column[span] === submission) found.push(span)
  return found
}
