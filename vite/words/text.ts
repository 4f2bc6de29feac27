/**
 * Sentences with names in braces, and under conditions: the same in verdicts, lessons and mends. A
 * paragraph is made of lines; a line may begin with a condition, `{when name}`, and the next with
 * `{else when name}` or `{else}`; `{>name}` puts a passage in. Quotations of recordings become
 * words here.
 */
import type { Condition } from '../../src/text/condition'
import {
  asksForRun,
  bindCondition,
  bindFigure,
  holdsOfRecordings,
  type Recorded,
} from '../../src/text/recorded'
import { fill, render, type Sentence, type Text, NO_READING, type Passage } from '../../src/text/template'
import type { Block, Fail, Lines, Text as Written } from './blocks'
import type { Names } from './named'

/**
 * A condition before words: `{when shown and not software} The device …`, `{else when …} …`,
 * `{else} …`; it is empty after 'else'. Null where the text begins with no condition. What begins
 * with a brace otherwise is a fault, unless `isOther` knows it.
 */
function guardOf({ text, line }: Written, fail: Fail, isOther = (_text: string) => false) {
  if (!text.startsWith('{') || isOther(text)) return null
  const [, when, condition = '', words = ''] =
    /^\{(?:(when|else when) ([^{}]*)|else)\}\s*(.*)$/.exec(text) ??
    fail(line, `A condition reads {when …}; got '${text.slice(0, 40)}'.`)
  if (words === '') return fail(line, 'A condition stands before the words that it is for, in one paragraph.')
  return { word: (when as 'when' | 'else when' | undefined) ?? 'else', condition, words } // by the expression above
}

/** What is thrown while a text of the file is read becomes a fault of its line. */
export function readAt<T>(line: number, fail: Fail, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    return fail(line, thrown instanceof Error ? thrown.message : String(thrown))
  }
}

/** What stands behind the names of a file. */
export interface Sources {
  readonly names: Names
  readonly recorded: Recorded
  /** Its words are of recordings alone: their conditions are decided at once. */
  readonly isDecided?: boolean
  /** A sentence that claims a cause names what shows it. */
  readonly showsCauses?: boolean
  /**
   * Passages that the file has named. A figure in a sentence keeps its name until the sentence is
   * whole (`finished`).
   */
  readonly passage?: (name: string) => Text | undefined
}

export class TextReader {
  readonly #sources: Sources
  readonly #fail: Fail

  constructor(sources: Sources, fail: Fail) {
    this.#sources = sources
    this.#fail = fail
  }

