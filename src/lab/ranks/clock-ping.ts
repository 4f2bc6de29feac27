/**
 * Questions of one thread to another's clock: over shared memory, where an answer takes some
 * microseconds and the other thread is blocked while it is asked; else by messages, which take some
 * tens. What the answers allow is Cristian's bound (Probabilistic clock
 * synchronization, Distributed Computing 3, 1989): no thread's `performance.timeOrigin` is taken on
 * trust.
 */

/** Reads a clock, ms. */
export type Clock = () => number

const ASKED = 0
const ANSWERED = 1
/** Place of the answer's time, a float64 behind the two words. */
const TIME_AT = 8
export const PINGS = 32
/** A thread that other work has displaced is asked no more. */
const ANSWER_LIMIT_MS = 200

export const clockMemory = (): SharedArrayBuffer => new SharedArrayBuffer(TIME_AT + 8)

const wordsOf = (memory: SharedArrayBuffer): Int32Array => new Int32Array(memory, 0, 2)

/** On the other thread: blocks it until PINGS questions were answered, or none came for a while. */
export function answerPings(memory: SharedArrayBuffer, now: Clock): void {
  const words = wordsOf(memory)
  const time = new Float64Array(memory, TIME_AT, 1)
  for (let ping = 0; ping < PINGS; ping += 1) {
    // Woken late for the question before, it would answer one that was not asked yet: so again.
    while (Atomics.load(words, ASKED) === ping)
      if (Atomics.wait(words, ASKED, ping, 10 * ANSWER_LIMIT_MS) === 'timed-out') return
    time[0] = now()
    Atomics.store(words, ANSWERED, ping + 1)
  }
}

/**
 * Spins for a millisecond or two in all. Gives what was answered so far where an answer does not
 * come within `limitMs`.
 */
export function askPings(memory: SharedArrayBuffer, now: Clock, limitMs = ANSWER_LIMIT_MS): readonly Reply[] {
  const words = wordsOf(memory)
  const time = new Float64Array(memory, TIME_AT, 1)
  const replies: Reply[] = []
  for (let ping = 0; ping < PINGS; ping += 1) {
    const askedMs = now()
    Atomics.store(words, ASKED, ping + 1)
    Atomics.notify(words, ASKED)
    while (Atomics.load(words, ANSWERED) <= ping) if (now() - askedMs > limitMs) return replies
    const heardMs = now()
    replies.push({ askedMs, answeredMs: time[0] ?? Number.NaN, heardMs })
  }
  return replies
}

/** One question and its answer, ms: asked and heard by this clock, answered by the other's. */
export type Reply = Readonly<Record<'askedMs' | 'answeredMs' | 'heardMs', number>>

/**
 * Added to a time of the other clock it gives the time on this one, ms: somewhere between `lowMs`
 * and `highMs`.
 */
export type ClockOffset = Readonly<Record<'lowMs' | 'highMs', number>>

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
