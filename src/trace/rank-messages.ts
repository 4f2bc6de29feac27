/**
 * Messages between ranks that one trace holds: each call with the one at the other end. Of a live
 * run they have the same two ranks, the same repeat of a variant and the same number among the
 * messages from the one to the other; of joined files the same `match`.
 */
import { SPAN_ROLES, type CollectiveColumns, type Trace } from './schema'

/** 'rank 1 · host': how the lanes of a rank are named. */
const RANK = /^rank (\d+) · /
/** NaN: of no rank. */
export const rankOfLane = (name: string): number => Number(RANK.exec(name)?.[1] ?? Number.NaN)

/** Spans by span: of a `send` the `recv`, of a `recv` the `send`. */
export type MessagePeers = ReadonlyMap<number, number>

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
