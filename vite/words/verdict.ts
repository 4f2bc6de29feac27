/**
 * `verdict.md` as the rules of src/experiments/declare/experiment.ts.
 * src/experiments/declare/README.md shows the format by example: a title and prose for readers;
 * then the sections of SECTIONS, in that order. A passage stands above where it is used, and each
 * is used. A paragraph is made of lines, each of whole sentences; a line may begin with a condition
 * of figures.ts, and `{>name}` puts a passage in. A file that breaks a rule throws a WordsFault
 * with its line, and the site is not built.
 */
import type { Rule } from '../../src/experiments/declare/experiment'
import type { Card } from '../../src/text/card'
import type { Recorded } from '../../src/text/recorded'
import { failIn, namedParts, partsOf, readBlocks, sectionsOf, type Fail, type Part } from './blocks'
import { cardsOf, type CardReader } from './cards'
import type { Names } from './named'
import { TextReader } from './text'

const SECTIONS = ['Passages', 'Rules'] as const
const NAME = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*'

class VerdictFile {
  readonly #fail: Fail
  readonly #passages = new Map<string, { readonly card: Card; readonly line: number; isUsed: boolean }>()
  readonly #read: TextReader
  readonly #cards: CardReader

  constructor(fail: Fail, names: Names, recorded: Recorded) {
    this.#fail = fail
    this.#read = new TextReader(
      { names, recorded, showsCauses: true, passage: (name) => this.#passage(name)?.text },
      fail,
    )
    this.#cards = {
      fail,
      names,
      read: this.#read,
      recorded,
      named: (name) => this.#passage(name),
    }
  }

  #passage(name: string): Card | undefined {
    const entry = this.#passages.get(name)
    if (entry) entry.isUsed = true
    return entry?.card
  }

  /**
   * '### name' and one card. A line of its own may be a part of a sentence; within a paragraph it
   * gives its words alone.
   */
  addPassage({ heading: { text: name, line }, blocks }: Part): void {
    if (!new RegExp(`^${NAME}$`).test(name)) this.#fail(line, `'${name}' is no name of a passage.`)
    const [card, more] = cardsOf(blocks, { ...this.#cards, mayBePart: true })
    if (!card || more) return this.#fail(blocks.at(-1)?.line ?? line, 'A passage is one paragraph.')
    if (this.#passages.has(name)) this.#fail(line, `The passage '${name}' stands here twice.`)
    this.#passages.set(name, { card, line, isUsed: false })
  }

  /**
   * '### reason: outcome when condition', the verdict as a quote, and the cards that explain it.
   * The last rule has no condition.
   */
  rule({ heading: { text, line }, blocks: [verdict, ...paragraphs] }: Part): Rule {
    const [, reason = '', outcome = '', condition] =
      /^([a-z]+(?:-[a-z]+)*): (shown|not-shown|inconclusive)(?: when (\S.*))?$/.exec(text) ??
      this.#fail(line, 'A rule reads: ### its-reason: shown (or not-shown, inconclusive) when a condition.')
    if (verdict?.type !== 'quote')
      return this.#fail(line, 'Under a rule its verdict comes first, as a quote (>).')
    return {
      reason,
      outcome: outcome as Rule['outcome'], // one of the three, by the expression above
      when: condition === undefined ? { op: 'always' } : this.#read.condition(condition, line),
      text: this.#read.finished(this.#read.text(verdict.lines)),
      explain: cardsOf(paragraphs, this.#cards).map(({ text: words, picture, more }) => ({
        text: this.#read.finished(words),
        picture,
        more: more.map((part) => this.#read.finished(part)),
      })),
    }
  }

  expectUsed(): void {
    for (const [name, { line, isUsed }] of this.#passages)
      if (!isUsed) this.#fail(line, `Nothing uses the passage '${name}'.`)
  }
}

/** @throws WordsFault */
export function parseVerdict(
  source: string,
  file: string,
  names: Names,
  recorded: Recorded,
): readonly Rule[] {
  const fail = failIn(file)
  const { before, parts } = partsOf(readBlocks(source, file), 2)
  const [title, ...prose] = before
  if (title?.type !== 'heading' || title.level !== 1)
    fail(1, 'The file begins with a title: # What a run of … shows')
  for (const { type, line } of prose) if (type !== 'paragraph') fail(line, 'Only paragraphs can stand here.')
  const sections = sectionsOf(parts, SECTIONS, fail)
  const under = (name: (typeof SECTIONS)[number]): readonly Part[] =>
    namedParts(sections.get(name) ?? [], name, fail)

  const words = new VerdictFile(fail, names, recorded)
  for (const part of under('Passages')) words.addPassage(part)
  const headings = under('Rules')
  const rules = headings.map((part) => words.rule(part))
  rules.forEach(({ reason, when }, index) => {
    const line = headings[index]?.heading.line ?? 1
    if (rules.findIndex((other) => other.reason === reason) !== index)
      fail(line, `The rule '${reason}' stands here twice.`)
    if ((when.op === 'always') !== (index === rules.length - 1))
      fail(line, 'The last rule, and no other, has no condition.')
  })
  words.expectUsed()
  return rules.length > 0 ? rules : fail(1, "There is no '## Rules'.")
}
