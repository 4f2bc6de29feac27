/** Looks at what ranks wait for from time to time, and says once that some of them never go on. */
import { findStuck, type RankState, type Stuck } from './wait-for'

const EVERY_MS = 100
/**
 * States of several threads are not read at one moment: a rank that is seen waiting may have been answered since. What has not changed at
 * any look for so long is no accident of reading.
 */
const STANDS_MS = 1000

/** Ends by itself where it has found some. `states`: by rank; null: not known now. Call what it returns to end it. */
export function watchStuck(
  states: () => readonly RankState[] | null,
  found: (stuck: Stuck) => void,
): () => void {
  let before = ''
  let sinceMs = 0
  const timer = setInterval(() => {
    const seen = states()
    const stuck = seen && findStuck(seen)
    const now = performance.now()
    // All states, not the stuck ones alone: where anything moves, look again.
    const key = stuck ? JSON.stringify(seen) : ''
    if (key !== before) {
      before = key
      sinceMs = now
    }
    if (!stuck || now - sinceMs < STANDS_MS) return
    clearInterval(timer)
    found(stuck)
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
  }
}
