/**
 * A buffer that batches are sent to, and a pass for each batch that uses it: it keeps words of what
 * is there by then, at places that follow from the step. A batch that never arrived, came late, or
 * is torn shows in nearly all of them.
 */
import { STORAGE, type OwnedBuffer, type RunContext } from '../gpu'
import { bitsOf, GATHER_WORDS, gatherKernel, gatherPosition, gatherSeed } from '../gpu/kernels/data/gather'
import { kernelCall } from '../gpu/kernels/kernel'
import type { Verification } from '../trace/report'
import { exactly } from './check-product'
import { createPass, type Pass } from './matmul'
import { createReadback } from './staging'

/** The word of its batch that the use of a step keeps in its i-th place. */
const keptPosition = (step: number, i: number, words: number): number =>
  gatherPosition(i, gatherSeed(step), words)

/** Bit for bit: what was kept, GATHER_WORDS of each step, is of the step's own batch. */
export function checkArrivals(
  kept: Uint32Array,
  words: number,
  valueAt: (step: number, position: number) => number,
): Verification {
  const isRight = (word: number, index: number): boolean => {
    const step = Math.floor(index / GATHER_WORDS)
    return bitsOf(valueAt(step, keptPosition(step, index % GATHER_WORDS, words))) === word
  }
  return exactly(
    kept.length,
    kept.filter((word, index) => !isRight(word, index)).length,
    `${String(GATHER_WORDS)} words of each batch, bit for bit`,
  )
}

export async function createArrivals(context: RunContext, words: number, steps: number, inTurn = 1) {
  const { queue } = context
  const targets: OwnedBuffer[] = []
  while (targets.length < inTurn) targets.push(await context.buffer('target', 4 * words, STORAGE))
  const [target] = targets
  if (!target) throw new Error('there is one target at least')
  const kept = await context.buffer('kept words', 4 * steps * GATHER_WORDS, STORAGE)
  const readback = await createReadback(context, kept.sizeBytes)
  const uses: Pass[] = []
  for (let step = 0; step < steps; step += 1) {
    const shape = { wordCount: words, seed: gatherSeed(step), outOffset: step * GATHER_WORDS }
    const used = targets[step % inTurn] ?? target
    uses.push(createPass(await context.dispatch(kernelCall(gatherKernel, shape), [used, kept]), 'use'))
  }
  return {
    /** The buffer, or the first where there are several in turn. */
    target,
    targets: targets as readonly OwnedBuffer[],
    /** By step. */
    uses: uses as readonly Pass[],
    /** The bits that were kept: GATHER_WORDS of each step. */
    read: async () => {
      const bytes = await queue.read('found', readback, (encoder) =>
        encoder.copyBufferToBuffer(kept.gpu, 0, readback, 0, kept.sizeBytes),
      )
      return new Uint32Array(bytes)
    },
    /** Nothing has arrived, nothing is kept. */
    clear: () => queue.clear(...targets, kept),
  }
}
