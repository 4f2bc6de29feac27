/** A thousand small kernels in a chain, each of which needs what the one before it wrote: numbers come from a fresh seed. */
import { readWords, USAGE, type Dispatch } from '../../../gpu'
import { chainKernel } from '../../../gpu/kernels/data/chain'
import { kernelCall, packUniforms } from '../../../gpu/kernels/kernel'
import { seedFor } from '../../../exercises/worker/square'
import { readAll } from '../../../exercises/worker/shader'
import type { Given } from '../../../exercises/names'
import { runsOf, type PrepareExercise, type WorkloadRun } from '../../../exercises/workload'
import { type input, DIFFERENT, KERNELS, startWords, stepsOf, WORDS, type Chain } from './checks'

export const prepare: PrepareExercise<Chain> = async (context, { seed }) => {
  const { queue } = context.device.gpu
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const words = await context.buffer('words', 4 * WORDS, usage)
  const ran = await context.buffer('kernels run', 4, usage)
  const dispatches: Dispatch[] = []
  for (let kernel = 0; kernel < DIFFERENT; kernel += 1) {
    const call = kernelCall(chainKernel, { wordCount: WORDS, mask: 0, factor: 1 })
    dispatches.push(await context.dispatch(call, [ran, words]))
  }
  const [first] = dispatches
  if (!first) throw new Error('there are kernels')

  const runOf = (repeat: number, at: number): WorkloadRun<Chain> => {
    const own = seedFor(at, seed)
    return {
      name: 'clean',
      repeat,
      facts: { seed: own },
      input: {
        pipeline: first.pipeline,
        bindGroups: dispatches.map(({ bindGroup }) => bindGroup),
        workgroups: first.workgroups,
        kernels: KERNELS,
      } satisfies Given<typeof input>,
      before: async () => {
        stepsOf(own).forEach(({ mask, factor }, kernel) => {
          const uniforms = dispatches[kernel]?.uniforms.gpu
          if (!uniforms) return
          const packed = packUniforms(['u32', mask], ['u32', factor])
          queue.writeBuffer(uniforms, 0, packed)
        })
        queue.writeBuffer(words.gpu, 0, startWords(own))
        queue.writeBuffer(ran.gpu, 0, new Uint32Array(1))
        await queue.onSubmittedWorkDone()
      },
      find: async () => ({
        kernelsRun: (await readWords(context, ran, [0]))[0] ?? 0,
        words: await readAll(context, words.gpu, WORDS),
      }),
    }
  }
  return {
    plan: { kernels: KERNELS },
    given: [first],
    runs: runsOf(runOf),
  }
}
