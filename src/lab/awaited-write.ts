/** What a transfer of almost nothing takes until its end is known: what parts and sizes of transfers are planned by. */
import { USAGE, type RunContext } from '../engine'

const TRIALS = 3
const TRIAL_WORDS = 1024
/** No wait is shorter, whatever a coarse clock may show. */
const LEAST_MS = 0.01

/** A write of 4 KiB with an empty submit behind it until its end is reported, ms: the shortest of some, since what else runs makes it longer only. */
export async function awaitedWriteMs(context: RunContext): Promise<number> {
  const { session, device } = context
  const { queue } = device.gpu
  const target = await context.buffer('calibration', 4 * TRIAL_WORDS, USAGE.copyDst)
  const data = new Float32Array(TRIAL_WORDS)
  let shortest = Infinity
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const startNs = session.now()
    queue.writeBuffer(target.gpu, 0, data)
    queue.submit([])
    await context.race(queue.onSubmittedWorkDone())
    shortest = Math.min(shortest, (session.now() - startNs) / 1e6)
  }
  context.release(target)
  return Math.max(LEAST_MS, shortest)
}
