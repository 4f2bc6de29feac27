/**
 * Floating-point operations a second in registers, measured: the roof of every product. With timestamps a pass is timed by itself; without,
 * by what two passes take longer than one, so that the way there and back, which no page can see, is in neither.
 */
import { summarise } from '../../src/analysis/metrics'
import type { RunContext } from '../../src/gpu'
import { prepareFmaPeak } from '../../src/gpu/kernels/calibrate/fma-work'
import type { DeviceFacts } from '../../src/gpu/kernels/calibrate/roofline'
import type { Metric } from '../../src/trace/report'
import { REPEAT_WARM_UP } from '../../src/trace/schema'

const REPEATS = 7

/** GFLOP/s, fused multiply-adds, each two flops: an interval over the repeats, widened by the clock's step. Throws where a result is wrong. */
export async function measurePeak(context: RunContext, facts: DeviceFacts): Promise<Metric> {
  const { queue, session } = context
  const { deviceStepNs } = facts
  return await context.recorded(async () => {
    const work = await prepareFmaPeak(context, facts)
    session.tag = { variant: work.name, repeat: REPEAT_WARM_UP, step: -1 }
    await work.reset()
    const submit = async (passes: number) => {
      const encoding = queue.encode(work.name)
      const encoded = Array.from({ length: passes }, () => encoding.pass(work.name, work.dispatches, work))
      const submission = queue.submit(work.name, [encoding])
      await queue.wait(submission)
      const ticks = await queue.collect()
      const [first] = encoded
      const hostMs = ((submission.completedNs ?? Number.NaN) - submission.submitStartNs) / 1e6
      return { hostMs, deviceMs: ((first && ticks.get(first)) ?? Number.NaN) / 1e6 }
    }
    const times: number[] = []
    for (let repeat = -1; repeat < REPEATS; repeat += 1) {
      await context.breathe()
      const one = await submit(1)
      const two = deviceStepNs === null ? await submit(2) : null
      if (repeat >= 0) times.push(two ? two.hostMs - one.hostMs : one.deviceMs)
    }
    const { failed } = await work.verify((REPEATS + 1) * (deviceStepNs === null ? 3 : 1))
    work.release()
    if (failed > 0) throw new Error('the peak was measured with wrong results')
    const slowest = Math.max(...times)
    const gflops = (ms: number): number => (ms > 0 ? work.flops / (ms * 1e6) : Number.NaN)
    return summarise({
      name: 'peak-gflops',
      unit: 'GFLOP/s',
      origin: deviceStepNs === null ? 'host-clock' : 'device-clock',
      samples: times.map(gflops),
      range: [0, Infinity],
      // Begin and end are both floored to the clock's step: a share of the time, and so of the rate.
      systematic: gflops(slowest) * ((deviceStepNs ?? 0) / 1e6 / slowest),
      ...(deviceStepNs === null
        ? { note: 'no timestamps: the difference of two passes and one, host clock' }
        : {}),
    })
  })
}
