/**
 * How long the lab's kernels take here, of those that a program is given, and an iteration of its
 * own: where many invocations run at once, and each waits for memory.
 */
import { USAGE, type Dispatch, type RunContext } from '../../gpu'
import { SCATTER_INVOCATIONS, scatterKernel } from '../../gpu/kernels/calibrate/scatter'
import { timeEach } from '../../gpu/kernels/calibrate/timing'
import { kernelCall } from '../../gpu/kernels/kernel'
import type { Plan } from '../types'

/** 16 MiB, or 1 where a processor plays the GPU: beyond what most caches hold. */
const WORDS = { gpu: 2 ** 22, software: 2 ** 18 }
/** About as many invocations as today's largest GPU has at once, some 300,000. */
const INVOCATIONS = { gpu: 2 ** 19, software: 2 ** 14 }
const ITERATIONS = 64

/**
 * ms of each given dispatch, in their order, and of an iteration. @param plan has them where the
 * first program of this grading measured them
 */
export async function timeKernels(
  context: RunContext,
  given: readonly Dispatch[],
  plan: Plan | null,
  { isSoftware, deviceStepNs }: { readonly isSoftware: boolean; readonly deviceStepNs: number | null },
) {
  const known = plan?.['kernelMs']
  const kind = isSoftware ? 'software' : 'gpu'
  const [words, invocations] = [WORDS[kind], INVOCATIONS[kind]]
  const measure = async () => {
    const target = await context.buffer('scatter', 4 * words, USAGE.storage)
    const workgroups = invocations / SCATTER_INVOCATIONS
    const call = kernelCall(scatterKernel, { workgroups, iterations: ITERATIONS, words })
    const times = await timeEach(context, [...given, await context.dispatch(call, [target])], deviceStepNs)
    context.release(target)
    return times
  }
  const kernelMs = typeof known === 'object' ? known : await measure()
  return {
    planned: { kernelMs } as const,
    givenMs: kernelMs.slice(0, -1),
    iterationMs: (kernelMs.at(-1) ?? 0) / (ITERATIONS * invocations),
  }
}
