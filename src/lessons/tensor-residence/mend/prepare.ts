/**
 * Four tensors, each used by a pass of its own, so large that making them on the host takes longer
 * than the report of a kernel.
 */
import { hostWordMs, tensorWords } from '../../../experiments/tensor-residence/sizes'
import { createRandomTensor } from '../../../lab/random-tensor'
import { noteEncodes } from '../../../exercises/worker/note-encodes'
import { seedFor } from '../../../exercises/worker/square'
import { runsOf, type PrepareExercise } from '../../../exercises/workload'
import { SEED_KEPT, TENSORS, type Tensors } from './checks'

/** Making all tensors takes so many times as long as the report of a kernel. */
const MAKING = 4
const MOST_WORDS = 2 ** 21
/**
 * Words for each GFLOP/s of the usual matmul: the budget of a program (exercises/budget/limits.ts)
 * is then some four times what the lab's kernel may take.
 */
const WORDS_A_GFLOP = 400_000
const LEAST_GFLOPS = 0.05
/** No multiple of any workgroup’s size: the last one reaches beyond the end. */
const BEYOND = 77
/** Words at the end of the last tensor that are compared: more than a workgroup has. */
const END_WORDS = 512

export const prepare: PrepareExercise<Tensors> = async (
  context,
  { plan, seed, roundTripMs, matmulGflops },
) => {
  const wordMs = plan ? 1 : hostWordMs(() => performance.now())
  const most = Math.min(MOST_WORDS, WORDS_A_GFLOP * Math.max(LEAST_GFLOPS, matmulGflops ?? 1))
  const targetMs = (MAKING * roundTripMs) / TENSORS
  const words = Number(plan?.['words'] ?? tensorWords(targetMs, wordMs, most) + BEYOND)
  const tensor = await createRandomTensor(context, words, TENSORS)
  const uses = await tensor.uses(SEED_KEPT)
  const encodes = noteEncodes(context.session)
  return {
    plan: { words },
    given: uses.map(({ dispatch }) => dispatch).slice(0, 1),
    runs: runsOf({
      name: 'tensors',
      input: {
        tensor: tensor.buffer.gpu,
        words,
        seeds: Array.from({ length: TENSORS }, (_, step) => seedFor(step, seed)),
        uses: uses.map((use) => encodes.lend(use)),
      },
      before: async () => {
        await tensor.clear()
        encodes.clear()
      },
      find: async () => {
        const used = encodes.found().dispatches
        const { last, kept } = await tensor.read()
        return { words, used, kept, end: last.slice(-END_WORDS) }
      },
    }),
  }
}
