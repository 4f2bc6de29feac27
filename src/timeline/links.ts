/**
 * What belongs together: spans of one submission, the flows that touch a span, and, on request, the whole chain that led to it and
 * followed from it. Scans of the trace's columns (2 ms at 10^6 spans), so the last answer is kept: a hover asks again each frame.
 */
import type { Trace } from '../trace/schema'

/** The last answer to a question about a trace. */
function keepLast<Answer>(find: (trace: Trace, of: number) => Answer): typeof find {
  let last: { readonly trace: Trace; readonly of: number; readonly found: Answer } | null = null
  return (trace, of) => {
    if (last?.trace !== trace || last.of !== of) last = { trace, of, found: find(trace, of) }
    return last.found
  }
}

/**
 * Indices into `trace.flows` to draw for a span: those that touch it, and those that join spans of its submission
 * (submit → pass → awaiting host).
 */
export const flowsOfSpan = keepLast<readonly number[]>((trace, span) => {
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
})

/** Spans of a submission in order of recording; empty for -1. */
export const spansOfSubmission = keepLast<readonly number[]>((trace, submission) => {
  const found: number[] = []
  if (submission < 0) return found
  const column = trace.spans.submission
  for (let span = 0; span < trace.spans.length; span += 1) if (column[span] === submission) found.push(span)
  return found
})

export interface Chain {
  /** Indices into `trace.flows`. */
  readonly flows: readonly number[]
  /** Spans that a flow of the chain touches. */
  readonly spans: readonly number[]
  /** True where the chain goes on beyond what is given. */
  readonly isCut: boolean
}

/** Arrows that a picture bears, towards the span and from it each. */
const MOST_FLOWS = 100

/**
 * All flows that lead to a span, and all that follow from it, over any number of steps: nearest first, cut at MOST_FLOWS. Only what was
 * recorded as causing something: the order of calls on a thread is not a flow.
 */
export const chainOf = keepLast<Chain>((trace, span) => {
  const { flows } = trace
  const [into, outOf] = [new Map<number, number[]>(), new Map<number, number[]>()]
  const add = (map: Map<number, number[]>, at: number, flow: number): void => {
    const own = map.get(at)
    if (own) own.push(flow)
    else map.set(at, [flow])
  }
  for (let flow = 0; flow < flows.length; flow += 1) {
    add(into, flows.to[flow] ?? -1, flow)
    add(outOf, flows.from[flow] ?? -1, flow)
  }
  const found = new Set<number>()
  const spans = new Set<number>([span])
  let isCut = false
  for (const [edges, far] of [
    [into, flows.from],
    [outOf, flows.to],
  ] as const) {
    const seen = new Set<number>([span])
    const most = found.size + MOST_FLOWS
    let front = [span]
    while (front.length > 0) {
      const next: number[] = []
      for (const at of front)
        for (const flow of edges.get(at) ?? []) {
          if (found.size >= most) {
            isCut = true
            continue
          }
          found.add(flow)
          const other = far[flow] ?? -1
          spans.add(other)
          if (seen.has(other)) continue
          seen.add(other)
          next.push(other)
        }
      front = next
    }
  }
  return { flows: [...found], spans: [...spans], isCut }
})
