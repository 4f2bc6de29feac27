/** Figures that are typed into words, and why they may be: none of them says what a machine was measured to do. */
interface Typed {
  /** Below src/. */
  readonly file: string
  readonly figures: readonly string[]
  readonly why: string
}
export const TYPED: readonly Typed[] = []
