/** What the losses of a run must be: worker and grader work it out from the same seeds. */
import type { Expected } from '../../../gpu/kernels/matmul/chain'
import { seededEntry } from '../../../gpu/kernels/matmul/seeded-entry'
import { randomWord } from '../../../gpu/kernels/pcg'

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
  /** Steps that the GPU counted; calls of the host's work; when each was encoded, ns since the trace's origin. */
  found: { stepsRun: number; hostRuns: number; encodedNs: readonly number[] }
}

/** C after step s is (s + 1)·A·B. */
export const expectedLosses = ({ n, seedA, seedB, seedPlan }: Training['facts']): readonly Expected[] =>
  positionsOf(n, seedPlan).map((word, step) =>
    seededEntry({ n, seedA, seedB, times: step + 1 }, Math.floor(word / n), word % n),
  )
