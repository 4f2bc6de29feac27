/** Notices that another thread, which owes an answer, has said nothing for too long. */

export interface SilenceWatch {
  /** It has said something: the time begins anew. */
  readonly heard: () => void
  readonly end: () => void
}

const TICK_MS = 1000

/** Calls `silent` once, and ends. A machine that sleeps is not silent: a tick counts for two at most. */
export function watchSilence(limitMs: number, silent: () => void): SilenceWatch {
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
    heard: () => {
      silentMs = 0
    },
    end: () => {
      clearInterval(timer)
    },
  }
}
