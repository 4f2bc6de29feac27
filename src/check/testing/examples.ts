/** Examples of the rules (examples.md), whole: what each must find, and what it must miss. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inLoop } from './loop'

const sections = readFileSync(join(import.meta.dirname, 'examples.md'), 'utf8')
  .split(/^## /m)
  .slice(1)

const blocksIn = (text: string): readonly string[] =>
  [...text.matchAll(/^```python\n([\s\S]*?)\n```$/gm)].map(([, block = '']) =>
    block.startsWith('import torch\n') ? `${block}\n` : inLoop(block),
  )

export const EXAMPLES = new Map(
  sections.map((section) => {
    const [finds = '', misses = ''] = section.split('\nMisses:\n')
    return [finds.split('\n', 1)[0], { finds: blocksIn(finds), misses: blocksIn(misses) }] as const
  }),
)
