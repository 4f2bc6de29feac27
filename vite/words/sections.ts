/** A file of headings with ids and paragraphs: the method page, the glossary. */
import type { Section } from '../../src/lessons/lesson'
import { readBlocks, WordsFault } from './blocks'

export function parseSections(source: string, file: string): readonly Section[] {
  const sections: (Section & { readonly text: string[] })[] = []
  for (const block of readBlocks(source, file)) {
    if (block.type === 'heading') {
      const [, heading = '', id = ''] = /^(.+?) +\{#([a-z0-9-]+)\}$/.exec(block.text) ?? []
      if (id === '' || block.level !== 2)
        throw new WordsFault(file, block.line, `A heading here reads: ## ${block.text} {#some-id}`)
      if (sections.some((other) => other.id === id))
        throw new WordsFault(file, block.line, `'${id}' stands here twice.`)
      sections.push({ id, heading, text: [] })
      continue
    }
    const last = sections.at(-1)
    if (block.type !== 'paragraph' || !last)
      throw new WordsFault(file, block.line, 'Only paragraphs under a heading can stand here.')
    last.text.push(block.text)
  }
  return sections
}
