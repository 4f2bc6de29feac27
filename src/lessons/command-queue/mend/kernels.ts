/** What the kernels of a run do, and what must come of it: worker and grader work it out from the same seed. */
import { chainWord, type ChainShape } from '../../../gpu/kernels/data/chain'
import { randomWord } from '../../../gpu/kernels/pcg'

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
