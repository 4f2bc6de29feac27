/**
 * Words of an exercise for its learners, `lessons/<id>/mend/mend.md`; the code beside the words is
 * in exercises.ts. Facts are of the lesson's own run.
 */
import type { Passage } from '../text/passage'
import type { Text } from '../text/template'

export interface ExerciseWords {
  /** An imperative: 'Mend the training loop'. */
  readonly title: string
  /** What the program does and what must become true, in paragraphs. */
  readonly task: Passage
  /**
   * By check, in their order: what it wants. In mend.md the mend's own; in a loaded mend all, those
   * that every mend has behind them.
   */
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

/** Another way to mend than the lab's own, as the page shows it (vite/ways.ts). */
export interface Way {
  /** 'Free list' */
  readonly name: string
  /** A sentence. */
  readonly why: string
  readonly source: string
  /** The same by lines of tokens: plain text, or text and its kind (vite/highlight.ts). */
  readonly lines: readonly (readonly (string | readonly [text: string, kind: string])[])[]
}
