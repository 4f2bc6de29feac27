/**
 * Finds related spans: those of one submission, and the flows that touch a span. A wheel puts
 * another span under the pointer in each frame, so no answer may cost all rows (rowsWith). The last
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

/** Rows that hold one of these values, in order; those below 0 stand for none. @internal */
export function rowsWith(column: Indices, length: number, values: readonly number[]): readonly number[] {
  const wanted = new Set(values.filter((value) => value >= 0))
  const sorted = Uint32Array.from(wanted).sort()
  const [lowest, highest] = [sorted[0] ?? Infinity, sorted.at(-1) ?? -1]
  const { least, greatest } = zonesOf(column, length)
  const found: number[] = []
  for (let zone = 0; zone < least.length; zone += 1) {
    const next = sorted[lowerBound(sorted, least[zone] ?? Infinity)]
    if (next === undefined || next > (greatest[zone] ?? -1)) continue
    const end = Math.min(length, (zone + 1) * ZONE_ROWS)
    for (let row = zone * ZONE_ROWS; row < end; row += 1) {
      const value = column[row] ?? -1
      // Most rows hold none of them: two comparisons cost less than a look into the set.
      if (value >= lowest && value <= highest && wanted.has(value)) found.push(row)
    }
  }
  return found
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
    rowsWith(flows.to, flows.length, [span]).find((flow) => flows.kind[flow] === COLLECTIVE_FLOW) ?? -1
  ] ?? span

/** A pointer at rest asks again in each frame. */
let lastAsked: { readonly trace: Trace; readonly of: number; readonly found: readonly number[] } | null = null

/**
 * Indices into `trace.flows` to draw for a span: those that touch it, those that join spans of its
 * submission (submit → pass → awaiting host), and of a collective on one rank those to all its
 * ranks.
 */
export function flowsOfSpan(trace: Trace, asked: number): readonly number[] {
  if (lastAsked?.trace !== trace || lastAsked.of !== asked)
    lastAsked = { trace, of: asked, found: findFlows(trace, asked) }
  return lastAsked.found
}

function findFlows(trace: Trace, asked: number): readonly number[] {
  const { flows, spans } = trace
  const span = spans.kind[asked] === COLLECTIVE_WAIT ? collectiveOfWait(trace, asked) : asked
  const last = spans.kind[span] === COLLECTIVE ? lastOfRanks(trace, span) : span
  const own = spans.submission[span] ?? -1
  const members = rowsWith(spans.submission, spans.length, [own])
  const leaving = rowsWith(flows.from, flows.length, [...members, span, last]).filter((flow) => {
    const from = flows.from[flow] ?? 0
    const sameSubmission = own >= 0 && spans.submission[flows.to[flow] ?? 0] === own
    return from === span || sameSubmission || (from === last && flows.kind[flow] === COLLECTIVE_FLOW)
  })
  return [...new Set([...leaving, ...rowsWith(flows.to, flows.length, [span])])].sort((a, b) => a - b)
}

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
  const ends = rowsWith(own, flows.length, [span]).map((flow) => other[flow] ?? 0)
  return least(ends, (end) => direction * (timeNs[end] ?? NaN)) ?? ends[0] ?? null
}
