/** Paragraphs and tables of words, some under conditions, as what stands on the page. */
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
 * `| A | table |` in the file, with its caption before it. Every row has a cell for every column,
 * and its first cell names it.
 */
export interface Table {
  readonly caption: Inline
  readonly columns: readonly { readonly head: Inline; readonly align: 'start' | 'center' | 'end' }[]
  readonly rows: readonly (readonly Inline[])[]
}
export type Passage = readonly (Text | Table)[]

const isTable = (part: Text | Table): part is Table => typeof part === 'object' && 'rows' in part

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
export const partsFor = (passage: Passage, reading: Reading): readonly (Inline | Table)[] =>
  passage.flatMap((part): readonly (Inline | Table)[] => {
    if (isTable(part)) return [part]
    const words = render(part, reading)
    return words === null ? [] : [words]
  })

/**
 * A table as sentences: its caption, then each row with the heads of its columns. Where words alone
 * can stand: said aloud, searched.
 */
const tableWords = ({ caption, columns, rows }: Table): Prose => [
  caption,
  ...rows.map(([name = '', ...cells]) => {
    const said = cells.map((cell, index) => `${columns[index + 1]?.head ?? ''}: ${cell}`)
    return `${name}. ${said.join('; ')}.`
  }),
]

/** The same in words alone. */
export const wordsFor = (passage: Passage, reading: Reading): Prose =>
  partsFor(passage, reading).flatMap((part) => (typeof part === 'string' ? [part] : tableWords(part)))

/** A table with every text of it written anew: figures filled in. */
export const mapTable = (table: Table, write: (text: Inline) => Inline): Table => ({
  caption: write(table.caption),
  columns: table.columns.map(({ head, align }) => ({ head: write(head), align })),
  rows: table.rows.map((row) => row.map(write)),
})
