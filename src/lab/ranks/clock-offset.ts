/**
 * How far another thread's clock is from this one's, by asking: whoever is asked reads its clock
 * after the question and before the answer (Cristian, Probabilistic clock synchronization,
 * Distributed Computing 3, 1989). No thread's `performance.timeOrigin` is taken on trust.
 */

/** One question and its answer, ms: asked and heard by this clock, answered by the other's. */
export interface Reply {
  readonly askedMs: number
  readonly answeredMs: number
  readonly heardMs: number
}

/**
 * Added to a time of the other clock it gives the time on this one, ms: somewhere between `lowMs`
 * and `highMs`.
 */
export interface ClockOffset {
  readonly lowMs: number
  readonly highMs: number
}

/**
 * The offset that all replies allow together, each clock read to within `stepMs`: browsers round
 * down or up, at random (Chromium, third_party/blink/renderer/core/timing/time_clamper.cc). Null:
 * no single offset fits, since a clock jumped or was set, or nobody answered.
 */
export function offsetOf(replies: readonly Reply[], stepMs: number): ClockOffset | null {
  let [lowMs, highMs] = [-Infinity, Infinity]
  for (const { askedMs, answeredMs, heardMs } of replies) {
    // Two readings, each up to a step off.
    lowMs = Math.max(lowMs, askedMs - answeredMs - 2 * stepMs)
    highMs = Math.min(highMs, heardMs - answeredMs + 2 * stepMs)
  }
  return Number.isFinite(lowMs) && lowMs <= highMs ? { lowMs, highMs } : null
}
