/**
 * Finds related spans: those of one submission, and the flows that touch a span. A wheel puts
 * another span under the pointer in each frame, so no answer may cost all rows (eachRowNear). The last
 * one is kept for traces without any order.
 */
import { least } from 'd3-array'
import type { PlacedTrace } from '../trace/place'
import { FLOW_KINDS, spanKindIndex, type Trace } from '../trace/schema'
import { lowerBound } from '../base/search'

/**
 * Rows are found by a column's value without a look at all rows: zones of so many each know their
 * least and greatest value. Spans and flows are recorded nearly in order, so that few zones can
 * hold a value; of a column without any order it is all of them. Made once for a column (1 ms at
 * 10^6 rows). Values below 0 stand for none, and are never found.
 */
const ZONE_ROWS = 4096

type Indices = Int32Array | Uint32Array

interface Zones {
  readonly length: number
  readonly least: Float64Array
  readonly greatest: Float64Array
}

const known = new WeakMap<Indices, Zones>()

function zonesOf(column: Indices, length: number): Zones {
  const before = known.get(column)
  if (before?.length === length) return before
  const count = Math.ceil(length / ZONE_ROWS)
  const zones = {
    length,
    least: new Float64Array(count).fill(Infinity),
    greatest: new Float64Array(count).fill(-1),
  }
  for (let row = 0; row < length; row += 1) {
    const value = column[row] ?? -1
    if (value < 0) continue
    const zone = Math.floor(row / ZONE_ROWS)
    if (value < (zones.least[zone] ?? 0)) zones.least[zone] = value
    if (value > (zones.greatest[zone] ?? 0)) zones.greatest[zone] = value
  }
  known.set(column, zones)
  return zones
}

/** A column, and values in order of which one is looked for in it. */
type Sought = readonly [column: Indices, values: ArrayLike<number>]

/** @internal Meets, in order, all rows that hold what is sought in one of the columns, and some others. */
export function eachRowNear(length: number, sought: readonly Sought[], visit: (row: number) => void): void {
  const all = sought.map(([column, values]) => ({ zones: zonesOf(column, length), values }))
  for (let zone = 0; zone * ZONE_ROWS < length; zone += 1) {
    const mayHold = all.some(({ zones, values }) => {
      const next = values[lowerBound(values, zones.least[zone] ?? Infinity, values.length)]
      return next !== undefined && next <= (zones.greatest[zone] ?? -1)
    })
    if (!mayHold) continue
    const end = Math.min(length, (zone + 1) * ZONE_ROWS)
    for (let row = zone * ZONE_ROWS; row < end; row += 1) visit(row)
  }
}

/** @internal Rows with one value, in order. */
export function rowsWith(column: Indices, length: number, value: number): readonly number[] {
  const found: number[] = []
  eachRowNear(length, [[column, [value]]], (row) => {
    if (column[row] === value) found.push(row)
  })
  return value < 0 ? [] : found
}

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
  flows.from[
    rowsWith(flows.to, flows.length, span).find((flow) => flows.kind[flow] === COLLECTIVE_FLOW) ?? -1
  ] ?? span

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
const spansOfSubmission = keepLast<readonly number[]>(({ spans }, submission) =>
  rowsWith(spans.submission, spans.length, submission),
)

/**
 * One step along the flows: back to the cause that ended last (the one it had to wait for), on to
 * the first of what it caused.
 */
export function stepFlow(
  { trace: { flows }, startNs, endNs }: PlacedTrace,
  span: number,
  direction: 1 | -1,
): number | null {
  const [own, other, timeNs] =
    direction === 1 ? [flows.from, flows.to, startNs] : [flows.to, flows.from, endNs]
  const ends = rowsWith(own, flows.length, span).map((flow) => other[flow] ?? 0)
  return least(ends, (end) => direction * (timeNs[end] ?? NaN)) ?? ends[0] ?? null
}
