/**
 * Sentences over figures, as data: made of Markdown's `{names}` and of figures.ts while the site is
 * built. A sentence with a figure that was not measured is dropped whole. Paragraphs of them are
 * what stands on the page. Pure.
 */
import type { Metric } from '../trace/report'
import { holds, type Condition } from './condition'
import { evaluate, metricOf, type Figure, type Quantity, IN_MS } from './figure'
import { BROWSER_OF, type Facts, type Names, NO_FACTS } from './facts'
import { about, factorInWords, inTimes, say } from './wording'

/**
 * Sentences of one paragraph, those of a list joined; a choice takes its text where its condition
 * holds, else the other.
 */
export type Text = string | Sentence | Choice | readonly Text[]
interface Choice {
  readonly when: Condition
  readonly text: Text
  readonly otherwise?: Text
}
/** One that quotes. */
export interface Sentence {
  readonly parts: readonly (string | Quoted)[]
}

/** A sentence has this in the place of a name in braces. */
export type Quoted = QuotedFigure | QuotedName
interface QuotedFigure {
  readonly figure: Figure
  /** Left out, figures are written as this reader quotes them. */
  readonly as?: Format
}
/** A word that the experiment has for this run: 'every-step'; or BROWSER. */
interface QuotedName {
  readonly word: string
}

/** The word that each run has: whose browser it was made in. */
export const BROWSER = 'browser'

export interface Reading {
  readonly facts: Facts
  readonly names: Names
  /** Quotes a measured metric: short in a verdict, with its bounds in an explanation. */
  readonly metric: (metric: Metric) => string
  /** Factors too are quoted with their interval. */
  readonly withBounds: boolean
}

/**
 * 'times' ('4.03 times' of a factor, '9.1 times' of a ratio), 'at-least' (the smallest ratio that
 * both intervals allow), 'about' (two digits), or a time in that unit.
 */
export type Format = 'times' | 'at-least' | 'about' | 'ms' | 'us'

/** A time in another unit; what has no unit is taken to be in this one. */
function inUnit({ value, unit }: Quantity, wanted: Quantity['unit']): number {
  const [from, to] = [IN_MS[unit], IN_MS[wanted]]
  if (from !== undefined && to !== undefined) return (value * from) / to
  if (unit !== 'count' && unit !== wanted) throw new Error(`A figure in ${unit} is not in ${wanted}.`)
  return value
}

/** Null: it was not measured. */
export function fill(quoted: Quoted, { facts, names, metric: quote, withBounds }: Reading): string | null {
  if ('word' in quoted)
    return quoted.word === BROWSER
      ? facts.run
        ? BROWSER_OF[facts.run.origin]
        : null
      : (names[quoted.word] ?? null)
  const { figure, as } = quoted
  if (figure.is === 'fact' && as === undefined) {
    const value = (figure.from === 'param' ? facts.params : facts.derived)[figure.name]
    return value === undefined
      ? null
      : typeof value === 'number'
        ? say({ value, unit: 'count' })
        : String(value)
  }
  const quantity = evaluate(figure, facts, names)
  if (!quantity) return null
  const metric = metricOf(figure, facts, names)
  switch (as) {
    case undefined:
      return metric ? quote(metric) : say(quantity)
    case 'times':
      return metric
        ? factorInWords(withBounds ? quantity : { ...quantity, low: null })
        : inTimes(quantity.value)
    case 'at-least':
      return quantity.low === null ? null : inTimes(quantity.low)
    case 'about':
      return about(quantity.value)
    default:
      return say({ value: inUnit(quantity, as), unit: as })
  }
}

function renderSentence({ parts }: Sentence, reading: Reading): string | null {
  const words = parts.map((part) => (typeof part === 'string' ? part : fill(part, reading)))
  return words.includes(null) ? null : words.join('')
}

/** One paragraph; null where nothing of it can be stated. */
export function render(text: Text, reading: Reading): string | null {
  if (typeof text === 'string') return text === '' ? null : text
  if ('parts' in text) return renderSentence(text, reading)
  if (isList(text)) return joined(text.map((part) => render(part, reading)))
  if (holds(text.when, reading.facts, reading.names)) return render(text.text, reading)
  return text.otherwise === undefined ? null : render(text.otherwise, reading)
}

// Array.isArray does not narrow readonly arrays out of a union.
const isList = (text: Text): text is readonly Text[] => Array.isArray(text)

const joined = (parts: readonly (string | null)[]): string | null => {
  const kept = parts.filter((part) => part !== null && part !== '')
  return kept.length > 0 ? kept.join(' ') : null
}

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

/** A reading of no run and no device. */
export const NO_READING = readingOf(NO_FACTS)

/** Parts to be shown, in order. */
export const partsFor = (passage: Passage, reading: Reading): Prose =>
  passage.flatMap((part) => render(part, reading) ?? [])
