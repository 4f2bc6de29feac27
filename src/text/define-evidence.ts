/** What figures.ts has for `{shown by name}`, at the end of a sentence that claims a cause. */
import type { Made } from './define-figures'
import type { Figure } from './figure'

/** What shows a cause: the same with and without it, or parts that add up to the whole. */
export type Evidence =
  | { readonly kind: 'pair'; readonly figures: readonly [withIt: Figure, withoutIt: Figure] }
  | { readonly kind: 'parts'; readonly whole: Figure; readonly parts: readonly Figure[] }
export type AllEvidence = Readonly<Record<string, Evidence>>

/** The same program measured with and without the cause; the two are apart in the recorded run. */
export const pair = (withIt: Made, withoutIt: Made): Evidence => ({
  kind: 'pair',
  figures: [withIt.figure, withoutIt.figure],
})
/** Parts whose sum is within 10 % of the whole. */
export const parts = (whole: Made, of: readonly Made[]): Evidence => ({
  kind: 'parts',
  whole: whole.figure,
  parts: of.map(({ figure }) => figure),
})
/** What `{shown by name}` stands for at the end of a sentence that claims a cause. */
export const defineEvidence = <const E extends AllEvidence>(evidence: E): E => evidence
