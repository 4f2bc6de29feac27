/**
 * How long the loops of a learner's kernels may take here, measured: an iteration of one invocation
 * alone, and of many at once, where each waits for memory, and where each waits for its workgroup.
 */
import { USAGE, type Dispatch, type RunContext } from '../../gpu'
import { median } from '../../base/stats'
import { BARRIERS_INVOCATIONS, barriersKernel } from '../../gpu/kernels/calibrate/barriers'
import { timePasses, timeEach } from '../../gpu/kernels/calibrate/timing'
import { SCATTER_INVOCATIONS, scatterKernel } from '../../gpu/kernels/calibrate/scatter'
import { kernelCall } from '../../gpu/kernels/kernel'
import { REPEAT_WARM_UP } from '../../trace/schema'
import type { IterationTimes } from '../budget/limits'
import type { Plan } from '../types'

/**
 * ms, in their order. @param plan has them where the first program of this grading measured them
 */
export async function timeGiven(
  context: RunContext,
  given: readonly Dispatch[],
  plan: Plan | null,
  deviceStepNs: number | null,
): Promise<readonly number[]> {
  const known = plan?.['givenMs']
  return typeof known === 'object' ? known : await timeEach(context, given, deviceStepNs)
}

/** 16 MiB, or 1 where a processor plays the GPU: beyond what most caches hold. */
const WORDS = { gpu: 2 ** 22, software: 2 ** 18 }
/** About as many invocations as today's largest GPU has at once, some 300,000. */
const INVOCATIONS = { gpu: 2 ** 19, software: 2 ** 14 }
const ITERATIONS = { scatter: { alone: 2048, atOnce: 64 }, barriers: { alone: 256, atOnce: 8 } }
/** After a first, which pays for first touches. */
const MEASURED = 3

/** Some tens of milliseconds; medians of three, by the device's clock where it can be believed. */
export async function measureIterations(
  context: RunContext,
  isSoftware: boolean,
  deviceStepNs: number | null,
): Promise<IterationTimes> {
  const kind = isSoftware ? 'software' : 'gpu'
  const [words, invocations] = [WORDS[kind], INVOCATIONS[kind]]
  const target = await context.buffer('scatter', 4 * words, USAGE.storage)
  const scatter = async (workgroups: number, iterations: number) =>
    await context.dispatch(kernelCall(scatterKernel, { workgroups, iterations, words }), [target])
  const barriers = async (workgroups: number, iterations: number) =>
    await context.dispatch(kernelCall(barriersKernel, { workgroups, iterations }), [target])
  const dispatches = [
    await scatter(1, ITERATIONS.scatter.alone),
    await scatter(invocations / SCATTER_INVOCATIONS, ITERATIONS.scatter.atOnce),
    await barriers(1, ITERATIONS.barriers.alone),
    await barriers(invocations / BARRIERS_INVOCATIONS, ITERATIONS.barriers.atOnce),
  ]
  const passes = dispatches.flatMap((each) => Array.from({ length: 1 + MEASURED }, (): Dispatch[] => [each]))
  const { deviceMs, hostMs } = await context.recorded(() => {
    context.session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
    return timePasses(context, passes)
  })
  context.release(target)
  const stepMs = (deviceStepNs ?? 0) / 1e6
  // Without a device's clock all of it, as if it were one pass of each: too long, and so too
  // careful.
  const times = deviceMs ?? passes.map(() => hostMs)
  const [scatterAlone = 0, scatterAtOnce = 0, barriersAlone = 0, barriersAtOnce = 0] = dispatches.map(
    (_, index) =>
      Math.max(stepMs, median(times.slice(index * (1 + MEASURED) + 1, (index + 1) * (1 + MEASURED)))),
  )
  const aloneMs = scatterAlone / ITERATIONS.scatter.alone
  const atOnceMs = scatterAtOnce / (ITERATIONS.scatter.atOnce * invocations)
  return {
    aloneMs,
    atOnceMs,
    // A kernel with barriers may wait for memory too.
    withBarriers: {
      aloneMs: Math.max(aloneMs, barriersAlone / ITERATIONS.barriers.alone),
      atOnceMs: Math.max(atOnceMs, barriersAtOnce / (ITERATIONS.barriers.atOnce * invocations)),
    },
  }
}

/** The numbers as the first program of a grading puts them into its plan. */
export const plannedIterations = ({ aloneMs, atOnceMs, withBarriers }: IterationTimes): Plan => ({
  iterationMs: [aloneMs, atOnceMs, withBarriers.aloneMs, withBarriers.atOnceMs],
})

/** Null: they were not measured yet. */
export function iterationsIn(plan: Plan | null): IterationTimes | null {
  const times = plan?.['iterationMs']
  if (typeof times !== 'object') return null
  const [aloneMs, atOnceMs, aloneWith, atOnceWith] = times
  return aloneMs && atOnceMs && aloneWith && atOnceWith
    ? { aloneMs, atOnceMs, withBarriers: { aloneMs: aloneWith, atOnceMs: atOnceWith } }
    : null
}