  condition(text: string, line: number): Condition {
    const { names, recorded, isDecided } = this.#sources
    return readAt(line, this.#fail, () => {
      const condition = names.condition(text)
      if (!isDecided) return bindCondition(condition, recorded)
      return holdsOfRecordings(condition, recorded) ? ALWAYS : { op: 'not', of: ALWAYS }
    })
  }

  /**
   * Lines of one paragraph; a chain of {when} and {else} is one choice. `mayBePart`: of a sentence.
   */
  text(lines: readonly Written[], mayBePart = false, claims = !mayBePart): Text {
    const choices: Branch[][] = []
    for (const written of lines.some(({ text }) => GUARD.test(text)) ? lines : joinedLines(lines)) {
      const { line } = written
      const guard = guardOf(written, this.#fail, (text) => !GUARD.test(text))
      const text = this.#lineOf({ line, text: guard?.words ?? written.text }, mayBePart && !guard, claims)
      const when = guard && guard.word !== 'else' ? this.condition(guard.condition, line) : null
      if (guard && guard.word !== 'when') {
        const chain = choices.at(-1)
        if (chain?.at(-1)?.when == null)
          return this.#fail(line, `Before {${guard.word}} comes a line with {when …}.`)
        chain.push({ when, text })
      } else choices.push([{ when, text }])
    }
    const text = joined(choices.map(choiceOf))
    return this.#sources.passage ? text : this.finished(text)
  }

  passage(blocks: readonly Block[]): Passage {
    return blocks.map((block) =>
      block.type === 'paragraph'
        ? this.text(block.lines)
        : this.#fail(block.line, 'Only paragraphs can stand here.'),
    )
  }

  /** With the figures that its sentences name. */
  finished(text: Text): Text {
    if (typeof text === 'string') return this.#quoting(text)
    if ('parts' in text) return text
    if (!('when' in text)) return text.map((part) => this.finished(part))
    const { when, otherwise } = text
    return {
      when,
      text: this.finished(text.text),
      ...(otherwise === undefined ? {} : { otherwise: this.finished(otherwise) }),
    }
  }

  #quoting(text: string): Text {
    const pieces: (string | Sentence)[] = []
    for (const sentence of sentencesOf(text)) {
      const parts = this.#partsOf(sentence)
      const [only] = parts
      const last = pieces.at(-1)
      if (parts.length > 1 || typeof only !== 'string') pieces.push({ parts })
      else if (typeof last === 'string') pieces.splice(-1, 1, `${last} ${only}`)
      else pieces.push(only)
    }
    return joined(pieces)
  }

  /** Words between figures of a run; a figure of recordings alone is words. */
  #partsOf(sentence: string): Sentence['parts'] {
    const { names, recorded } = this.#sources
    const parts: Sentence['parts'][number][] = []
    const add = (part: Sentence['parts'][number]) => {
      const last = parts.at(-1)
      if (typeof part === 'string' && typeof last === 'string') parts.splice(-1, 1, last + part)
      else if (part !== '') parts.push(part)
    }
    // split() puts what the brackets match between the words.
    for (const [index, part] of sentence.split(/\{([^{}]+)\}/).entries()) {
      const quoted = index % 2 === 0 ? null : names.quoted(part)
      if (!quoted) add(part)
      else if ('word' in quoted) add(quoted)
      else {
        const bound = { ...quoted, figure: bindFigure(quoted.figure, recorded) }
        const words = asksForRun(quoted.figure) ? bound : fill(bound, NO_READING)
        if (words === null) throw new Error(`'${part}' has no value.`)
        add(words)
      }
    }
    return parts
  }

  /** One line: a title, an option, a cell. It may be a part of a sentence. */
  line(written: Written): Text {
    return this.text([written], true)
  }

  /** The same where only recordings can be quoted. */
  words(written: Written): string {
    const text = this.line(written)
    return typeof text === 'string'
      ? text
      : this.#fail(
          written.line,
          'This stands for every run: it has no condition, and quotes recordings alone.',
        )
  }

  /** A paragraph whose conditions are of recordings too; null where none of its sentences holds. */
  paragraph({ lines, line }: Lines): string | null {
    const text = this.text(lines, true, true)
    return asksForFigures(text)
      ? this.#fail(line, 'This is said of no run: it quotes recordings alone.')
      : render(text, NO_READING)
  }

  /**
   * Passages of one plain line become part of the sentences round them; others stand between
   * sentences.
   */
  #lineOf({ text, line }: Written, mayBePart: boolean, claims: boolean): Text {
    const pieces: Text[] = []
    let sentences = ''
    const close = (mayEndOpen: boolean) => {
      const piece = sentences.trim()
      if (piece !== '') pieces.push(this.#checked(this.#shown(piece, line, claims), line, mayEndOpen))
      sentences = ''
    }
    // split() puts what the brackets match between the words.
    text.split(/\{>\s*([^{}]*?)\s*\}/).forEach((part, index) => {
      if (index % 2 === 0) {
        sentences += part
        return
      }
      const passage =
        this.#sources.passage?.(part) ?? this.#fail(line, `There is no passage '${part}' above this line.`)
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

  /** A cause that a sentence claims names what shows it; the name is not shown. */
  #shown(text: string, line: number, claims: boolean): string {
    const { evidence } = this.#sources.names
    const sentences = sentencesOf(text.replaceAll(MARK_BEHIND, ' {$2}$1')).map((sentence) => {
      const said = sentence.replaceAll(MARK, (_, name: string) => {
        readAt(line, this.#fail, () => evidence(name))
        return ''
      })
      if (claims && this.#sources.showsCauses && said === sentence && CAUSE.test(plainOf(sentence)))
        this.#fail(line, `This claims a cause, and names no evidence, {shown by …}: '${sentence}'`)
      return said
    })
    return sentences.join(' ')
  }

  #checked(text: string, line: number, mayEndOpen: boolean): Text {
    if (/[{}]/.test(text.replaceAll(/\{[^{}]+\}/g, ''))) this.#fail(line, 'A brace has no partner here.')
    readAt(line, this.#fail, () => {
      for (const [, name = ''] of text.matchAll(/\{([^{}]+)\}/g))
        if (/^(if|when|else)\b/.test(name)) throw new Error(`A condition reads {when …}, and begins a line.`)
        else this.#sources.names.quoted(name)
      this.#quoting(text)
    })
    return mayEndOpen || /[.!?:}][)*'"”`]*$/.test(text)
      ? text
      : this.#fail(
          line,
          'A line ends with its sentence: what stands on the next line has a condition of its own.',
        )
  }
}

const ALWAYS: Condition = { op: 'always' }

/** '{shown by name}', before a full stop or behind it. */
const MARK = /\s*\{shown by (\w+)\}/g
const MARK_BEHIND = /([.!?:][*)'"”]*)\s*\{(shown by \w+)\}/g
/** 'So that', 'so far', 'so much' and 'so short a kernel' claim none. */
const CAUSE =
  /\b(because|decides?|saves?|sets the pace)\b|(^|[,;:] )so (?!that\b|far\b|much\b|many\b|few\b|little\b)/i
/** Without code and markup. */
const plainOf = (sentence: string): string => sentence.replaceAll(/`[^`]*`/g, '').replaceAll(/[*_]/g, '')

/** A figure that a run has to fill in. */
const asksForFigures = (text: Text): boolean => {
  if (typeof text === 'string') return false
  if ('parts' in text) return true
  return 'when' in text
    ? asksForFigures(text.text) || asksForFigures(text.otherwise ?? '')
    : text.some(asksForFigures)
}

/**
 * A text's sentences. A full stop inside a number or a name is followed by no blank, and one in
 * braces ends nothing.
 */
const sentencesOf = (text: string): readonly string[] =>
  (text.match(/(?:\{[^{}]*\}|[^{])*?[.!?](?=[*)'"”]*(\s|$))[*)'"”]*|[^]+$/g) ?? [])
    .map((each) => each.trim())
    .filter(Boolean)

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
