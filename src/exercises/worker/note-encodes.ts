/** Passes that the lab lends, with a note of each call that encodes one. */
import type { RecordingSession } from '../../recorder'
import type { Encodable } from '../../lab/matmul'

/**
 * How often a pass of the lab's may repeat its dispatch: what a program asks for is worked through
 * by the lab's own loop.
 */
const MOST_TIMES = 256

/** @throws RangeError with a sentence for the learner. */
function checkTimes(times: unknown): asserts times is number {
  if (typeof times === 'number' && Number.isInteger(times) && times >= 1 && times <= MOST_TIMES) return
  throw new RangeError(
    `encode(encoder, times): times must be a whole number from 1 to ${String(MOST_TIMES)}.`,
  )
}

export function noteEncodes(session: Pick<RecordingSession, 'now'>) {
  let notes: { readonly which: number; readonly times: number; readonly atNs: number }[] = []
  return {
    /** @param which tells passes apart in the notes */
    lend: (pass: Encodable, which = 0): Encodable => ({
      encode: (encoder, times = 1) => {
        checkTimes(times)
        pass.encode(encoder, times)
        notes.push({ which, times, atNs: session.now() })
      },
    }),
    clear: (): void => {
      notes = []
    },
    /**
     * Which passes were encoded, when, in ns since the trace's origin, and with how many dispatches
     * in all.
     */
    found: () => ({
      encoded: notes.map(({ which }) => which),
      encodedNs: notes.map(({ atNs }) => atNs),
      dispatches: notes.reduce((sum, { times }) => sum + times, 0),
    }),
  }
}
