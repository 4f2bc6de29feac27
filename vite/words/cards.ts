/**
 * Cards (src/text/card.ts) as they are written: a paragraph each. What is quoted below it (`>`) is
 * its 'More'. Its picture is a line of its own:
 *
 *     {show 2 steps of never, every-step}
 *     {chart the-figure}, {chart itsName}
 *     {bars Without reads: stepNever; With a read: stepOften}
 *     {flow Batch; the host writes: fillRate; Staging buffer; no clock; Device memory}
 *
 * A variant, a chart, or the label of a bar, that is a name of a word in figures.ts is that word.
 */
import type { Card, CardPicture, FlowWay } from '../../src/text/card'
import type { Figure } from '../../src/text/figure'
import { bindFigure, type Recorded } from '../../src/text/recorded'
import type { Block, Fail } from './blocks'
import { readAt, type TextReader } from './text'
import type { Names } from './named'

export interface CardReader {
  readonly fail: Fail
  readonly read: TextReader
  readonly names: Names
  readonly recorded: Recorded
  /** A card that the file has named, to be put in whole. */
  readonly named?: (name: string) => Card | undefined
  /** It may be a part of a sentence. */
  readonly mayBePart?: boolean
}

/** '2 steps of a, b', as steps of a lesson have it too. */
export function cutOf(text: string): { readonly steps: number; readonly variants: readonly string[] } | null {
  const [, steps, variants = ''] = /^\{show (\d+) steps? of (.*)\}$/.exec(text) ?? []
  return steps === undefined ? null : { steps: Number(steps), variants: variants.split(', ') }
}

/** 'Its label: a figure's name', or a label alone. */
function labelled(text: string): { readonly label: string; readonly value: string | null } {
  const [, label = text, value = null] = /^(.+?): (.+)$/.exec(text) ?? []
  return { label, value }
}

/** Places, and a way between each two. */
function flowOf(
  parts: readonly string[],
  figure: (name: string) => Figure,
  refuse: (message: string) => never,
): CardPicture {
  if (parts.length < 3 || parts.length % 2 === 0)
    refuse("A flow reads 'a place; a way: a figure; a place', with a way between each two places.")
  const read = parts.map(labelled)
  const ways = read.flatMap(({ label, value }, at): FlowWay[] => {
    if (label.trim() === '') refuse('Each place and each way of a flow has its words.')
    if (at % 2 === 1)
      return [{ label, value: value === null ? null : figure(value), to: parts[at + 1] ?? '' }]
    return value === null ? [] : refuse(`A place of a flow has no figure: '${parts[at] ?? ''}'.`)
  })
  if (ways.every(({ value }) => value === null)) refuse('A flow has a figure on one way at least.')
  return { kind: 'flow', from: parts[0] ?? '', ways }
}

function pictureOf(text: string, line: number, { fail, names, recorded }: CardReader): CardPicture | null {
  const cut = cutOf(text)
  if (cut) return { kind: 'strips', steps: cut.steps, variants: cut.variants.map(names.label) }
  const figure = /^\{chart ([A-Za-z0-9-]+)\}$/.exec(text)?.[1]
  if (figure !== undefined) return { kind: 'chart', figure: names.label(figure) }
  const [, kind, listed = ''] = /^\{(bars|flow) (.*)\}$/.exec(text) ?? []
  if (kind === undefined) return null
  const parts = listed.split('; ')
  const quotedOf = (name: string) =>
    readAt(line, fail, () => {
      const quoted = names.quoted(name)
      if ('word' in quoted) throw new Error(`'${name}' is a word.`)
      return { ...quoted, figure: bindFigure(quoted.figure, recorded) }
    })
  if (kind === 'flow')
    return flowOf(
      parts,
      (name) => quotedOf(name).figure,
      (message) => fail(line, message),
    )
  const bars = parts.map((each) => {
    const { label, value } = labelled(each)
    if (value === null) return fail(line, `A bar reads 'Its label: a figure', not '${each}'.`)
    if (!/\p{L}/u.test(label)) fail(line, `'${label}' alone does not say what the bar is of.`)
    const { figure, as } = quotedOf(value)
    return { label: names.label(label), value: figure, ...(as === undefined ? {} : { as }) }
  })
  return { kind: 'bars', bars }
}

export function cardsOf(blocks: readonly Block[], reader: CardReader): readonly Card[] {
  const { fail, read, named, mayBePart = false } = reader
  const cards: Card[] = []
  const change = (line: number, changed: (card: Card) => Partial<Card>) => {
    const card = cards.pop() ?? fail(line, 'A card begins with a paragraph.')
    cards.push({ ...card, ...changed(card) })
  }
  for (const block of blocks) {
    const { line } = block
    if (block.type === 'quote') change(line, ({ more }) => ({ more: [...more, read.text(block.lines)] }))
    else if (block.type !== 'paragraph') fail(line, 'A card has paragraphs, quotes and a picture.')
    else {
      const picture = pictureOf(block.text, line, reader)
      const name = /^\{>\s*([^{}]*?)\s*\}$/.exec(block.text)?.[1]
      const card = name === undefined ? undefined : named?.(name)
      if (picture) change(line, (of) => (of.picture ? fail(line, 'A card has one picture.') : { picture }))
      else
        cards.push(
          card ?? {
            text: read.text(block.lines, mayBePart && block.lines.length === 1),
            picture: null,
            more: [],
          },
        )
    }
  }
  return cards
}
