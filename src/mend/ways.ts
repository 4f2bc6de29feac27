/** Other ways to mend, beside the lab's own: right programs that the tests grade, as vite/ways.ts lays them out for a reader. */

export interface WayHead {
  /** 'Free list' */
  readonly name: string
  /** A sentence. */
  readonly why: string
}

export interface Way extends WayHead {
  readonly source: string
  /** The same by lines of tokens: plain text, or text and its kind (vite/highlight.ts). */
  readonly lines: readonly (readonly (string | readonly [text: string, kind: string])[])[]
  /** Lines that the lab's own does not have, and lines of the lab's own that it does not have. */
  readonly added: number
  readonly gone: number
}
