/**
 * Sentences with figures and conditions, as src/text/template.ts has them: the same in verdicts, lessons and mends. A paragraph is made of
 * lines; a line may begin with a condition, `{when …}`, and the next with `{else when …}` or `{else}`; `{>name}` puts a passage in.
 * Quotations of recordings become words here.
 */
import type { Condition } from '../../src/text/condition'
import { parseExpression } from '../../src/text/expression'
import { NO_READING, stringsOf } from '../../src/text/passage'
import { bindCondition, bindText, holdsOfRecordings, type Recorded } from '../../src/text/recorded'
import { placeholdersOf, render, type Text } from '../../src/text/template'
import type { Fail, Lines, Text as Written } from './blocks'
import { parseCondition, type Known } from './condition'
import { guardOf, readAt } from './guard'
import { checkCondition, checkFigure } from './units'

/** What a file has named before its words, and the recordings that they quote. */
export interface Sources extends Known {
  readonly passage: (name: string) => Text | undefined
  readonly recorded: Recorded
  /** Where words are of recordings alone, their conditions are decided at once. */
  readonly decide?: (condition: Condition) => boolean
}

/** Of files that name nothing. */
export const namingNothing = (recorded: Recorded): Sources => ({
  bound: () => undefined,
  condition: () => undefined,
  passage: () => undefined,
  recorded,
})

/** Of files that speak of no run. */
export const ofRecordingsAlone = (recorded: Recorded): Sources => ({
  ...namingNothing(recorded),
  decide: (condition) => holdsOfRecordings(condition, recorded),
})

export class TextReader {
  readonly #sources: Sources
  readonly #fail: Fail

  constructor(sources: Sources, fail: Fail) {
    this.#sources = sources
    this.#fail = fail
  }

  condition(text: string, line: number): Condition {
    const { decide, recorded } = this.#sources
    return readAt(line, this.#fail, () => {
      const parsed = parseCondition(text, this.#sources)
      const bound = bindCondition(parsed, recorded)
      checkCondition(bound)
      if (!decide) return bound
      return decide(parsed) ? ALWAYS : { op: 'not', of: ALWAYS }
    })
  }

  /** Lines of one paragraph; a chain of {when} and {else} is one choice. `mayBePart`: of a sentence. */
  text(lines: readonly Written[], mayBePart = false): Text {
    const choices: Branch[][] = []
    for (const written of lines.some(({ text }) => GUARD.test(text)) ? lines : joinedLines(lines)) {
      const { line } = written
      const guard = guardOf(written, this.#fail, (text) => !GUARD.test(text))
      const text = this.#lineOf({ line, text: guard?.words ?? written.text }, mayBePart && !guard)
      const when = guard && guard.word !== 'else' ? this.condition(guard.condition, line) : null
      if (guard && guard.word !== 'when') {
        const chain = choices.at(-1)
        if (chain?.at(-1)?.when == null)
          return this.#fail(line, `Before {${guard.word}} comes a line with {when …}.`)
        chain.push({ when, text })
      } else choices.push([{ when, text }])
    }
    return joined(choices.map(choiceOf))
  }

  /** One line: a title, an option, a cell. It may be a part of a sentence. */
  line(written: Written): Text {
    return this.text([written], true)
  }

  /** The same where only recordings can be quoted. */
  words(written: Written): string {
    const text = this.line(written)
    return typeof text === 'string' && !asksForRun(text)
      ? text
      : this.#fail(
          written.line,
          'This stands for every run: it has no condition, and quotes recordings alone.',
        )
  }

  /** A paragraph whose conditions are of recordings too; null where none of its sentences holds. */
  paragraph({ lines, line }: Lines): string | null {
    const text = this.text(lines, true)
    return stringsOf(text).some(asksForRun)
      ? this.#fail(line, 'This is said of no run: it quotes recordings alone.')
      : render(text, NO_READING)
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
        this.#sources.passage(part) ?? this.#fail(line, `There is no passage '${part}' above this line.`)
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

  #checked(text: string, line: number, mayEndOpen: boolean): Text {
    if (/[{}]/.test(text.replaceAll(/\{[^{}]+\}/g, ''))) this.#fail(line, 'A brace has no partner here.')
    const bound = readAt(line, this.#fail, () => {
      for (const { expression } of placeholdersOf(text))
        if (/^(if|when|else)\b/.test(expression))
          throw new Error(`A condition reads {when …}, and begins a line.`)
        else if (!expression.startsWith('$')) parseExpression(expression)
      for (const placeholder of placeholdersOf(text)) checkFigure(placeholder, this.#sources.recorded)
      return bindText(text, this.#sources.recorded)
    })
    return mayEndOpen || /[.!?:}][)*'"”`]*$/.test(text)
      ? bound
      : this.#fail(
          line,
          'A line ends with its sentence: what stands on the next line has a condition of its own.',
        )
  }
}

const ALWAYS: Condition = { op: 'always' }

/** A figure that a run has to fill in. */
const asksForRun = (text: string): boolean => /\{[^{}]+\}/.test(text)

const GUARD = /^\{(when|else)\b/

/** Lines without conditions are broken anywhere. */
const joinedLines = (lines: readonly Written[]): readonly Written[] =>
  lines.slice(0, 1).map(({ line }) => ({ line, text: lines.map(({ text }) => text).join(' ') }))

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
