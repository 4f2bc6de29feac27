/**
 * `verdict.md` as the rules of src/experiments/declare/experiment.ts. src/experiments/declare/README.md shows the format by example: a title
 * and prose for readers; then the sections of SECTIONS, in that order. A name stands above where it is used, and each is used. A paragraph
 * is made of lines, each of whole sentences; a line may begin with a condition, and `{>name}` puts a passage in. A file that breaks a rule
 * throws a WordsFault with its line, and the site is not built.
 */
import type { Condition } from '../../src/text/condition'
import type { Rule } from '../../src/experiments/declare/experiment'
import { literalOf } from '../../src/text/expression'
import type { Card } from '../../src/text/card'
import type { Recorded } from '../../src/text/recorded'
import {
  failIn,
  itemsOf,
  namedParts,
  partsOf,
  readBlocks,
  sectionsOf,
  type Fail,
  type Part,
  type Text as Written,
} from './blocks'
import { cardsOf, type CardReader } from './cards'
import { TextReader } from './text'

const SECTIONS = ['Bounds', 'Conditions', 'Passages', 'Rules'] as const
const NAME = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*'

/** Things of one kind that the file names: each once, above where it is used, and used. */
class Named<T> {
  readonly #kind: string
  readonly #fail: Fail
  readonly #found = new Map<string, { readonly value: T; readonly line: number; isUsed: boolean }>()

  constructor(kind: string, fail: Fail) {
    this.#kind = kind
    this.#fail = fail
  }
  add(name: string, value: T, line: number): void {
    if (this.#found.has(name)) this.#fail(line, `The ${this.#kind} '${name}' stands here twice.`)
    this.#found.set(name, { value, line, isUsed: false })
  }
  find(name: string): T | undefined {
    const entry = this.#found.get(name)
    if (entry) entry.isUsed = true
    return entry?.value
  }
  expectUsed(): void {
    for (const [name, { line, isUsed }] of this.#found)
      if (!isUsed) this.#fail(line, `Nothing uses the ${this.#kind} '${name}'.`)
  }
}

class VerdictFile {
  readonly #fail: Fail
  readonly #bounds: Named<string>
  readonly #conditions: Named<Condition>
  readonly #passages: Named<Card>
  readonly #read: TextReader
  readonly #cards: CardReader

  constructor(fail: Fail, recorded: Recorded) {
    this.#fail = fail
    const bounds = new Named<string>('bound', fail)
    const conditions = new Named<Condition>('condition', fail)
    const passages = new Named<Card>('passage', fail)
    this.#bounds = bounds
    this.#conditions = conditions
    this.#passages = passages
    const sources = {
      bound: (name: string) => bounds.find(name),
      condition: (name: string) => conditions.find(name),
      passage: (name: string) => passages.find(name)?.text,
      recorded,
    }
    this.#read = new TextReader(sources, fail)
    this.#cards = {
      fail,
      read: this.#read,
      recorded,
      table: ({ line }) => fail(line, 'A verdict has no tables.'),
      named: (name) => passages.find(name),
    }
  }

  /** '- name = 1.15: why so much', '- name = 63GB/s: …', '- name = 1 / 1.5: …' */
  addBound({ text, line }: Written): void {
    const [, name = '', above = '', below] =
      new RegExp(`^(${NAME}) = (\\d\\S*)(?: / (\\d[\\d.]*))?: \\S`).exec(text) ??
      this.#fail(line, 'A bound reads: - its-name = 1.5: why so much.')
    const bound = below === undefined ? above : String(Number(above) / Number(below))
    this.#bounds.add(name, literalOf(bound) ? bound : this.#fail(line, `'${bound}' is no number.`), line)
  }

  /** '- name = step-ms a below step-ms b' */
  addCondition({ text, line }: Written): void {
    const [, name = '', condition = ''] =
      new RegExp(`^(${NAME}) = (\\S.*)$`).exec(text) ??
      this.#fail(line, 'A condition reads: - its-name = step-ms a below step-ms b.')
    this.#conditions.add(name, this.#read.condition(condition, line), line)
  }

  /** '### name' and one card. A line of its own may be a part of a sentence; within a paragraph it gives its words alone. */
  addPassage({ heading: { text: name, line }, blocks }: Part): void {
    if (!new RegExp(`^${NAME}$`).test(name)) this.#fail(line, `'${name}' is no name of a passage.`)
    const [card, more] = cardsOf(blocks, { ...this.#cards, mayBePart: true })
    if (!card || more) return this.#fail(blocks.at(-1)?.line ?? line, 'A passage is one paragraph.')
    this.#passages.add(name, card, line)
  }

  /** '### reason: outcome when condition', the verdict as a quote, and the cards that explain it. */
  rule({ heading: { text, line }, blocks: [verdict, ...paragraphs] }: Part): Rule {
    const [, reason = '', outcome = '', condition = ''] =
      /^([a-z]+(?:-[a-z]+)*): (shown|not-shown|inconclusive) when (\S.*)$/.exec(text) ??
      this.#fail(line, 'A rule reads: ### its-reason: shown (or not-shown, inconclusive) when a condition.')
    if (verdict?.type !== 'quote')
      return this.#fail(line, 'Under a rule its verdict comes first, as a quote (>).')
    return {
      reason,
      outcome: outcome as Rule['outcome'], // one of the three, by the expression above
      when: this.#read.condition(condition, line),
      text: this.#read.text(verdict.lines),
      explain: cardsOf(paragraphs, this.#cards),
    }
  }

  expectUsed(): void {
    for (const names of [this.#bounds, this.#conditions, this.#passages]) names.expectUsed()
  }
}

/** @throws WordsFault */
export function parseVerdict(source: string, file: string, recorded: Recorded): readonly Rule[] {
  const fail = failIn(file)
  const [title = ''] =
    /^# \S.*\n/.exec(source) ?? fail(1, 'The file begins with a title: # What a run of … shows')
  const { before, parts } = partsOf(readBlocks(source.slice(title.length), file, 2), 2)
  for (const { type, line } of before) if (type !== 'paragraph') fail(line, 'Only paragraphs can stand here.')
  const sections = sectionsOf(parts, SECTIONS, fail)
  const under = (name: (typeof SECTIONS)[number]): readonly Part[] =>
    namedParts(sections.get(name) ?? [], name, fail)
  const items = (name: (typeof SECTIONS)[number]): readonly Written[] =>
    itemsOf(sections.get(name) ?? [], fail)

  const words = new VerdictFile(fail, recorded)
  for (const item of items('Bounds')) words.addBound(item)
  for (const item of items('Conditions')) words.addCondition(item)
  for (const part of under('Passages')) words.addPassage(part)
  const headings = under('Rules')
  const rules = headings.map((part) => words.rule(part))
  rules.forEach(({ reason, when }, index) => {
    const line = headings[index]?.heading.line ?? 1
    if (rules.findIndex((other) => other.reason === reason) !== index)
      fail(line, `The rule '${reason}' stands here twice.`)
    if ((when.op === 'always') !== (index === rules.length - 1))
      fail(line, "The last rule, and no other, holds 'when always'.")
  })
  words.expectUsed()
  return rules.length > 0 ? rules : fail(1, "There is no '## Rules'.")
}
