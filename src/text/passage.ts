/** Paragraphs of words, some under conditions, as what stands on the page. */
import { NO_FACTS, type Facts, type Names } from './facts'
import { render, type Reading, type Text } from './template'
import { say } from './wording'

/**
 * One paragraph of inline markup: `code`, *emphasis*, **strong**, [text](https://…),
 * [encodes](#encode), a word of glossary.md, and [[device:the device]], a term in that lane's hue
 * (keys: host, wait, queue, staging, transfer, device, idle). Titles, labels and slider words are
 * plain.
 */
export type Inline = string
export type Prose = readonly Inline[]

/**
 * `| A | table |` in reference.md, with its caption before it. Every row has a cell for every
 * column, and its first cell names it.
 */
export interface Table {
  readonly caption: Inline
  readonly columns: readonly { readonly head: Inline; readonly align: 'start' | 'center' | 'end' }[]
  readonly rows: readonly (readonly Inline[])[]
}
export type Passage = readonly Text[]

/** Figures are quoted short. */
export const readingOf = (facts: Facts, names: Names = {}): Reading => ({
  facts,
  names,
  metric: say,
  withBounds: false,
})

/** Of no run, and of no device. */
export const NO_READING = readingOf(NO_FACTS)

/** What is to be shown, in order. */
export const partsFor = (passage: Passage, reading: Reading): Prose =>
  passage.flatMap((part) => render(part, reading) ?? [])
