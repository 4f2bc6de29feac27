/** Load before a measurement, so that a GPU's clock is up when it begins. */
import { encodePass, type Dispatch, type RunContext } from '../..'
import { REPEAT_WARM_UP } from '../../../trace/schema'
import { MAX_DISPATCHES } from './timing'

/** One submission of these is about so long. */
const BUSY_SUBMISSION_MS = 20
/**
 * The first is a single dispatch, whose time is only foretold; each may be so many times as long as
 * the last.
 */
const BUSY_GROWTH = 8
/**
 * An H200 falls from 1,980 to 735 or 420 MHz when it is asked for too little, and takes its time to
 * come back.
 */
const RAMP_MS = 200

/**
 * Keeps a device at work for about `forMs`, and returns when its queue is empty again. A GPU's
 * clock rises under load and falls without (DVFS). Nothing happens on a software adapter, which has
 * no clock of its own.
 *
 * @param oneMs about how long one dispatch takes
 */
export async function keepBusy(
  { queue, session, device }: RunContext,
  dispatch: Dispatch,
  oneMs: number,
  forMs = RAMP_MS,
): Promise<void> {
  if (device.isSoftware) return
  const { tag } = session
  session.tag = { variant: 'ramp', repeat: REPEAT_WARM_UP, step: -1 }
  const most = Math.floor(Math.min(BUSY_SUBMISSION_MS, forMs) / Math.max(oneMs, 1e-3))
  const startNs = session.now()
  // One runs while the completion of the one before travels here: a device that waits for it half
  // the time stays at half its clock.
  let before = Promise.resolve()
  for (let count = 1; session.now() - startNs < forMs * 1e6;) {
    const pass = Array<Dispatch>(count).fill(dispatch)
    const submission = queue.submit('ramp', (encoder) => encodePass(encoder, 'ramp', pass))
    const ended = queue.wait(submission)
    ended.catch(() => undefined) // a fault is thrown where it is awaited, or by the one before
    await before
    before = ended
    const tookMs = (session.now() - submission.submitStartNs) / 1e6
    if (tookMs < 2 * BUSY_SUBMISSION_MS) count *= BUSY_GROWTH
    count = Math.max(1, Math.min(MAX_DISPATCHES, most, count))
  }
  await before
  session.tag = tag
}
