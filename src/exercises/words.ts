/**
 * Words of an exercise for its learners, `lessons/<id>/mend/mend.md`; the code beside the words is
 * in lessons/exercises.ts. Facts are of the lesson's own run.
 */
import type { Text, Passage } from '../text/template'

export interface RungWords {
  /** An imperative: 'Mend the training loop'. */
  readonly title: string
  /** What the program does and what must become true, in paragraphs. */
  readonly task: Passage
  /**
   * By check, in their order: what it wants. In mend.md the rung's own; in a loaded mend all, those
   * that every mend has behind them.
   */
  readonly must: readonly { readonly id: string; readonly text: string; readonly isCommon?: true }[]
  /** Three, from a question to the line. */
  readonly hints: readonly Text[]
  /** With the reference, after a pass or on request. */
  readonly why: Passage
}

export interface ExerciseWords extends RungWords {
  /** The fix to copy. */
  readonly pytorch: {
    readonly before: Passage
    readonly code: string
    readonly after: Passage
  }
}

/** All that `mend.md` says. */
export interface ExerciseFile extends Pick<ExerciseWords, 'pytorch'> {
  /** In their order. */
  readonly rungs: readonly RungWords[]
  /** Markdown that names.ts reads; null beside a shader. */
  readonly names: string | null
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
