/** Notices that another thread, which owes an answer, has said nothing for too long. */

export interface Watchdog {
  /** It has said something: the time begins anew. */
  readonly reset: () => void
  readonly stop: () => void
}

const TICK_MS = 1000

/**
 * Calls `silent` once, and ends. A machine that sleeps is not silent: a tick counts for two at
 * most.
 */
export function startWatchdog(limitMs: number, silent: () => void): Watchdog {
  let last = performance.now()
  let silentMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    silentMs += Math.min(now - last, 2 * TICK_MS)
    last = now
    if (silentMs < limitMs) return
    clearInterval(timer)
    silent()
  }, TICK_MS)
  return {
    reset: () => (silentMs = 0),
    stop: () => clearInterval(timer),
  }
}
