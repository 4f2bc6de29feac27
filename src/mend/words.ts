/** What learners read of a mend, `lessons/<id>/mend/mend.md`; the code beside the words is in mends.ts. Facts are of the lesson's own run. */
import type { Passage } from '../words/passage'
import type { Text } from '../words/template'

export interface MendWords {
  /** An imperative: 'Mend the training loop'. */
  readonly title: string
  /** What the program does, and what must become true: paragraphs. */
  readonly task: Passage
  /** By check, in their order: what it wants. In mend.md the mend's own; in a loaded mend all, those that every mend has behind them. */
  readonly must: readonly { readonly id: string; readonly text: string; readonly isCommon?: true }[]
  /** Three, from a question to the line. */
  readonly hints: readonly Text[]
  /** Null of a rung that has none. */
  readonly pytorch: {
    readonly before: Passage
    readonly code: string
    readonly after: Passage
  } | null
  /** With the reference, after a pass or on request. */
  readonly why: Passage
}
