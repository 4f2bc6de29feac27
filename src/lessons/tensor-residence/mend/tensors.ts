/** What worker and grader know of this mend. */
export const TENSORS = 4
/** Of what the pass of each step keeps, the grader looks at so many words. */
export const SHOWN_WORDS = 64

/** What a run notes. */
export type Tensors = {
  facts: { words: number; seeds: readonly number[]; seedKept: number }
  found: {
    /** Steps whose passes were encoded, in order. */
    used: readonly number[]
    /** Of the last tensor: how many words are wrong, which is the first, and what it is. */
    wrong: number
    firstWrong: number
    got: number
    /** SHOWN_WORDS of each. */
    kept: ArrayLike<number>
  }
}
