/**
 * Measures a transfer of almost nothing until its end is known. Parts and sizes of transfers are
 * planned with it.
 */
import { keep } from '../base/buffer-registry'
import { USAGE, type RunContext } from '../gpu'

const TRIALS = 3
const TRIAL_BYTES = 4096
/** No wait is shorter, whatever a coarse clock may show. */
const LEAST_MS = 0.01

/**
 * A write with an empty submit behind it until its end is reported, ms: the shortest of some, since
 * what else runs makes it longer only.
 *
 * @param bytes a multiple of 4
 */
export async function awaitedWriteMs(context: RunContext, bytes = TRIAL_BYTES): Promise<number> {
  const { session, device } = context
  const { queue } = device.gpu
  const target = await context.buffer('calibration', bytes, USAGE.copyDst)
  const data = keep(new Uint8Array(bytes).fill(1)) // in full: memory is mapped in when it is first written
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
