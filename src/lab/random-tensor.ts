/**
 * A tensor of random integers that programs fill anew for each step, and a pass for each step that
 * uses it: it keeps samples of what stands in the tensor by then. So a step that made no tensor, or
 * used that of another, shows afterwards.
 */
import { STORAGE, type RunContext } from '../gpu'
import { GATHER_WORDS, gatherKernel, gatherPosition } from '../gpu/kernels/data/gather'
import { kernelCall } from '../gpu/kernels/kernel'
import { randomWord, wordsOf } from '../gpu/kernels/pcg'
import { createPass, type Pass } from './matmul'
import { createReadback } from './staging'

const PART_WORDS = 2 ** 14

export async function createRandomTensor(context: RunContext, words: number, steps: number) {
  const { queue } = context
  const buffer = await context.buffer('tensor', 4 * words, STORAGE)
  const kept = await context.buffer('kept words', 4 * steps * GATHER_WORDS, STORAGE)
  const readback = await createReadback(context, buffer.sizeBytes + kept.sizeBytes)
  return {
    buffer,
    /** By step, at positions that follow from a seed. */
    uses: async (seed: number): Promise<readonly Pass[]> => {
      const uses: Pass[] = []
      for (let step = 0; step < steps; step += 1) {
        const shape = { wordCount: words, seed: seed + step, outOffset: step * GATHER_WORDS }
        uses.push(createPass(await context.dispatch(kernelCall(gatherKernel, shape), [buffer, kept]), 'use'))
      }
      return uses
    },
    /** Reads the words that are on the device now. */
    read: async () => {
      const found = await queue.read('found', readback, (encoder) => {
        encoder.copyBufferToBuffer(buffer.gpu, 0, readback, 0, buffer.sizeBytes)
        encoder.copyBufferToBuffer(kept.gpu, 0, readback, buffer.sizeBytes, kept.sizeBytes)
      })
      return {
        /** The whole last tensor. */
        last: new Uint32Array(found, 0, words),
        /** GATHER_WORDS of each step's tensor. */
        kept: new Uint32Array(found, buffer.sizeBytes, steps * GATHER_WORDS),
      }
    },
    clear: () => queue.clear(buffer, kept),
  }
}

/**
 * The i-th word that the pass of a step keeps, where the step's tensor is the stream of
 * `tensorSeed`.
 */
export const keptWord = (
  i: number,
  { step, seed, words, tensorSeed }: Readonly<Record<'step' | 'seed' | 'words' | 'tensorSeed', number>>,
): number => randomWord(gatherPosition(i, seed + step, words), tensorSeed)

/** The first word that is not of the stream, and how many are not. */
export function wrongWords(
  words: Uint32Array,
  tensorSeed: number,
): { readonly count: number; readonly first: number } {
  const wordAt = wordsOf(tensorSeed)
  let [count, first] = [0, -1]
  // In parts: of a modelled device's memory a part is worked out as a whole.
  for (let from = 0; from < words.length; from += PART_WORDS) {
    const part = words.slice(from, from + PART_WORDS)
    for (let at = 0; at < part.length; at += 1) {
      if (part[at] === wordAt(from + at)) continue
      if (count === 0) first = from + at
      count += 1
    }
  }
  return { count, first }
}
