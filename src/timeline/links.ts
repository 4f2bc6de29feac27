/**
 * Finds related spans: those of one submission, and the flows that touch a span. A wheel puts
 * another span under the pointer in each frame, so no answer may cost all rows (zones.ts). The last
 * one is kept for traces without any order.
 */
import type { PlacedTrace } from '../trace/place'
import { FLOW_KINDS, spanKindIndex, type Trace } from '../trace/schema'
import { eachRowNear, rowsWith, type Sought } from './zones'

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
const lastOfRanks = ({ flows }: Trace, span: number): number =>
  flows.from[flowsTo(flows, span).find((flow) => flows.kind[flow] === COLLECTIVE_FLOW) ?? -1] ?? span

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
  const members = spansOfSubmission(trace, own)
  const found: number[] = []
  const sought: readonly Sought[] = [
    [flows.from, members],
    [flows.from, [span]],
    [flows.from, [last]],
    [flows.to, [span]],
  ]
  eachRowNear(flows.length, sought, (flow) => {
    const from = flows.from[flow] ?? 0
    const to = flows.to[flow] ?? 0
    const touches = from === span || to === span
    const sameSubmission = own >= 0 && spans.submission[from] === own && spans.submission[to] === own
    const sameCollective = flows.kind[flow] === COLLECTIVE_FLOW && from === last
    if (touches || sameSubmission || sameCollective) found.push(flow)
  })
  return found
})

/** Spans of a submission in order of recording; empty for -1. */
export const spansOfSubmission = keepLast<readonly number[]>(({ spans }, submission) =>
  rowsWith(spans.submission, spans.length, submission),
)

const flowsTo = (flows: Trace['flows'], span: number) => rowsWith(flows.to, flows.length, span)

/** Spans that a flow leads from to this one, and those that one leads to from it. */
export function neighboursOf(
  { flows }: Trace,
  span: number,
): { readonly causes: readonly number[]; readonly effects: readonly number[] } {
  const { from, to, length } = flows
  return {
    causes: flowsTo(flows, span).map((flow) => from[flow] ?? 0),
    effects: rowsWith(from, length, span).map((flow) => to[flow] ?? 0),
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
