/** What the losses of a run must be: worker and grader work it out from the same seeds. */
import type { Expected } from '../../../kernels/matmul/chain'
import { seededEntry, wrongNumber } from '../../../kernels/matmul/seeded-entry'
import { randomWord } from '../../../kernels/pcg'
import type { RunOf } from '../../../mend/run-facts'

export const STEPS = 64

/** For each step the word of C that is its loss. */
export const positionsOf = (n: number, seed: number): number[] =>
  Array.from({ length: STEPS }, (_, step) => randomWord(step, seed) % (n * n))

/** The step whose loss is not a number: neither among the first, where little is in flight, nor so late that stopping saves nothing. */
export const nanStepOf = (seed: number): number => 16 + (randomWord(STEPS, seed) % 32)

/** What a run notes. */
export type Training = {
  /** `nanStep` -1: every loss is a number. */
  facts: { n: number; seedA: number; seedB: number; seedPlan: number; nanStep: number }
  /** Steps that the GPU counted; when each was encoded, ns since the trace's origin. */
  found: { stepsRun: number; encodedNs: readonly number[] }
}

/** C after step s is (s + 1)·A·B. @internal Tests make their evidence with it. */
export const expectedLosses = ({ n, seedA, seedB, seedPlan }: Training['facts']): readonly Expected[] =>
  positionsOf(n, seedPlan).map((word, step) =>
    seededEntry({ n, seedA, seedB, times: step + 1 }, Math.floor(word / n), word % n),
  )

/** Of what a program returned, the first loss that is wrong, in words; null where none is. */
export function wrongLoss({ facts, output }: RunOf<Training>): string | null {
  const { nanStep } = facts
  if (!Array.isArray(output)) return 'Your program must return the list of losses.'
  const losses: readonly unknown[] = output
  const count = nanStep < 0 ? STEPS : nanStep
  if (losses.length < count)
    return `Your program returned ${String(losses.length)} losses; ${nanStep < 0 ? `there are ${String(STEPS)}` : `${String(count)} came before the one that is not a number`}.`
  if (nanStep < 0 && losses.length > STEPS)
    return `Your program returned ${String(losses.length)} losses of ${String(STEPS)} steps.`
  for (const [step, expected] of expectedLosses(facts).slice(0, count).entries()) {
    const wrong = wrongNumber(
      `The loss of step ${String(step)}`,
      losses[step],
      expected,
      'your program returned',
    )
    if (wrong !== null) return wrong
  }
  return nanStep >= 0 && !Number.isNaN(losses[nanStep])
    ? `The loss of step ${String(nanStep)} is not a number; your program did not report it so.`
    : null
}
