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
import { failIn, namedParts, partsOf, readBlocks, sectionsOf, type Part } from './blocks'
import { cardsOf, type CardReader } from './cards'
import type { Names } from './named'
import { TextReader } from './text'

const SECTIONS = ['Passages', 'Rules'] as const
const NAME = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*'

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

  const passages = new Map<string, { readonly card: Card; readonly line: number }>()
  const used = new Set<string>()
  const named = (name: string): Card | undefined => {
    used.add(name)
    return passages.get(name)?.card
  }
  const passage = (name: string) => named(name)?.text
  const read = new TextReader({ names, recorded, showsCauses: true, passage }, fail)
  const cards: CardReader = { fail, names, read, recorded, named }

  // '### name' and one card. A line of its own may be a part of a sentence; within a paragraph it
  // gives its words alone.
  for (const { heading, blocks } of under('Passages')) {
    const { text: name, line } = heading
    if (!new RegExp(`^${NAME}$`).test(name)) fail(line, `'${name}' is no name of a passage.`)
    const [card, more] = cardsOf(blocks, { ...cards, mayBePart: true })
    if (!card || more) return fail(blocks.at(-1)?.line ?? line, 'A passage is one paragraph.')
    if (passages.has(name)) fail(line, `The passage '${name}' stands here twice.`)
    passages.set(name, { card, line })
  }
  const headings = under('Rules')
  const rules = headings.map((part) => ruleOf(part, cards))
  rules.forEach(({ reason, when }, index) => {
    const line = headings[index]?.heading.line ?? 1
    if (rules.findIndex((other) => other.reason === reason) !== index)
      fail(line, `The rule '${reason}' stands here twice.`)
    if ((when.op === 'always') !== (index === rules.length - 1))
      fail(line, 'The last rule, and no other, has no condition.')
  })
  for (const [name, { line }] of passages)
    if (!used.has(name)) fail(line, `Nothing uses the passage '${name}'.`)
  return rules.length > 0 ? rules : fail(1, "There is no '## Rules'.")
}

/**
 * '### reason: outcome when condition', the verdict as a quote, and the cards that explain it.
 * The last rule has no condition.
 */
function ruleOf(
  { heading: { text, line }, blocks: [verdict, ...paragraphs] }: Part,
  cards: CardReader,
): Rule {
  const { fail, read } = cards
  const [, reason = '', outcome = '', condition] =
    /^([a-z]+(?:-[a-z]+)*): (shown|not-shown|inconclusive)(?: when (\S.*))?$/.exec(text) ??
    fail(line, 'A rule reads: ### its-reason: shown (or not-shown, inconclusive) when a condition.')
  if (verdict?.type !== 'quote') return fail(line, 'Under a rule its verdict comes first, as a quote (>).')
  return {
    reason,
    outcome: outcome as Rule['outcome'], // one of the three, by the expression above
    when: condition === undefined ? { op: 'always' } : read.condition(condition, line),
    text: read.finished(read.text(verdict.lines)),
    explain: cardsOf(paragraphs, cards).map(({ text: words, picture, more }) => ({
      text: read.finished(words),
      picture,
      more: more.map((part) => read.finished(part)),
    })),
  }
}
