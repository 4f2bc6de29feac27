/** Names of the variants, and on how many ranks each runs. */
import { byId } from '../declare/variants'

export const ONE = 'one-rank'
export const TWO = 'two-ranks'
export const FOUR = 'four-ranks'
/** Both send first, and wait for ever. */
export const BOTH_SEND = 'both-send'
/** What a rank reads decides whether it joins the next exchange. */
export const ITEM_DECIDES = 'item-decides'
/** An exchange after each product: nobody reads, or one rank does. */
export const NONE_READS = 'none-reads'
export const ONE_READS = 'one-reads'

export const SHARDED: readonly string[] = [ONE, TWO, FOUR]
export const HANGING: readonly string[] = [BOTH_SEND, ITEM_DECIDES]
export const EXCHANGING: readonly string[] = [NONE_READS, ONE_READS]

/** Values of the parameter `also`, and the variants of each. */
export const ALSO = {
  nothing: [],
  [BOTH_SEND]: [BOTH_SEND],
  [ITEM_DECIDES]: [ITEM_DECIDES],
  [ONE_READS]: EXCHANGING,
} as const satisfies Readonly<Record<string, readonly string[]>>

/** `ranks`: on how many of them it runs. */
export const ALL = [
  { id: ONE, program: 'shard', ranks: 1 },
  { id: TWO, program: 'shard', ranks: 2 },
  { id: FOUR, program: 'shard', ranks: 4 },
  { id: NONE_READS, program: 'exchange', ranks: 2 },
  { id: ONE_READS, program: 'exchange', ranks: 2 },
]
const found = byId(ALL)
export const ranksOf = (variant: string): number => found(variant)?.ranks ?? 2
export const MOST_RANKS = 4

/** Where `derived` holds who waited for whom when it was found: '0 send 1, 1 send 0'; and the same as a sentence. */
export const waitsKey = (variant: string): string => `waits ${variant}`
export const hangKey = (variant: string): string => `hang ${variant}`
