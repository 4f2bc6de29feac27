/** What worker and grader know of this mend. */
export const TENSORS = 4
/** Of what the pass of each step keeps, the grader looks at so many words. */
export const SHOWN_WORDS = 64
