/**
 * Ties the device's clock to the host's before and after a run. Its spans are tagged as warm-up.
 */
import { encodePass, type Dispatch, type RunContext } from '../gpu'
import { REPEAT_WARM_UP } from '../trace/schema'

/**
 * Probes enough to hit the completion poll at every phase; each takes a few ms, or 100 where
 * completion is looked for so seldom.
 */
const CLOCK_PROBES = 24
const LEAST_PROBES = 4
const PROBING_MS = 300
/**
 * Host busy-waits this long between the submit and the nudge that makes Chromium poll: the kernel
 * takes some µs.
 */
const NUDGE_DELAYS_US = [60, 120, 250, 500]

/**
 * Tight causality brackets with the queue idle: the smallest dispatch, and an empty submit a little
 * later, which makes Chromium's GPU process look for completion at once instead of at its next
 * poll. Used here only: it disturbs a queue at work.
 */
export async function probeClock(context: RunContext, tick: Dispatch): Promise<void> {
  const { queue, session, device } = context
  session.tag = { variant: 'clock probe', repeat: REPEAT_WARM_UP, step: -1 }
  const startNs = session.now()
  for (let probe = 0; probe < CLOCK_PROBES; probe += 1) {
    if (probe >= LEAST_PROBES && session.now() - startNs > PROBING_MS * 1e6) break
    const submission = queue.submit('clock probe', (encoder) => encodePass(encoder, 'clock probe', [tick]))
    const delayNs = (NUDGE_DELAYS_US[probe % NUDGE_DELAYS_US.length] ?? 0) * 1e3
    while (session.now() - submission.submitEndNs < delayNs);
    device.gpu.queue.submit([])
    await queue.wait(submission)
  }
  await queue.collect()
}
