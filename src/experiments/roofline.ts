/**
 * What this device can do at most, measured: floating-point rate in registers and bandwidth of a copy. Never a datasheet.
 * With timestamps a pass is timed by itself; without, by what two passes take longer than one, so that the way there and back,
 * which no page can see, is in neither.
 */
import { summarise } from '../analysis/metrics'
import type { RunContext } from '../engine'
import type { Metric, Verification } from '../trace/report'
import { REPEAT_WARM_UP } from '../trace/schema'
import { mergeVerifications } from '../lab/check-product'
import { prepareFmaPeak, prepareStreamCopy, type DeviceFacts, type RooflineWork } from './roofline-work'
import type { Derived } from './run-types'

export interface Roofline {
  /** Name 'peak-gflops', GFLOP/s: fused multiply-adds, each two flops. */
  readonly peak: Metric
  /** Name 'copy-gb-per-s', GB/s: bytes read and bytes written together. */
  readonly copy: Metric
  readonly verification: Verification
  readonly derived: Derived
}

const REPEATS = 7

/** Times of `repeats` passes in ms, one warm-up before them. */
async function timePasses(
  context: RunContext,
  work: RooflineWork,
  facts: DeviceFacts,
  repeats: number,
): Promise<readonly number[]> {
  const { queue } = context
  const submit = async (passes: number) => {
    const encoding = queue.encode(work.name)
    const records = Array.from({ length: passes }, () => encoding.pass(work.name, work.dispatches, work))
    const submission = queue.submit(work.name, [encoding])
    await queue.wait(submission)
    const ticks = await queue.collect()
    const [first] = records
    const hostMs = ((submission.completedNs ?? Number.NaN) - submission.submitStartNs) / 1e6
    return { hostMs, deviceMs: ((first && ticks.get(first)) ?? Number.NaN) / 1e6 }
  }
  const samples: number[] = []
  for (let repeat = -1; repeat < repeats; repeat += 1) {
    await context.breathe()
    const one = await submit(1)
    const two = facts.deviceStepNs === null ? await submit(2) : null
    if (repeat >= 0) samples.push(two ? two.hostMs - one.hostMs : one.deviceMs)
  }
  return samples
}

/** @see Roofline; takes about a second on a GPU. Each rate is an interval over the repeats, widened by the device's clock step. */
export async function measureRoofline(
  context: RunContext,
  facts: DeviceFacts,
  repeats = REPEATS,
): Promise<Roofline> {
  return await context.recorded(async () => {
    const measureOne = async (prepare: typeof prepareFmaPeak) => {
      const work = await prepare(context, facts)
      context.session.tag = { variant: work.name, repeat: REPEAT_WARM_UP, step: -1 }
      await work.reset()
      const samples = await timePasses(context, work, facts, repeats)
      const passesEach = facts.deviceStepNs === null ? 3 : 1
      const verification = await work.verify((repeats + 1) * passesEach)
      work.release()
      return { work, samples, verification }
    }
    const fma = await measureOne(prepareFmaPeak)
    const copy = await measureOne(prepareStreamCopy)
    return {
      peak: rateOf('peak-gflops', 'GFLOP/s', fma.work.flops, fma.samples, facts),
      copy: rateOf('copy-gb-per-s', 'GB/s', copy.work.bytes, copy.samples, facts),
      verification: mergeVerifications([fma.verification, copy.verification]),
      derived: { ...fma.work.derived, ...copy.work.derived },
    }
  })
}

/** Work over time, 1e-6 of it a ms: flops give GFLOP/s, bytes GB/s. */
function rateOf(
  name: string,
  unit: Metric['unit'],
  amount: number,
  samplesMs: readonly number[],
  { deviceStepNs }: DeviceFacts,
): Metric {
  const samples = samplesMs.map((ms) => (ms > 0 ? amount / (ms * 1e6) : Number.NaN))
  const slowest = Math.max(...samplesMs)
  // Begin and end are both floored to the clock's step: a share of the time, and so of the rate.
  const share = (deviceStepNs ?? 0) / 1e6 / slowest
  return summarise({
    name,
    unit,
    origin: deviceStepNs === null ? 'host-clock' : 'device-clock',
    samples,
    range: [0, Infinity],
    systematic: (amount / (slowest * 1e6)) * share,
    ...(deviceStepNs === null
      ? { note: 'no timestamps: the difference of two passes and one, host clock' }
      : {}),
  })
}
