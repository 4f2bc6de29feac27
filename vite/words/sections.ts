/**
 * A file of headings with ids and paragraphs: the method page, the glossary (`## Heading {#id}`). Where they stand in groups, as questions do, the
 * group is a heading of level 2 without an id, and they are of level 3. Their words can quote recordings, with conditions on them.
 */
import type { Section } from '../../src/lessons/lesson'
import type { Recordings } from '../../src/text/recorded'
import { failIn, readBlocks, WordsFault } from './blocks'
import type { Names } from './named'
import { TextReader } from './text'

type Open = Section & { readonly text: string[] }

export function parseSections(
  source: string,
  file: string,
  names: Names,
  recordings: Pick<Recordings, 'figure'>,
): readonly Section[] {
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
    if (block.type !== 'paragraph' || !last)
      throw new WordsFault(file, block.line, 'Only paragraphs under a heading can stand here.')
    const words = read.paragraph(block)
    if (words !== null) last.text.push(words)
  }
  endGroup()
  return sections
}
