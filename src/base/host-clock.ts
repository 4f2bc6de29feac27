/**
 * The host's clock: performance.now() of this thread. Chromium steps it by 5 µs when cross-origin
 * isolated and by 100 µs when not (HR-Time §4.4), Firefox and Safari by other amounts, so the step
 * is measured, never assumed.
 */

/**
 * Enough changes that a descheduled thread spoils only some of them; at 100 µs a step this takes 2
 * ms.
 */
const CHANGES = 20
/**
 * A clock with 1 ms steps (Safari, old Firefox) would take 20 ms; past this the smallest step seen
 * so far must do.
 */
const LIMIT_MS = 40

/** Smallest change of `now` seen while spinning, in µs. */
export function measureHostClockStepUs(now: () => number = () => performance.now()): number {
  const start = now()
  let last = start
  let smallest = Number.POSITIVE_INFINITY
  for (let changes = 0; changes < CHANGES && last - start < LIMIT_MS;) {
    const next = now()
    if (next === last) continue
    smallest = Math.min(smallest, next - last)
    last = next
    changes += 1
  }
  // Float64 milliseconds carry noise of about 1e-9 relative: to whole nanoseconds.
  return Math.round(smallest * 1e6) / 1e3
}
