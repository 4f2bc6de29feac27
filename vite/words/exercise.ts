/**
 * `mend.md` as the data of src/exercises/words.ts: a title, the task, what must hold, three hints, the same in PyTorch (a rung before the last may do
 * without), and why it works. A file that breaks a rule throws a WordsFault with its line, and the site is not built.
 */
import type { ExerciseWords } from '../../src/exercises/words'
import type { Recordings } from '../../src/text/recorded'
import { failIn, itemsOf, partsOf, readBlocks, sectionsOf, type Block } from './blocks'
import type { Names } from './named'
import { TextReader } from './text'

const SECTIONS = ['Must hold', 'Hints', 'In PyTorch', 'Why it works'] as const
const HINTS = 3

export function parseExercise(
  source: string,
  file: string,
  names: Names,
  recordings: Pick<Recordings, 'figure'>,
): ExerciseWords {
  const fail = failIn(file)
  const read = new TextReader({ names, recorded: recordings.figure }, fail)
  const { before, parts } = partsOf(readBlocks(source, file), 2)
  const [title, ...task] = before
  const sections = sectionsOf(parts, SECTIONS, fail)
  const blocksOf = (name: (typeof SECTIONS)[number]): readonly Block[] =>
    sections.get(name) ?? fail(1, `'## ${name}' is missing.`)
  const pyTorchOf = (blocks: readonly Block[]): ExerciseWords['pytorch'] => {
    const at = blocks.findIndex(({ type }) => type === 'code')
    const code = blocks[at]
    if (code?.type !== 'code' || code.language !== 'python')
      return fail(blocks[0]?.line ?? 1, 'Under In PyTorch stands one fenced block of python.')
    return {
      before: read.passage(blocks.slice(0, at)),
      code: code.text,
      after: read.passage(blocks.slice(at + 1)),
    }
  }
  if (title?.type !== 'heading' || title.level !== 1)
    return fail(1, 'A mend begins with its title: # Mend the …')
  const must = itemsOf(blocksOf('Must hold'), fail).map(({ text, line }) => {
    const [, id = '', wants = ''] = /^([a-z-]+): +(.+)$/.exec(text) ?? []
    if (id === '') fail(line, 'What must hold reads: - check-id: what it wants')
    // It stands beside the sentences of checks, which have no markup.
    return wants.includes('`')
      ? fail(line, 'What must hold is plain text, without `code`.')
      : { id, text: wants }
  })
  const hints = itemsOf(blocksOf('Hints'), fail).map((hint) => read.text([hint]))
  if (hints.length !== HINTS) fail(1, `There are ${String(hints.length)} hints; a mend has ${String(HINTS)}.`)
  return {
    title: title.text,
    task: read.passage(task),
    must,
    hints,
    pytorch:
      sections.has('In PyTorch') || !file.endsWith('/rung-1.md') ? pyTorchOf(blocksOf('In PyTorch')) : null,
    why: read.passage(blocksOf('Why it works')),
  }
}
