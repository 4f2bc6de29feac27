/** The same kernels must run in the same order, handed over by at most two submits. */
import { grouped } from '../../../base/figures'
import { firstWrong, checksOf, rulesFor, times, without } from '../../../exercises/rules'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { submissionsOf } from '../../../exercises/trace-of-run'

/** A thousand and a few: 64 kernels, each with numbers of its own, sixteen times in turn. */
export const DIFFERENT = 64
export const KERNELS = 16 * DIFFERENT
export const WORDS = 256

/** The words behind all kernels, and how many kernels the GPU counted. */
export type Chain = { words: ArrayLike<number>; kernelsRun: number }

const { outputIs, ranExactly, atMost, halfTheTime, took } = rulesFor<Chain>('clean')
const MOST_SUBMITS = 2

/** The first word that is wrong, in words; null where none is. */
function wrongWord({ found }: RunOf<Chain>, labs: RunOf<Chain>): string | null {
  const at = firstWrong(found.words, labs.found.words)
  return at < 0
    ? null
    : `Word ${String(at)} of the result is ${String(found.words[at])}; after all kernels in their order it is ${String(labs.found.words[at])}.`
}

export const rules: ExerciseRules = {
  figure: took(`for ${grouped(KERNELS)} small kernels, until the host knew that they had ended`),
  checks: checksOf({
    output: outputIs(wrongWord, 'All kernels ran in order and the result is right'),
    work: ranExactly('kernelsRun', KERNELS, ['The GPU ran', 'kernels']),
    submits: atMost(
      MOST_SUBMITS,
      (trace, run) => submissionsOf(trace, run).length,
      (count) => `Your program called submit() ${times(count)} in a run`,
      submissionsOf,
    ),
    time: halfTheTime,
  }),
}

/** The same checks as the last rung, whatever recording the kernels one by one takes. */
export const firstRung = without(rules, 'time')
