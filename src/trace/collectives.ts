/**
 * The table of collectives (schema.ts): what is known of one, and which messages between ranks
 * belong together.
 */
import { madeOnce } from '../base/lists'
import { COLLECTIVE_TABLE, REFERENCES, type CollectiveColumns, type Trace, SPAN_ROLES } from './schema'

/** True for the joined trace of several ranks: a collective of one is known to be another's. */
export const isOfRanks = ({ collectives: { match, length } }: Trace): boolean =>
  match.subarray(0, length).some((each) => each >= 0)

type Fact = Exclude<keyof typeof COLLECTIVE_TABLE, 'span' | 'operation'>
type Text = keyof typeof REFERENCES.collectives
/** Known facts of a collective; undefined: the file does not say. */
export type Collective = { readonly row: number; readonly span: number; readonly operation: string } & {
  readonly [Name in Fact]: (Name extends Text ? string : number) | undefined
}

export function collectiveAt(
  { collectives, strings }: Pick<Trace, 'collectives' | 'strings'>,
  row: number,
): Collective {
  const facts = Object.keys(COLLECTIVE_TABLE).map((key) => {
    const name = key as Fact
    const value = collectives[name][row] ?? -1
    const isText = name in REFERENCES.collectives
    return [name, value >= 0 ? (isText ? (strings[value] ?? '') : value) : undefined]
  })
  const said = Object.fromEntries(facts) as Omit<Collective, 'row'> // of each column its fact
  return { ...said, row, span: collectives.span[row] ?? -1 }
}

/** Row by span; made once for each table, when first asked for. */
const rowsBySpan = new WeakMap<CollectiveColumns, ReadonlyMap<number, number>>()

/** Null where nothing is known of the span. */
export function collectiveOfSpan(trace: Trace, span: number): Collective | null {
  const { collectives } = trace
  if (collectives.length === 0) return null
  const row = madeOnce(
    rowsBySpan,
    collectives,
    () => new Map(Array.from(collectives.span, (each, at) => [each, at])),
  ).get(span)
  return row === undefined ? null : collectiveAt(trace, row)
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
export const messagePeers = (trace: Trace): MessagePeers =>
  madeOnce(known, trace.collectives, () => findPeers(trace))

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
