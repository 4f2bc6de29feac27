/**
 * The table of collectives (schema.ts): none of them, those of some spans, what is known of one,
 * what a damaged file may say, and which messages between ranks belong together.
 */
import { GrowingTable, rowsThat, takeRows } from './columns'
import { COLLECTIVE_TABLE, spanKindIndex, type CollectiveColumns, type Trace, SPAN_ROLES } from './schema'

export const NO_COLLECTIVES: CollectiveColumns = new GrowingTable(COLLECTIVE_TABLE, 1).copy()

/**
 * Those of the spans that are kept. `spanOf` gives the new number of a span, below 0 where it is
 * left out.
 */
export function collectivesOf(
  from: CollectiveColumns,
  spanOf: (span: number) => number,
  textOf: (text: number) => number = (text) => text,
): CollectiveColumns {
  const rows = rowsThat(from.length, (row) => spanOf(from.span[row] ?? -1) >= 0)
  const text = (index: number) => (index < 0 ? -1 : textOf(index))
  const texts = { operation: text, group: text, ranks: text, dtype: text }
  return takeRows(COLLECTIVE_TABLE, from, rows, { span: spanOf, ...texts })
}

/** True for the joined trace of several ranks: a collective of one is known to be another's. */
export const isOfRanks = ({ collectives: { match, length } }: Trace): boolean =>
  match.subarray(0, length).some((each) => each >= 0)

/** Known facts of a collective; undefined: the file does not say. */
export interface Collective {
  readonly row: number
  readonly span: number
  readonly operation: string
  readonly group: string | undefined
  readonly ranks: string | undefined
  readonly dtype: string | undefined
  readonly groupSize: number | undefined
  readonly peer: number | undefined
  readonly sequence: number | undefined
  readonly elementsIn: number | undefined
  readonly elementsOut: number | undefined
  readonly match: number | undefined
  readonly waitNs: number | undefined
}

export function collectiveAt(
  { collectives, strings }: Pick<Trace, 'collectives' | 'strings'>,
  row: number,
): Collective {
  const text = (index: number | undefined) =>
    index === undefined || index < 0 ? undefined : (strings[index] ?? '')
  const whole = (value: number | undefined) => (value === undefined || value < 0 ? undefined : value)
  const float = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? undefined : value
  return {
    row,
    span: collectives.span[row] ?? -1,
    operation: text(collectives.operation[row]) ?? '',
    group: text(collectives.group[row]),
    ranks: text(collectives.ranks[row]),
    dtype: text(collectives.dtype[row]),
    groupSize: whole(collectives.groupSize[row]),
    peer: whole(collectives.peer[row]),
    sequence: whole(collectives.sequence[row]),
    elementsIn: float(collectives.elementsIn[row]),
    elementsOut: float(collectives.elementsOut[row]),
    match: whole(collectives.match[row]),
    waitNs: float(collectives.waitNs[row]),
  }
}

/** Row by span; made once for each table, when first asked for. */
const rowsBySpan = new WeakMap<CollectiveColumns, ReadonlyMap<number, number>>()

/** Null where nothing is known of the span. */
export function collectiveOfSpan(trace: Trace, span: number): Collective | null {
  const { collectives } = trace
  if (collectives.length === 0) return null
  let rows = rowsBySpan.get(collectives)
  if (!rows) {
    rows = new Map(Array.from(collectives.span.subarray(0, collectives.length), (each, row) => [each, row]))
    rowsBySpan.set(collectives, rows)
  }
  const row = rows.get(span)
  return row === undefined ? null : collectiveAt(trace, row)
}

/** First row of a decoded trace that points at nothing; -1: none. */
export function findBadCollective({ collectives, spans, strings }: Trace): number {
  const kind = spanKindIndex('collective')
  const isText = (index: number | undefined) => index !== undefined && index >= -1 && index < strings.length
  const seen = new Set<number>()
  for (let row = 0; row < collectives.length; row += 1) {
    const span = collectives.span[row] ?? -1
    const { operation, group, ranks, dtype } = collectives
    const isNamed = (operation[row] ?? Infinity) < strings.length
    const isTold = isText(group[row]) && isText(ranks[row]) && isText(dtype[row])
    if (spans.kind[span] !== kind || seen.has(span) || !isNamed || !isTold) return row
    seen.add(span)
  }
  return -1
}

/** 'rank 1 · host': how the lanes of a rank are named. */
const RANK = /^rank (\d+) · /
/** NaN: of no rank. */
export const rankOfLane = (name: string): number => Number(RANK.exec(name)?.[1] ?? Number.NaN)

/**
 * Spans by span: of a `send` the `recv`, of a `recv` the `send`. In a live run the two have the same
 * two ranks, the same repeat of a variant and the same number among the messages from the one to the
 * other; in joined files the same `match`.
 */
type MessagePeers = ReadonlyMap<number, number>

const known = new WeakMap<CollectiveColumns, MessagePeers>()

/** Worked out once for a trace. A call whose other end is not there is left out. */
export function messagePeers(trace: Trace): MessagePeers {
  const before = known.get(trace.collectives)
  if (before) return before
  const found = findPeers(trace)
  known.set(trace.collectives, found)
  return found
}

function findPeers({ collectives, spans, lanes }: Trace): MessagePeers {
  const ends = new Map<number, number>()
  const open = new Map<string, number>()
  for (let row = 0; row < collectives.length; row += 1) {
    const span = collectives.span[row] ?? -1
    const role = SPAN_ROLES[spans.role[span] ?? -1]
    const key = keyOf(row, span, role === 'send')
    if ((role !== 'send' && role !== 'recv') || key === null) continue
    const other = open.get(key)
    if (other === undefined || spans.role[other] === spans.role[span]) open.set(key, span)
    else {
      ends.set(span, other)
      ends.set(other, span)
      open.delete(key)
    }
  }
  return ends

  function keyOf(row: number, span: number, isSend: boolean): string | null {
    const match = collectives.match[row] ?? -1
    if (match >= 0) return `match ${String(match)}`
    const rank = rankOfLane(lanes[spans.lane[span] ?? -1]?.name ?? '')
    const [peer, sequence] = [collectives.peer[row] ?? -1, collectives.sequence[row] ?? -1]
    if (Number.isNaN(rank) || peer < 0 || sequence < 0) return null
    const [from, to] = isSend ? [rank, peer] : [peer, rank]
    return [spans.variant[span], spans.repeat[span], from, to, sequence].join(' ')
  }
}
