/** Passes that the lab lends, with a note of each call that encodes one. */
import type { RecordingSession } from '../../recorder'
import type { Encodable } from '../../lab/matmul'
import { checkTimes } from './times'

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
    /** Which passes were encoded, when, in ns since the trace's origin, and with how many dispatches in all. */
    found: () => ({
      encoded: notes.map(({ which }) => which),
      encodedNs: notes.map(({ atNs }) => atNs),
      dispatches: notes.reduce((sum, { times }) => sum + times, 0),
    }),
  }
}
