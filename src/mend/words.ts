/** What learners read of a mend, `lessons/<id>/mend/mend.md`; the code beside the words is in mends.ts. */

export interface MendWords {
  /** An imperative: 'Mend the training loop'. */
  readonly title: string
  /** What the program does, and what must become true: paragraphs. */
  readonly task: readonly string[]
  /** By check, in their order: what it wants. */
  readonly must: readonly { readonly id: string; readonly text: string }[]
  /** Three, from a question to the line. */
  readonly hints: readonly string[]
  readonly pytorch: {
    readonly before: readonly string[]
    readonly code: string
    readonly after: readonly string[]
  }
  /** With the reference, after a pass or on request. */
  readonly why: readonly string[]
}
