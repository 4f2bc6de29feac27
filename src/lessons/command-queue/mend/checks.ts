/** The same kernels in the same order, handed over by at most two submits. */
import { chainWord, type ChainShape } from '../../../gpu/kernels/data/chain'
import { randomWord } from '../../../gpu/kernels/pcg'
import { onDevice, PIPELINE, type Names } from '../../../exercises/names'
import { grouped } from '../../../base/figures'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { checksOf, rulesFor, times, without } from '../../../exercises/rules'
import { submissionsOf } from '../../../exercises/trace-of-run'

/** A thousand and a few: 64 kernels, each with numbers of its own, sixteen times in turn. */
export const DIFFERENT = 64
export const KERNELS = 16 * DIFFERENT
export const WORDS = 256

export type Step = Pick<ChainShape, 'mask' | 'factor'>

export const stepsOf = (seed: number): readonly Step[] =>
  Array.from({ length: DIFFERENT }, (_, kernel) => ({
    mask: randomWord(2 * kernel, seed),
    factor: (randomWord(2 * kernel + 1, seed) | 1) >>> 0,
  }))

export const startWords = (seed: number): Uint32Array<ArrayBuffer> =>
  Uint32Array.from({ length: WORDS }, (_, word) => randomWord(2 * DIFFERENT + word, seed))

/** After all kernels, in order. */
export function expectedWords(seed: number): Uint32Array {
  const steps = stepsOf(seed)
  return startWords(seed).map((word) => {
    let value = word
    for (let round = 0; round < KERNELS / DIFFERENT; round += 1)
      for (const step of steps) value = chainWord(value, step)
    return value
  })
}

/** What a run notes. */
export type Chain = {
  facts: { seed: number }
  /** The words behind all kernels, and how many kernels the GPU counted. */
  found: { words: ArrayLike<number>; kernelsRun: number }
}

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  pipeline: { has: PIPELINE, says: 'The kernel, compiled.' },
  bindGroups: { says: 'The numbers of each kernel, to be taken in turn.' },
  workgroups: { says: 'How many workgroups each kernel has: x, y and z.' },
  kernels: { says: 'How many kernels to run.' },
} as const satisfies Names
export const scope = onDevice(input)

const { outputIs, ranExactly, atMost, halfTheTime, took } = rulesFor<Chain>('clean')
const MOST_SUBMITS = 2

/** The first word that is wrong, in words; null where none is. */
function wrongWord({ facts, found: { words } }: RunOf<Chain>): string | null {
  if (words.length !== WORDS) return 'The result could not be read.'
  const expected = expectedWords(facts.seed)
  const at = expected.findIndex((word, index) => words[index] !== word)
  return at < 0
    ? null
    : `Word ${String(at)} of the result is ${String(words[at])}; after all kernels in their order it is ${String(expected[at])}.`
}

export const rules: ExerciseRules = {
  figure: took(`for ${grouped(KERNELS)} small kernels, until the host knew that they had ended`),
  checks: checksOf({
    output: outputIs(wrongWord, 'All kernels ran in order and the result is right'),
    work: ranExactly(
      ({ found }) => found.kernelsRun,
      KERNELS,
      (count) => `The GPU ran ${count} kernels`,
    ),
    submits: atMost(
      MOST_SUBMITS,
      (trace, run) => submissionsOf(trace, run).length,
      (count) => `Your program called submit() ${times(count)} in a run`,
      submissionsOf,
    ),
    time: halfTheTime,
  }),
}

/** As the last rung, whatever recording the kernels one by one takes. */
export const firstRung = without(rules, 'time')
