/** Something that is wrong with a program, at its place in the text. */
export interface Problem {
  /** From 1. */
  readonly line: number
  /** From 0, in UTF-16 code units. */
  readonly column: number
  /** On the same line, exclusive. Left out: the word at `column`. */
  readonly endColumn?: number
  /** A sentence. */
  readonly message: string
  readonly severity: 'error' | 'warning'
}
