/** Four tensors, each used by a pass of its own, so large that making them on the host takes longer than the report of a kernel. */
import { hostWordMs, tensorWords } from '../../../experiments/tensor-residence/sizes'
import type { Dispatch } from '../../../gpu'
import { GATHER_WORDS } from '../../../gpu/kernels/data/gather'
import { createRandomTensor, wrongWords } from '../../../lab/random-tensor'
import { seedFor } from '../../../exercises/worker/square'
import type { Given } from '../../../exercises/names'
import type { PrepareExercise, WorkloadRun } from '../../../exercises/workload'
import { REPEAT_WARM_UP } from '../../../trace/schema'
import { type input, SHOWN_WORDS, TENSORS, type Tensors } from './checks'

const RUNS = 4
/** In all, over the report of a kernel. */
const MAKING = 4
const MOST_WORDS = 2 ** 21
/** For each GFLOP/s of the usual matmul: the budget of a program (exercises/budget/limits.ts) is then some four times what the lab's kernel may take. */
const WORDS_A_GFLOP = 400_000
const LEAST_GFLOPS = 0.05
/** No multiple of any workgroup’s size: the last one reaches beyond the end. */
const BEYOND = 77

export const prepare: PrepareExercise<Tensors> = async (
  context,
  { plan, seed, roundTripMs, matmulGflops },
) => {
  const wordMs = plan ? 1 : hostWordMs(() => performance.now())
  const most = Math.min(MOST_WORDS, WORDS_A_GFLOP * Math.max(LEAST_GFLOPS, matmulGflops ?? 1))
  const targetMs = (MAKING * roundTripMs) / TENSORS
  const words = Number(plan?.['words'] ?? tensorWords(targetMs, wordMs, most) + BEYOND)
  const tensor = await createRandomTensor(context, words, TENSORS)
  let used: number[] = []
  let given: readonly Dispatch[] = []

  const runOf = async (run: number, repeat: number): Promise<WorkloadRun<Tensors>> => {
    const seeds = Array.from({ length: TENSORS }, (_, step) => seedFor((TENSORS + 1) * run + step, seed))
    const seedKept = seedFor((TENSORS + 1) * run + TENSORS, seed)
    const uses = await tensor.uses(seedKept)
    given = uses.map(({ dispatch }) => dispatch).slice(0, 1)
    return {
      name: 'tensors',
      repeat,
      facts: { words, seeds, seedKept },
      input: {
        tensor: tensor.buffer.gpu,
        words,
        seeds,
        uses: uses.map(({ encode }, step) => ({
          encode: (encoder: GPUCommandEncoder) => {
            encode(encoder)
            used.push(step)
          },
        })),
      } satisfies Given<typeof input>,
      before: async () => {
        await tensor.clear()
        used = []
      },
      find: async () => {
        const usedSteps = used
        const { last, kept } = await tensor.read()
        const { count, first } = wrongWords(last, seeds.at(-1) ?? Number.NaN)
        return {
          used: usedSteps,
          wrong: count,
          firstWrong: first,
          got: last[first] ?? Number.NaN,
          kept: kept.filter((_, index) => index % GATHER_WORDS < SHOWN_WORDS),
        }
      },
    }
  }
  const runs: WorkloadRun<Tensors>[] = []
  for (let run = 0; run < RUNS; run += 1) runs.push(await runOf(run, run === 0 ? REPEAT_WARM_UP : run - 1))
  return { plan: { words }, given, runs }
}
