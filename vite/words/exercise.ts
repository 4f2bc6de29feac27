/**
 * `mend.md` as the data of src/exercises/words.ts: a title, the task, what must hold, three hints, the same in PyTorch (a rung before the last may do
 * without), and why it works. A file
 * that breaks a rule throws a WordsFault with its line, and the site is not built.
 */
import type { ExerciseWords } from '../../src/exercises/words'
import type { Recordings } from '../../src/text/recorded'
import type { Passage } from '../../src/text/passage'
import { WordsFault } from './blocks'
import type { Names } from './named'
import { TextReader } from './text'

const SECTIONS = ['Must hold', 'Hints', 'In PyTorch', 'Why it works'] as const
type Name = (typeof SECTIONS)[number] | 'task'
const HINTS = 3

interface Line {
  readonly text: string
  readonly number: number
}

/** Lines up to a blank one. */
function paragraphsOf(lines: readonly Line[], read: TextReader): Passage {
  const paragraphs: { text: string; line: number }[][] = [[]]
  for (const { text, number } of lines)
    if (text.trim() === '') paragraphs.push([])
    else paragraphs.at(-1)?.push({ text: text.trim(), line: number })
  return paragraphs.filter((paragraph) => paragraph.length > 0).map((paragraph) => read.text(paragraph))
}

/** Items that begin with `mark`; what is indented below one belongs to it. */
function itemsOf(
  lines: readonly Line[],
  mark: RegExp,
  fail: (line: number, what: string) => never,
): readonly Line[] {
  const items: { text: string; number: number }[] = []
  for (const { text, number } of lines) {
    if (text.trim() === '') continue
    const [found] = mark.exec(text) ?? []
    const last = items.at(-1)
    if (found !== undefined) items.push({ text: text.slice(found.length).trim(), number })
    else if (last && /^\s/.test(text)) last.text += ` ${text.trim()}`
    else fail(number, 'Only a list can stand here.')
  }
  return items
}

export function parseExercise(
  source: string,
  file: string,
  names: Names,
  recordings: Pick<Recordings, 'figure'>,
): ExerciseWords {
  const fail = (line: number, what: string): never => {
    throw new WordsFault(file, line, what)
  }
  const read = new TextReader({ names, recorded: recordings.figure }, fail)
  const parts = new Map<Name, Line[]>([['task', []]])
  let title = ''
  let part: Name = 'task'
  for (const [index, text] of source.split('\n').entries()) {
    const number = index + 1
    const [, marks = '', heading = ''] = /^(#{1,2}) +(.+?) *$/.exec(text) ?? []
    if (marks === '#' && !inFence(parts.get(part) ?? [])) {
      if (title !== '') fail(number, 'A mend has one title.')
      title = heading
    } else if (marks === '##') {
      const name = SECTIONS.find((each) => each === heading)
      if (!name) return fail(number, `'${heading}' is none of ${SECTIONS.join(', ')}.`)
      if (parts.has(name)) fail(number, `'## ${name}' stands here twice.`)
      parts.set(name, [])
      part = name
    } else parts.get(part)?.push({ text, number })
  }
  const linesOf = (name: Name): readonly Line[] => parts.get(name) ?? fail(1, `'## ${name}' is missing.`)
  if (title === '') fail(1, 'A mend begins with its title: # Mend the …')
  const must = itemsOf(linesOf('Must hold'), /^- /, fail).map(({ text, number }) => {
    const [, id = '', wants = ''] = /^([a-z-]+): +(.+)$/.exec(text) ?? []
    if (id === '') fail(number, 'What must hold reads: - check-id: what it wants')
    // It stands beside the sentences of checks, which have no markup.
    return wants.includes('`')
      ? fail(number, 'What must hold is plain text, without `code`.')
      : { id, text: wants }
  })
  const hints = itemsOf(linesOf('Hints'), /^\d\. /, fail).map(({ text, number }) =>
    read.text([{ text, line: number }]),
  )
  if (hints.length !== HINTS) fail(1, `There are ${String(hints.length)} hints; a mend has ${String(HINTS)}.`)
  return {
    title,
    task: paragraphsOf(linesOf('task'), read),
    must,
    hints,
    pytorch:
      parts.has('In PyTorch') || !file.endsWith('/rung-1.md')
        ? pyTorchOf(linesOf('In PyTorch'), read, fail)
        : null,
    why: paragraphsOf(linesOf('Why it works'), read),
  }
}

function pyTorchOf(
  lines: readonly Line[],
  read: TextReader,
  fail: (line: number, what: string) => never,
): ExerciseWords['pytorch'] {
  const begin = lines.findIndex(({ text }) => text.startsWith('```python'))
  const end = lines.findIndex(({ text }, at) => at > begin && text.startsWith('```'))
  if (begin < 0 || end < 0) fail(lines[0]?.number ?? 1, 'Under In PyTorch stands one fenced block of python.')
  return {
    before: paragraphsOf(lines.slice(0, begin), read),
    code: lines
      .slice(begin + 1, end)
      .map(({ text }) => text)
      .join('\n'),
    after: paragraphsOf(lines.slice(end + 1), read),
  }
}

/** A comment of Python begins as a title does. */
const inFence = (lines: readonly Line[]): boolean =>
  lines.filter(({ text }) => text.startsWith('```')).length % 2 === 1
