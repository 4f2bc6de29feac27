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

/** Another way to mend, beside the lab's own: a right program that the tests grade. */
export interface WayHead {
  /** 'Free list' */
  readonly name: string
  /** A sentence. */
  readonly why: string
}

/** As vite/ways.ts lays it out for a reader. */
export interface Way extends WayHead {
  readonly source: string
  /** The same by lines of tokens: plain text, or text and its kind (vite/highlight.ts). */
  readonly lines: readonly (readonly (string | readonly [text: string, kind: string])[])[]
  /** Lines that the lab's own does not have, and lines of the lab's own that it does not have. */
  readonly added: number
  readonly gone: number
}
