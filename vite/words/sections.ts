/**
 * A file of headings with ids and paragraphs (`## Heading {#id}`): the page 'Method', the glossary,
 * the reference, which has tables too. Questions stand in groups: a group is a heading of level 2
 * without an id, and its questions are of level 3. A question may have one fenced block of code.
 * The words can quote recordings, with conditions on them.
 */
import type { Section } from '../../src/lessons/lesson'
import type { Inline, Table } from '../../src/text/template'
import type { Recordings } from '../../src/text/recorded'
import { failIn, namedHeading, partsOf, readBlocks, type Part } from './blocks'
import type { Names } from './named'
import { TextReader } from './text'

/** A section as it is written: its code is not coloured yet. */
interface WrittenSection extends Section<Inline | Table> {
  readonly code?: { readonly language: 'py' | 'js'; readonly text: string }
}

const LANGUAGES: Readonly<Record<string, 'py' | 'js' | undefined>> = { python: 'py', js: 'js' }
const hasId = ({ heading }: Part): boolean => heading.text.endsWith('}')

/** @param can what may stand under a heading besides paragraphs */
export function parseSections(
  source: string,
  file: string,
  names: Names,
  recordings: Pick<Recordings, 'figure'>,
  can: 'code' | 'tables' | 'words' = 'words',
): readonly WrittenSection[] {
  const fail = failIn(file)
  const read = new TextReader({ names, recorded: recordings.figure, isDecided: true }, fail)
  const seen = new Set<string>()
  const sectionOf = ({ heading: written, blocks }: Part): WrittenSection => {
    const { heading, id } = namedHeading(written, fail)
    if (seen.has(id)) fail(written.line, `'${id}' stands here twice.`)
    seen.add(id)
    const text: (Inline | Table)[] = []
    let code: WrittenSection['code']
    for (const block of blocks) {
      const { line } = block
      const write = (words: Inline): Inline => read.words({ text: words, line })
      if (block.type === 'code' && can === 'code' && !code) {
        const language = LANGUAGES[block.language] ?? fail(line, 'Code here is ```python or ```js.')
        code = { language, text: block.text }
      } else if (block.type === 'table' && can === 'tables') {
        const { caption, columns, rows } = block.table
        text.push({
          caption: write(caption),
          columns: columns.map(({ head, align }) => ({ head: write(head), align })),
          rows: rows.map((row) => row.map(write)),
        })
      } else if (block.type === 'paragraph') {
        const words = read.paragraph(block)
        if (words !== null) text.push(words)
      } else fail(line, 'Only paragraphs, and one block of code, can stand under a heading here.')
    }
    return { id, heading, text, ...(code && { code }) }
  }
  const { before: stray, parts } = partsOf(readBlocks(source, file), 2)
  if (stray[0]) fail(stray[0].line, 'A heading (##) comes first.')
  if (parts.every(hasId)) return parts.map(sectionOf)
  const mixed = parts.find(hasId)
  if (mixed) fail(mixed.heading.line, 'Within groups, a section reads: ### Heading {#some-id}')
  return parts.flatMap((group) => {
    const { before, parts: own } = partsOf(group.blocks, 3)
    if (before.length > 0 || own.length === 0)
      fail(group.heading.line, 'A group is ## Heading, and has sections: ### Heading {#some-id}')
    return own.map((part) => ({ ...sectionOf(part), group: group.heading.text }))
  })
}
