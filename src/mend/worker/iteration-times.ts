/** How long the loops of a learner's kernels may take here, measured: an iteration of one invocation alone, and of many at once. */
import { USAGE, type RunContext } from '../../engine'
import { median } from '../../base/stats'
import { timePasses } from '../../kernels/calibrate/timing'
import { SCATTER_INVOCATIONS, scatterKernel } from '../../kernels/calibrate/scatter'
import { kernelCall } from '../../kernels/kernel'
import { REPEAT_WARM_UP } from '../../trace/schema'
import type { IterationTimes } from '../budget/limits-for'

/** 16 MiB, or 1 where a processor plays the GPU: beyond what most caches hold. */
const WORDS = { gpu: 2 ** 22, software: 2 ** 18 }
/** As many invocations as the largest GPU of today has at once, some 300,000. */
const WORKGROUPS = { gpu: 2 ** 13, software: 2 ** 8 }
const ITERATIONS = { alone: 2048, atOnce: 64 }
/** After a first, which pays for first touches. */
const MEASURED = 3

/** Some tens of milliseconds; the median of three, by the device's clock where it can be believed. */
export async function measureIterations(
  context: RunContext,
  isSoftware: boolean,
  deviceStepNs: number | null,
): Promise<IterationTimes> {
  const kind = isSoftware ? 'software' : 'gpu'
  const words = WORDS[kind]
  const target = await context.buffer('scatter', 4 * words, USAGE.storage)
  const dispatchOf = async (workgroups: number, iterations: number) =>
    await context.dispatch(kernelCall(scatterKernel, { workgroups, iterations, words }), [target])
  const alone = await dispatchOf(1, ITERATIONS.alone)
  const atOnce = await dispatchOf(WORKGROUPS[kind], ITERATIONS.atOnce)
  const passes = [alone, atOnce].flatMap((dispatch) => Array.from({ length: 1 + MEASURED }, () => [dispatch]))
  const { deviceMs, hostMs } = await context.recorded(() => {
    context.session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
    return timePasses(context, passes)
  })
  context.release(target)
  const stepMs = (deviceStepNs ?? 0) / 1e6
  // Without a device's clock all of it, as if it were one pass of each: too long, and so too careful.
  const times = deviceMs ?? passes.map(() => hostMs)
  const medianMs = (from: number) => Math.max(stepMs, median(times.slice(from + 1, from + 1 + MEASURED)))
  return {
    aloneMs: medianMs(0) / ITERATIONS.alone,
    atOnceMs: medianMs(1 + MEASURED) / (ITERATIONS.atOnce * SCATTER_INVOCATIONS * WORKGROUPS[kind]),
  }
}
