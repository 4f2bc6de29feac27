/** A thousand small kernels in a chain, each of which needs what the one before it wrote. */
import { readAll, readWords, STORAGE, type Dispatch } from '../../../gpu'
import { chainKernel } from '../../../gpu/kernels/data/chain'
import { kernelCall } from '../../../gpu/kernels/kernel'
import { seedFor, setBuffers } from '../../../exercises/worker/square'
import { runsOf, type PrepareExercise } from '../../../exercises/workload'
import { DIFFERENT, KERNELS, WORDS, type Chain } from './checks'

export const prepare: PrepareExercise<Chain> = async (context, { seed }) => {
  const words = await context.buffer('words', 4 * WORDS, STORAGE)
  const ran = await context.buffer('kernels run', 4, STORAGE)
  const dispatches: Dispatch[] = []
  for (let kernel = 0; kernel < DIFFERENT; kernel += 1) {
    const mask = seedFor(2 * kernel, seed)
    const factor = (seedFor(2 * kernel + 1, seed) | 1) >>> 0
    const call = kernelCall(chainKernel, { wordCount: WORDS, mask, factor })
    dispatches.push(await context.dispatch(call, [ran, words]))
  }
  const [first] = dispatches
  if (!first) throw new Error('there are kernels')
  return {
    plan: { kernels: KERNELS },
    given: [first],
    runs: runsOf({
      name: 'clean',
      input: {
        pipeline: first.pipeline,
        bindGroups: dispatches.map(({ bindGroup }) => bindGroup),
        workgroups: first.workgroups,
        kernels: KERNELS,
      },
      before: () => setBuffers(context, [[words, seed]], [ran]),
      find: async () => ({
        kernelsRun: (await readWords(context, ran, [0]))[0] ?? 0,
        words: await readAll(context, words.gpu, WORDS),
      }),
    }),
  }
}
