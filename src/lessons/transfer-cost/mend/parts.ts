/** What is carried: worker and grader work it out from the same seed. */
import { filled, fillValue } from '../../../gpu/kernels/data/fill'
import { bitsOf, gatherPosition, gatherSeed } from '../../../gpu/kernels/data/gather'

/** 16 KiB, as in the lesson. */
export const PART_WORDS = 4096
export const PART_BYTES = 4 * PART_WORDS

/** All parts, one behind the other, as the buffer on the device is to hold them. */
export const contentOf = (seed: number, parts: number): Float32Array<ArrayBuffer> =>
  filled(parts * PART_WORDS, seed)

/** Of each part so many words are looked at: one that is missing, or in another place, differs in nearly all of them. */
export const KEPT_WORDS = 16

/** Where in the buffer the device reads them, and the bits that must be there. */
export const positionsOf = (part: number): readonly number[] =>
  Array.from(
    { length: KEPT_WORDS },
    (_, index) => part * PART_WORDS + gatherPosition(index, gatherSeed(part), PART_WORDS),
  )
export const bitsAt = (position: number, seed: number): number => bitsOf(fillValue(position, seed))

/** What a run notes. */
export type Uploads = {
  facts: { seed: number; parts: number }
  /** KEPT_WORDS of each part. */
  found: { arrived: ArrayLike<number> }
}
