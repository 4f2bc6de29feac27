/**
 * Finds related spans: those of one submission, and the flows that touch a span. Scans of the
 * trace's columns (2 ms at 10^6 spans), so the last answer is kept: a hover asks again each frame.
 */
import type { PlacedTrace } from '../trace/place'
import { FLOW_KINDS, spanKindIndex, type Trace } from '../trace/schema'

/** The last answer to a question about a trace. */
function keepLast<Answer>(find: (trace: Trace, of: number) => Answer): typeof find {
  let last: { readonly trace: Trace; readonly of: number; readonly found: Answer } | null = null
  return (trace, of) => {
    if (last?.trace !== trace || last.of !== of) last = { trace, of, found: find(trace, of) }
    return last.found
  }
}

const COLLECTIVE_FLOW = FLOW_KINDS.indexOf('collective')
const COLLECTIVE = spanKindIndex('collective')
const COLLECTIVE_WAIT = spanKindIndex('collective-wait')

/** Waiting belongs to its collective, which begins with it. */
function collectiveOfWait({ spans }: Trace, wait: number): number {
  const [lane, start] = [spans.lane[wait], spans.start[wait]]
  for (let span = 0; span < spans.length; span += 1)
    if (spans.kind[span] === COLLECTIVE && spans.lane[span] === lane && spans.start[span] === start)
      return span
  return wait
}

/** The collective that all arrows of its ranks leave from; the span itself where it is of none. */
function lastOfRanks({ flows }: Trace, span: number): number {
  for (let flow = 0; flow < flows.length; flow += 1)
    if (flows.kind[flow] === COLLECTIVE_FLOW && flows.to[flow] === span) return flows.from[flow] ?? span
  return span
}

/**
 * Indices into `trace.flows` to draw for a span: those that touch it, those that join spans of its
 * submission (submit → pass → awaiting host), and of a collective on one rank those to all its
 * ranks.
 */
export const flowsOfSpan = keepLast<readonly number[]>((trace, asked) => {
  const { flows, spans } = trace
  const span = spans.kind[asked] === COLLECTIVE_WAIT ? collectiveOfWait(trace, asked) : asked
  const last = spans.kind[span] === COLLECTIVE ? lastOfRanks(trace, span) : span
  const own = spans.submission[span] ?? -1
  const found: number[] = []
  for (let flow = 0; flow < flows.length; flow += 1) {
    const from = flows.from[flow] ?? 0
    const to = flows.to[flow] ?? 0
    const touches = from === span || to === span
    const sameSubmission = own >= 0 && spans.submission[from] === own && spans.submission[to] === own
    const sameCollective = flows.kind[flow] === COLLECTIVE_FLOW && from === last
    if (touches || sameSubmission || sameCollective) found.push(flow)
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

/**
 * Flows by the span they lead to and by the span they come from: `flow[first[span] … first[span +
 * 1])`.
 */
interface Ends {
  readonly first: Uint32Array
  readonly flow: Uint32Array
}
interface FlowIndex {
  readonly into: Ends
  readonly outOf: Ends
}
const indices = new WeakMap<Trace['flows'], FlowIndex>()

/** Worked out once for a trace: two counting sorts (20 ms at 10^6 flows). */
function flowIndex({ flows, spans }: Trace): FlowIndex {
  const known = indices.get(flows)
  if (known) return known
  const by = (column: Uint32Array): Ends => {
    const first = new Uint32Array(spans.length + 1)
    for (let flow = 0; flow < flows.length; flow += 1) {
      const at = (column[flow] ?? 0) + 1
      first[at] = (first[at] ?? 0) + 1
    }
    for (let span = 0; span < spans.length; span += 1)
      first[span + 1] = (first[span + 1] ?? 0) + (first[span] ?? 0)
    const next = first.slice()
    const flow = new Uint32Array(flows.length)
    for (let index = 0; index < flows.length; index += 1) {
      const span = column[index] ?? 0
      const at = next[span] ?? 0
      next[span] = at + 1
      flow[at] = index
    }
    return { first, flow }
  }
  const made = { into: by(flows.to), outOf: by(flows.from) }
  indices.set(flows, made)
  return made
}

const flowsAt = ({ first, flow }: Ends, span: number): Uint32Array =>
  flow.subarray(first[span] ?? 0, first[span + 1] ?? 0)

/** Spans that a flow leads from to this one, and those that one leads to from it. */
export function neighboursOf(
  trace: Trace,
  span: number,
): { readonly causes: readonly number[]; readonly effects: readonly number[] } {
  const { into, outOf } = flowIndex(trace)
  const { from, to } = trace.flows
  return {
    causes: Array.from(flowsAt(into, span), (flow) => from[flow] ?? 0),
    effects: Array.from(flowsAt(outOf, span), (flow) => to[flow] ?? 0),
  }
}

/**
 * One step along the flows: back to the cause that ended last (the one it had to wait for), on to
 * the first of what it caused.
 */
export function stepFlow(
  { trace, startNs, endNs }: PlacedTrace,
  span: number,
  direction: 1 | -1,
): number | null {
  const { causes, effects } = neighboursOf(trace, span)
  const [candidates, column] = direction === -1 ? [causes, endNs] : [effects, startNs]
  let [best, bestNs] = [-1, Infinity]
  for (const candidate of candidates) {
    const timeNs = direction * (column[candidate] ?? NaN)
    if (best >= 0 && !(timeNs < bestNs)) continue
    best = candidate
    bestNs = Number.isFinite(timeNs) ? timeNs : Infinity
  }
  return best < 0 ? null : best
}
