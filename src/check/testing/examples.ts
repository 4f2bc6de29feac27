/** Examples of the rules (examples.md), whole: what each must find, and what it must miss. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A training loop for a rule's example: what stands around the lines that it is about. */
const HEAD = `import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(data, num_workers=4, pin_memory=True, persistent_workers=True)
total, losses, best = 0, [], 0
for epoch in range(3):
    for step, (x, y) in enumerate(loader):
        x = x.to(device, non_blocking=True)
        y = y.to(device, non_blocking=True)
        out = model(x)
        loss = F.cross_entropy(out, y)
        loss.backward()
`
const INDENT = ' '.repeat(8)

export const inLoop = (body: string): string => {
  const lines = body.split('\n').map((line) => `${INDENT}${line}\n`)
  const step = body.includes('optimizer.step()') ? '' : `${INDENT}optimizer.step()\n`
  return `${HEAD}${lines.join('')}${step}`
}

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
