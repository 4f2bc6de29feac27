/** What the losses of a run must be: worker and grader work it out from the same seeds. */
import { randomWord } from '../../../kernels/pcg'

export const STEPS = 64

/** For each step the word of C that is its loss. */
export const positionsOf = (n: number, seed: number): number[] =>
  Array.from({ length: STEPS }, (_, step) => randomWord(step, seed) % (n * n))

/** The step whose loss is not a number: neither among the first, where little is in flight, nor so late that stopping saves nothing. */
export const nanStepOf = (seed: number): number => 16 + (randomWord(STEPS, seed) % 32)
