/**
 * Words that several lessons share, `src/lessons/passages.md`: each under a heading that is its
 * name, paragraphs and tables. A lesson takes one in by a paragraph `{include its-name}`, so that
 * two lessons cannot say different things of the same. What they quote is of recordings.
 */
import { mapTable } from '../../src/text/passage'
import { failIn, partsOf, readBlocks, type Block, type Fail } from './blocks'
import { TextReader, type Sources } from './text'

export type Passages = ReadonlyMap<string, readonly Block[]>
export const NO_PASSAGES: Passages = new Map()

/** @throws WordsFault */
export function parsePassages(source: string, file: string, sources: Sources): Passages {
  const fail = failIn(file)
  const read = new TextReader(sources, fail)
  const words = (line: number) => (text: string) => read.words({ text, line })
  const { before, parts } = partsOf(readBlocks(source, file), 2)
  if (before[0]) fail(before[0].line, 'A passage begins with its name: ## some-name')
  const passages = new Map<string, readonly Block[]>()
  for (const { heading, blocks } of parts) {
    const name = heading.text
    if (!/^[a-z0-9-]+$/.test(name)) fail(heading.line, `'${name}' is no name.`)
    if (passages.has(name)) fail(heading.line, `'${name}' stands here twice.`)
    if (blocks.length === 0) fail(heading.line, `'${name}' says nothing.`)
    const said = blocks.map((block): Block => {
      if (block.type === 'table') return { ...block, table: mapTable(block.table, words(block.line)) }
      // Conditions are of a lesson's run.
      if (block.type !== 'paragraph' || /^\{(when|else)/.test(block.text))
        return fail(block.line, 'A passage is made of paragraphs and tables.')
      const text = words(block.line)(block.text)
      return { ...block, text, lines: [{ text, line: block.line }] }
    })
    passages.set(name, said)
  }
  return passages
}

/** The passage that a block asks for; null: it is no such block. */
export function included(block: Block, passages: Passages, fail: Fail): readonly Block[] | null {
  const [, name] = (block.type === 'paragraph' && /^\{include ([^{}]*)\}$/.exec(block.text)) || []
  if (name === undefined) return null
  return (
    passages.get(name) ??
    fail(block.line, `There is no passage '${name}'; there are ${[...passages.keys()].join(', ') || 'none'}.`)
  )
}
