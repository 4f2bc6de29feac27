/**
 * `mend.md` as the data of src/exercises/exercise.ts. Each of its two rungs has a title, the task,
 * what must hold, three hints and why it works. For both follow the same in PyTorch and the names
 * that a program is given (src/exercises/names.ts), which a shader has not. A file that breaks a
 * rule throws a WordsFault with its line, and the site is not built.
 */
import type { ExerciseFile, RungWords } from '../../src/exercises/exercise'
import type { Recordings } from '../../src/text/recorded'
import { failIn, itemsOf, partsOf, readBlocks, sectionsOf, type Block, type Part } from './blocks'
import type { Names } from './named'
import { TextReader } from './text'

const SECTIONS = ['Must hold', 'Hints', 'Why it works'] as const
const HINTS = 3

export function parseExercise(
  source: string,
  file: string,
  names: Names,
  recordings: Pick<Recordings, 'figure'>,
): ExerciseFile {
  const fail = failIn(file)
  const read = new TextReader({ names, recorded: recordings.figure }, fail)
  const rungOf = ({ heading, blocks }: Part): RungWords => {
    const { before: task, parts } = partsOf(blocks, 2)
    const sections = sectionsOf(parts, SECTIONS, fail)
    const blocksOf = (name: (typeof SECTIONS)[number]): readonly Block[] =>
      sections.get(name) ?? fail(heading.line, `'## ${name}' is missing.`)
    const must = itemsOf(blocksOf('Must hold'), fail).map(({ text, line }) => {
      const [, id = '', wants = ''] = /^([a-z-]+): +(.+)$/.exec(text) ?? []
      if (id === '') fail(line, 'What must hold reads: - check-id: what it wants')
      // It stands beside the sentences of checks, which have no markup.
      return wants.includes('`')
        ? fail(line, 'What must hold is plain text, without `code`.')
        : { id, text: wants }
    })
    const hints = itemsOf(blocksOf('Hints'), fail).map((hint) => read.text([hint]))
    if (hints.length !== HINTS)
      fail(heading.line, `There are ${String(hints.length)} hints; a mend has ${String(HINTS)}.`)
    return {
      title: heading.text,
      task: read.passage(task),
      must,
      hints,
      why: read.passage(blocksOf('Why it works')),
    }
  }
  const pyTorchOf = ({ heading, blocks }: Part): ExerciseFile['pytorch'] => {
    const at = blocks.findIndex(({ type }) => type === 'code')
    const code = blocks[at]
    if (code?.type !== 'code' || code.language !== 'python')
      return fail(heading.line, 'Under In PyTorch stands one fenced block of python.')
    return {
      before: read.passage(blocks.slice(0, at)),
      code: code.text,
      after: read.passage(blocks.slice(at + 1)),
    }
  }
  const [words = '', given = null] = source.split(/^# Names$/m)
  const { before, parts } = partsOf(readBlocks(words, file), 1)
  const [first, last, pytorch, spare] = parts
  if (!first || !last || pytorch?.heading.text !== 'In PyTorch' || before[0] || spare)
    return fail(1, 'A mend has its two rungs (# Mend the …), # In PyTorch and # Names.')
  return { rungs: [rungOf(first), rungOf(last)], pytorch: pyTorchOf(pytorch), names: given }
}
