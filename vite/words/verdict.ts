/**
 * `verdict.md` as the rules of src/experiments/declare/experiment.ts. src/experiments/declare/README.md shows the format by example: a title
 * and prose for readers; then the sections of SECTIONS, in that order. A name stands above where it is used, and each is used. A paragraph
 * is made of lines, each of whole sentences; a line may begin with a condition, and `{>name}` puts a passage in. A file that breaks a rule
 * throws a WordsFault with its line, and the site is not built.
 */
import type { Condition } from '../../src/experiments/declare/condition'
import { parseExpression } from '../../src/experiments/declare/expression'
import type { Rule } from '../../src/experiments/declare/experiment'
import { placeholdersOf, type Text } from '../../src/experiments/declare/template'
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
import { parseCondition } from './condition'
import { guardOf, readAt } from './guard'

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
  readonly #bounds: Named<number>
  readonly #conditions: Named<Condition>
  readonly #passages: Named<Text>

  constructor(fail: Fail) {
    this.#fail = fail
    this.#bounds = new Named('bound', fail)
    this.#conditions = new Named('condition', fail)
    this.#passages = new Named('passage', fail)
  }

  /** '- name = 1.15: why so much' */
  addBound({ text, line }: Written): void {
    const [, name = '', above = '', below = '1'] =
      new RegExp(`^(${NAME}) = (\\d[\\d.e-]*)(?: / (\\d[\\d.]*))?: \\S`).exec(text) ??
      this.#fail(line, 'A bound reads: - its-name = 1.5: why so much.')
    this.#bounds.add(name, Number(above) / Number(below), line)
  }

  /** '- name = step-ms a below step-ms b' */
  addCondition({ text, line }: Written): void {
    const [, name = '', condition = ''] =
      new RegExp(`^(${NAME}) = (\\S.*)$`).exec(text) ??
      this.#fail(line, 'A condition reads: - its-name = step-ms a below step-ms b.')
    this.#conditions.add(name, this.#condition(condition, line), line)
  }

  /** '### name' and one paragraph. A line of its own may be a part of a sentence. */
  addPassage({ heading: { text: name, line }, blocks: [paragraph, more] }: Part): void {
    if (!new RegExp(`^${NAME}$`).test(name)) this.#fail(line, `'${name}' is no name of a passage.`)
    if (paragraph?.type !== 'paragraph' || more)
      return this.#fail(more?.line ?? line, 'A passage is one paragraph.')
    this.#passages.add(name, this.#textOf(paragraph.lines, paragraph.lines.length === 1), line)
  }

  /** '### reason: outcome when condition', the verdict as a quote, and the paragraphs that explain it. */
  rule({ heading: { text, line }, blocks: [verdict, ...paragraphs] }: Part): Rule {
    const [, reason = '', outcome = '', condition = ''] =
      /^([a-z]+(?:-[a-z]+)*): (shown|not-shown|inconclusive) when (\S.*)$/.exec(text) ??
      this.#fail(line, 'A rule reads: ### its-reason: shown (or not-shown, inconclusive) when a condition.')
    if (verdict?.type !== 'quote')
      return this.#fail(line, 'Under a rule its verdict comes first, as a quote (>).')
    return {
      reason,
      outcome: outcome as Rule['outcome'], // one of the three, by the expression above
      when: this.#condition(condition, line),
      text: this.#textOf(verdict.lines),
      explain: paragraphs.map((block) =>
        block.type === 'paragraph'
          ? this.#textOf(block.lines)
          : this.#fail(block.line, 'After the verdict of a rule come paragraphs.'),
      ),
    }
  }

  expectUsed(): void {
    for (const names of [this.#bounds, this.#conditions, this.#passages]) names.expectUsed()
  }

  #condition(text: string, line: number): Condition {
    const known = {
      bound: (name: string) => this.#bounds.find(name),
      condition: (name: string) => this.#conditions.find(name),
    }
    return readAt(line, this.#fail, () => parseCondition(text, known))
  }

  /** Lines of one paragraph; a chain of {when} and {else} is one choice. `mayBePart`: of a sentence. */
  #textOf(lines: readonly Written[], mayBePart = false): Text {
    const choices: Branch[][] = []
    for (const written of lines) {
      const { line } = written
      const guard = guardOf(written, this.#fail, (text) => !/^\{(when|else)\b/.test(text))
      const text = this.#lineOf({ line, text: guard?.words ?? written.text }, mayBePart && !guard)
      const when = guard && guard.word !== 'else' ? this.#condition(guard.condition, line) : null
      if (guard && guard.word !== 'when') {
        const chain = choices.at(-1)
        if (chain?.at(-1)?.when == null)
          return this.#fail(line, `Before {${guard.word}} comes a line with {when …}.`)
        chain.push({ when, text })
      } else choices.push([{ when, text }])
    }
    return joined(choices.map(choiceOf))
  }

  /** Passages of one plain line become part of the sentences round them; others stand between sentences. */
  #lineOf({ text, line }: Written, mayBePart: boolean): Text {
    const pieces: Text[] = []
    let sentences = ''
    const close = (mayEndOpen: boolean) => {
      const piece = sentences.trim()
      if (piece !== '') pieces.push(this.#checked(piece, line, mayEndOpen))
      sentences = ''
    }
    // split() puts what the brackets match between the words.
    text.split(/\{>\s*([^{}]*?)\s*\}/).forEach((part, index) => {
      if (index % 2 === 0) {
        sentences += part
        return
      }
      const passage =
        this.#passages.find(part) ?? this.#fail(line, `There is no passage '${part}' above this line.`)
      if (typeof passage === 'string') {
        sentences += passage
        return
      }
      close(false)
      pieces.push(passage)
    })
    close(mayBePart)
    return joined(pieces)
  }

  #checked(text: string, line: number, mayEndOpen: boolean): string {
    if (/[{}]/.test(text.replaceAll(/\{[^{}]+\}/g, ''))) this.#fail(line, 'A brace has no partner here.')
    readAt(line, this.#fail, () => {
      for (const { expression } of placeholdersOf(text))
        if (!expression.startsWith('$')) parseExpression(expression)
    })
    return mayEndOpen || /[.!?:}][)*'"”`]*$/.test(text)
      ? text
      : this.#fail(
          line,
          'A line ends with its sentence: what stands on the next line has a condition of its own.',
        )
  }
}

interface Branch {
  /** Null: always. */
  readonly when: Condition | null
  readonly text: Text
}
function choiceOf([branch, ...others]: readonly Branch[]): Text {
  if (!branch) return []
  const { when, text } = branch
  if (when === null) return text
  return others.length > 0 ? { when, text, otherwise: choiceOf(others) } : { when, text }
}
const joined = (texts: readonly Text[]): Text =>
  texts.length === 1 && texts[0] !== undefined ? texts[0] : texts

/** @throws WordsFault */
export function parseVerdict(source: string, file: string): readonly Rule[] {
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

  const words = new VerdictFile(fail)
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
