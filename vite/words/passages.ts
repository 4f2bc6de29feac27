/**
 * Words that several lessons share, `src/lessons/passages.md`: each under a heading that is its name, paragraphs and tables. A lesson takes one
 * in by a paragraph `{include its-name}`, so that two lessons cannot say different things of the same.
 */
import { failIn, partsOf, readBlocks, type Block, type Fail } from './blocks'

export type Passages = ReadonlyMap<string, readonly Block[]>
export const NO_PASSAGES: Passages = new Map()

/** @throws WordsFault */
export function parsePassages(source: string, file: string): Passages {
  const fail = failIn(file)
  const { before, parts } = partsOf(readBlocks(source, file), 2)
  if (before[0]) fail(before[0].line, 'A passage begins with its name: ## some-name')
  const passages = new Map<string, readonly Block[]>()
  for (const { heading, blocks } of parts) {
    const name = heading.text
    if (!/^[a-z0-9-]+$/.test(name)) fail(heading.line, `'${name}' is no name.`)
    if (passages.has(name)) fail(heading.line, `'${name}' stands here twice.`)
    if (blocks.length === 0) fail(heading.line, `'${name}' says nothing.`)
    for (const block of blocks)
      // Conditions are of a lesson's run.
      if (block.type !== 'table' && (block.type !== 'paragraph' || /^\{(when|else)/.test(block.text)))
        fail(block.line, 'A passage is made of paragraphs and tables.')
    passages.set(name, blocks)
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
