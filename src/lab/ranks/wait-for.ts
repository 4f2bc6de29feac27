/**
 * The wait-for graph of ranks: which can never go on. A rank that waits has calls outstanding and
 * goes on when any of them is answered (Knapp, Deadlock Detection in Distributed Databases, ACM
 * Computing Surveys 19(4), 1987: the OR model). It is stuck where none can be: each is for a rank
 * that has ended, or for one that is stuck itself and has no matching call outstanding.
 */

export interface RankState {
  /** 'ended': its program has returned. 'running' may yet make any call. */
  readonly status: 'running' | 'waiting' | 'ended'
  /** Ranks that a send of this one is outstanding to. */
  readonly sendsTo: readonly number[]
  /** Ranks that a recv of this one is outstanding from. */
  readonly recvsFrom: readonly number[]
}

interface WaitFor {
  readonly from: number
  readonly to: number
  readonly operation: 'send' | 'recv'
}

export interface Stuck {
  /** Ranks that never go on, ascending. */
  readonly ranks: readonly number[]
  /** Who waits for whom. */
  readonly edges: readonly WaitFor[]
  /** Ranks that have ended, and are waited for. */
  readonly ended: readonly number[]
}

/** By rank. Null: every rank may yet go on. @internal */
export function findStuck(states: readonly RankState[]): Stuck | null {
  const stuck = new Set(states.flatMap(({ status }, rank) => (status === 'waiting' ? [rank] : [])))
  const mayBeAnswered = ({ from, to, operation }: WaitFor): boolean => {
    const other = states[to]
    if (!other || other.status === 'ended') return false
    const answers = operation === 'send' ? other.recvsFrom : other.sendsTo
    return !stuck.has(to) || answers.includes(from)
  }
  // Whoever may go on may answer others: until nobody is taken out any more.
  for (let size = -1; size !== stuck.size;) {
    size = stuck.size
    for (const rank of stuck) if (edgesOf(states, rank).some(mayBeAnswered)) stuck.delete(rank)
  }
  if (stuck.size === 0) return null
  const ranks = [...stuck].toSorted((a, b) => a - b)
  const edges = ranks.flatMap((rank) => edgesOf(states, rank))
  return {
    ranks,
    edges,
    ended: [...new Set(edges.map(({ to }) => to))]
      .filter((rank) => !stuck.has(rank))
      .toSorted((a, b) => a - b),
  }
}

function edgesOf(states: readonly RankState[], from: number): readonly WaitFor[] {
  const state = states[from]
  if (!state) return []
  return [
    ...state.sendsTo.map((to): WaitFor => ({ from, to, operation: 'send' })),
    ...state.recvsFrom.map((to): WaitFor => ({ from, to, operation: 'recv' })),
  ]
}

/** 'rank 0 in send to rank 1'. */
const waitText = ({ from, to, operation }: WaitFor): string =>
  `rank ${String(from)} in ${operation === 'send' ? 'send to' : 'recv from'} rank ${String(to)}`

/** A sentence. */
export function stuckText({ ranks, edges, ended }: Stuck): string {
  const who = edges.map(waitText).join(', ')
  return ended.length === 0
    ? `The ranks ${ranks.join(', ')} wait for each other: ${who}.`
    : `Nobody answers any more: ${who}; rank ${ended.join(', ')} has returned.`
}

const EVERY_MS = 100
/**
 * States of several threads are not read at one moment: a rank that is seen waiting may have been
 * answered since. What has not changed at any look for so long is no accident of reading.
 */
const STANDS_MS = 1000

interface WatchOptions {
  readonly standsMs?: number
  /** The timer as it was taken while the global still had one. */
  readonly start?: typeof setInterval
  readonly stop?: typeof clearInterval
}

/**
 * Looks at what ranks wait for from time to time, and says once that some of them never go on.
 * Ends by itself then. `states`: by rank; null: not known now. Call what it
 * returns to end it.
 */
export function watchStuck(
  states: () => readonly RankState[] | null,
  found: (stuck: Stuck) => void,
  { standsMs = STANDS_MS, start = setInterval, stop = clearInterval }: WatchOptions = {},
): () => void {
  let before = ''
  let sinceMs = 0
  const timer = start(() => {
    const seen = states()
    const stuck = seen && findStuck(seen)
    const now = performance.now()
    // All states, not the stuck ones alone: where anything moves, look again.
    const key = stuck ? JSON.stringify(seen) : ''
    if (key !== before) {
      before = key
      sinceMs = now
    }
    if (!stuck || now - sinceMs < standsMs) return
    stop(timer)
    found(stuck)
  }, EVERY_MS)
  return () => stop(timer)
}
