/** All batches there when they are used, written once, through at most three staging buffers. */
import { firstWrongPart, checksOf, rulesFor, without } from '../../../exercises/rules'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { hostSpansOf, stagedBatches } from '../../../exercises/trace-of-run'

/** The lab finds this after a run: what was kept of each batch, as many words of each. */
export type Loads = { batchBytes: number; steps: number; kept: ArrayLike<number> }

const { outputIs, uploadedBytes, halfTheTime, took } = rulesFor<Loads>('uploads')
const MOST_STAGING = 3

/**
 * The first batch of which not every word that was kept is its own, in words; null where there is
 * none.
 */
function missingBatch({ found }: RunOf<Loads>, labs: RunOf<Loads>): string | null {
  const wrong = firstWrongPart(found.kept, labs.found.kept, found.steps)
  return (
    wrong &&
    `Batch ${String(wrong.part)} was not there when it was used: ${String(wrong.wrong)} of the ${String(wrong.of)} words that were kept are not its own.`
  )
}

export const rules: ExerciseRules = {
  figure: took('for each batch', ({ found }) => found.steps),
  checks: checksOf({
    output: outputIs(missingBatch, (run) => `All ${String(run?.found.steps)} batches arrived`),
    work: uploadedBytes(({ found }) => found.batchBytes * found.steps),
    buffers: rulesFor<Loads>('uploads', 'warm-up too').atMost(
      MOST_STAGING,
      (trace, run) => stagedBatches(trace, run, run.found.batchBytes),
      (count) =>
        `Your program made staging buffers for ${count === 1 ? 'one batch' : `${String(count)} batches`} in a run`,
      (trace, run) => hostSpansOf(trace, run, ['create', 'write']),
    ),
    time: halfTheTime,
  }),
}

/**
 * One buffer saves the making and costs a wait, and which of them is longer depends on the machine.
 */
export const firstRung = without(rules, 'time')
