/**
 * How often a pass of the lab's may repeat its dispatch: what a program asks for is worked through
 * by the lab's own loop.
 */
const MOST_TIMES = 256

/** @throws RangeError with a sentence for the learner. */
export function checkTimes(times: unknown): asserts times is number {
  if (typeof times === 'number' && Number.isInteger(times) && times >= 1 && times <= MOST_TIMES) return
  throw new RangeError(
    `encode(encoder, times): times must be a whole number from 1 to ${String(MOST_TIMES)}.`,
  )
}
