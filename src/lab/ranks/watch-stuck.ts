/** Looks at what ranks wait for from time to time, and says once that some of them never go on. */
import { findStuck, type RankState, type Stuck } from './wait-for'

const EVERY_MS = 100
/**
 * States of several threads are not read at one moment: a rank that is seen waiting may have been
 * answered since. What has not changed at any look for so long is no accident of reading.
 */
const STANDS_MS = 1000

export interface WatchOptions {
  readonly standsMs?: number
  /** The timer as it was taken while the global still had one. */
  readonly start?: typeof setInterval
  readonly stop?: typeof clearInterval
}

/**
 * Ends by itself where it has found some. `states`: by rank; null: not known now. Call what it
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
