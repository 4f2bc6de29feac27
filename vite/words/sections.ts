/**
 * A file of headings with ids and paragraphs (`## Heading {#id}`): the page 'Method', the glossary, the reference, which has tables too. Questions
 * stand in groups: a group is a heading of level 2 without an id, and its questions are of level 3. A question may have one fenced block of code.
 * The words can quote recordings, with conditions on them.
 */
import type { Section } from '../../src/lessons/lesson'
import type { Inline, Table } from '../../src/text/template'
import type { Recordings } from '../../src/text/recorded'
import { failIn, readBlocks, WordsFault } from './blocks'
import type { Names } from './named'
import { TextReader } from './text'

/** A section as it is written: its code is not coloured yet. */
interface WrittenSection extends Section<Inline | Table> {
  readonly code?: Code
}
interface Code {
  readonly language: 'py' | 'js'
  readonly text: string
}
interface Open extends WrittenSection {
  readonly text: (Inline | Table)[]
  code?: Code
}

const LANGUAGES: Readonly<Record<string, Code['language'] | undefined>> = { python: 'py', js: 'js' }

/** @param can what may stand under a heading besides paragraphs */
export function parseSections(
  source: string,
  file: string,
  names: Names,
  recordings: Pick<Recordings, 'figure'>,
  can: 'code' | 'tables' | 'words' = 'words',
): readonly WrittenSection[] {
  const read = new TextReader({ names, recorded: recordings.figure, isDecided: true }, failIn(file))
  const sections: Open[] = []
  let group: { readonly heading: string; readonly line: number } | null = null
  let last: Open | null = null
  const refuse = (line: number, level: number, heading: string): never => {
    throw new WordsFault(file, line, `A heading here reads: ${'#'.repeat(level)} ${heading} {#some-id}`)
  }
  const endGroup = () => {
    if (group && !last) refuse(group.line, 2, group.heading)
  }
  for (const block of readBlocks(source, file)) {
    if (block.type === 'heading') {
      const [, heading = '', id = ''] = /^(.+?) +\{#([a-z0-9-]+)\}$/.exec(block.text) ?? []
      if (id === '' && block.level === 2) {
        endGroup()
        group = { heading: block.text, line: block.line }
        last = null
        continue
      }
      const level = group ? 3 : 2
      if (id === '' || block.level !== level) refuse(block.line, level, block.text)
      if (sections.some((other) => other.id === id))
        throw new WordsFault(file, block.line, `'${id}' stands here twice.`)
      last = { id, heading, ...(group ? { group: group.heading } : {}), text: [] }
      sections.push(last)
      continue
    }
    endGroup()
    if (block.type === 'code' && last && can === 'code') {
      const language = LANGUAGES[block.language]
      if (!language) throw new WordsFault(file, block.line, 'Code here is ```python or ```js.')
      if (last.code) throw new WordsFault(file, block.line, 'One block of code stands under a heading.')
      last.code = { language, text: block.text }
      continue
    }
    if (block.type === 'table' && last && can === 'tables') {
      const { table, line } = block
      const write = (text: Inline): Inline => read.words({ text, line })
      last.text.push({
        caption: write(table.caption),
        columns: table.columns.map(({ head, align }) => ({ head: write(head), align })),
        rows: table.rows.map((row) => row.map(write)),
      })
      continue
    }
    if (block.type !== 'paragraph' || !last)
      throw new WordsFault(file, block.line, 'Only paragraphs under a heading can stand here.')
    const words = read.paragraph(block)
    if (words !== null) last.text.push(words)
  }
  endGroup()
  return sections
}
