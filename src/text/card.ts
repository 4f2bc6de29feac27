/**
 * Explanations in cards: one idea each, with a picture where there is one. What teaches besides is
 * folded. Pure.
 */
import type { Figure } from './figure'
import { render, type Format, type Reading, type Text, partsFor, type Passage } from './template'

/** A label is text, or a word of the experiment's for the run: '$often', which is 'every-step'. */
type Label = string

export type CardPicture =
  /** So many steps of these variants of the lesson's own run, one above the other. */
  | { readonly kind: 'strips'; readonly steps: number; readonly variants: readonly Label[] }
  /** A chart of the report of the lesson's own run. */
  | { readonly kind: 'chart'; readonly figure: Label }
  /** Figures of one unit, each from zero. */
  | {
      readonly kind: 'bars'
      readonly bars: readonly { readonly label: Label; readonly value: Figure; readonly as?: Format }[]
    }
  /** Places in a row, and the way to each from the one before. */
  | { readonly kind: 'flow'; readonly from: string; readonly ways: readonly FlowWay[] }

export interface FlowWay {
  readonly label: string
  /** Null: no clock sees it. */
  readonly value: Figure | null
  readonly to: string
}

export interface Card {
  /** Its idea in bold comes first. */
  readonly text: Text
  readonly picture: CardPicture | null
  /** The part is folded. */
  readonly more: Passage
}

/**
 * Those of which something can be stated, as they stand on the page. `idea` null: the words begin
 * with no idea in bold.
 */
export const cardsFor = (cards: readonly Card[], reading: Reading) =>
  cards.flatMap(({ text, picture, more }) => {
    const shown = render(text, reading)
    if (shown === null) return []
    const [, idea = null, words = shown] = /^\*\*([^*]+)\*\*\s*([^]*)$/.exec(shown) ?? []
    // An idea that is a heading is a sentence, and so is what follows it.
    const isOpen = idea?.endsWith(':') === true
    return [
      {
        idea: isOpen ? `${idea.slice(0, -1)}.` : idea,
        words: isOpen ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : words,
        picture,
        more: partsFor(more, reading),
      },
    ]
  })

/** Cards as paragraphs; nothing is folded there. */
export const passageOf = (cards: readonly Card[]): Passage =>
  cards.flatMap(({ text, more }) => [text, ...more])
