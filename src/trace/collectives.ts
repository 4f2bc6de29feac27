/**
 * The table of collectives (schema.ts): what is known of one, and which messages between ranks
 * belong together.
 */
import { madeOnce } from '../base/lists'
import {
  COLLECTIVE_TABLE,
  FLOW_KINDS,
  REFERENCES,
  spanRoleIndex,
  type CollectiveColumns,
  type Trace,
} from './schema'

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
 * Spans by span: of a `send` the `recv`, of a `recv` the `send`; of a call whose other end is
 * there.
 */
type MessagePeers = ReadonlyMap<number, number>

const known = new WeakMap<Trace['flows'], MessagePeers>()

/** Read once from the arrows of a trace. */
export const messagePeers = ({ flows, spans }: Trace): MessagePeers =>
  madeOnce(known, flows, () => {
    const ends = new Map<number, number>()
    const isMessage = (span: number) => MESSAGES.includes(spans.role[span] ?? 0)
    for (let row = 0; row < flows.length; row += 1) {
      const [from = -1, to = -1] = [flows.from[row], flows.to[row]]
      if (flows.kind[row] === TIE && isMessage(from) && isMessage(to)) ends.set(from, to).set(to, from)
    }
    return ends
  })

const MESSAGES = [spanRoleIndex('send'), spanRoleIndex('recv')]
const TIE = FLOW_KINDS.indexOf('collective')
