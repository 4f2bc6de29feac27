/** What is made and computed: worker and grader work it out from the same seeds. */
import { bitsOf, gatherPosition, gatherSeed } from '../../../gpu/kernels/data/gather'
import { seededEntry, wrongNumber } from '../../../gpu/kernels/matmul/seeded-entry'
import { createBatchMaker, type BatchOptions } from '../../../lab/batch-maker'
import type { RunOf } from '../../../exercises/types'

/** Of the words that the device keeps of a batch, so many are looked at. */
export const KEPT_WORDS = 16
/** Entries of C that are looked at, from its first. */
export const ENTRIES = 8

export type Batches = {
  facts: Record<'n' | 'times' | 'steps' | 'seedA' | 'seedB' | 'words' | 'augmentations' | 'seed', number> & {
    /** Which batch of the data set is batch 0 of this run. */
    first: number
    /** How many the data set has. */
    count: number
  }
  found: {
    /** Of each batch that was asked of a worker: which, and when, ns since the trace's origin. */
    askedSteps: readonly number[]
    askedNs: readonly number[]
    /** How many batches had come from the workers by then. */
    askedCome: readonly number[]
    /** When each batch came from a worker. */
    comeNs: readonly number[]
    /** Which each of those was. */
    comeSteps: readonly number[]
    /** Which were made in the program's own thread. */
    ownSteps: readonly number[]
    /** Of each use: of which step, and when it was encoded. */
    usedSteps: readonly number[]
    usedNs: readonly number[]
    /** How long making the batches took, all together, whichever thread made them. */
    madeMs: number
    /** How often the product was encoded. */
    products: number
    /** KEPT_WORDS of each batch. */
    arrived: ArrayLike<number>
    entries: ArrayLike<number>
  }
}

export const datasetOf = ({
  words,
  count,
  seed,
  augmentations,
}: Pick<Batches['facts'], 'words' | 'count' | 'seed' | 'augmentations'>): BatchOptions => ({
  words,
  count,
  seed,
  augmentations: [augmentations],
})

/** What is wrong with what arrived and was computed, in words; null where nothing is. */
export function wrongBatch({ facts, found }: RunOf<Batches>): string | null {
  const { valueAt } = createBatchMaker(datasetOf(facts))
  for (let step = 0; step < facts.steps; step += 1) {
    let wrong = 0
    for (let index = 0; index < KEPT_WORDS; index += 1) {
      const position = gatherPosition(index, gatherSeed(step), facts.words)
      const expected = bitsOf(valueAt(facts.first + step, position))
      if (found.arrived[step * KEPT_WORDS + index] !== expected) wrong += 1
    }
    if (wrong > 0)
      return `In step ${String(step)} the GPU did not have batch ${String(step)}: ${String(wrong)} of ${String(KEPT_WORDS)} words of it are not its own.`
  }
  for (let column = 0; column < ENTRIES; column += 1) {
    const subject = `The batches arrived, but the layers’ result is wrong: entry (0, ${String(column)})`
    const wrong = wrongNumber(subject, found.entries[column], seededEntry(facts, 0, column), 'the GPU has')
    if (wrong !== null) return wrong
  }
  return null
}

/** The first batch that was not made once, in words. */
export function notOnce({ facts, found }: RunOf<Batches>): string | null {
  const made = [...found.askedSteps, ...found.ownSteps]
  for (let step = 0; step < facts.steps; step += 1) {
    const count = made.filter((each) => each === step).length
    if (count !== 1)
      return `Batch ${String(step)} was made ${count === 0 ? 'not at all' : `${String(count)} times`}.`
  }
  return null
}
