/**
 * Behaviour that belongs to no single rule: hot loops, questions instead of findings, calls that
 * are followed, and the page's example.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CAUSES } from '../analysis/replay/causes'
import { checkPython } from './check'
import { RULES } from './rules'
import { inLoop } from './testing/examples'

const rulesIn = (text: string): readonly string[] => checkPython(text).findings.map(({ rule }) => rule)

const EXAMPLE = readFileSync(join(import.meta.dirname, '../site/ui/check/example.py'), 'utf8')

const HEAD = 'import torch\nmodel = torch.nn.Linear(8, 8).cuda()\n'

describe('the page’s example', () => {
  it('has five faults', () => {
    const { findings, questions, unread } = checkPython(EXAMPLE)
    expect(findings.map(({ line, rule }) => `${String(line)} ${rule}`)).toEqual([
      '9 loader-workers',
      '14 copy-blocks',
      '20 item',
      '21 log',
      '22 empty-cache',
    ])
    expect(questions).toEqual([])
    expect(unread).toEqual([])
  })

  it('says what the host does after each wait', () => {
    const { findings } = checkPython(EXAMPLE)
    expect(findings.find(({ rule }) => rule === 'item')?.next).toBe(
      'Next, the host takes a batch from `loader`. The GPU idles until the next launch.',
    )
  })
})

describe('which code is hot', () => {
  it('is the innermost loop that trains, not the epochs around it', () => {
    expect(
      rulesIn(
        `${HEAD}for epoch in range(9):\n    for x in loader:\n        loss = model(x.cuda(non_blocking=True)).sum()\n        loss.backward()\n    print(loss.item())\n`,
      ),
    ).toEqual([])
  })

  it('reaches into functions and methods of the file', () => {
    const text = `${HEAD}class Trainer:
    def __init__(self, model):
        self.model = model
    def step(self, x):
        loss = self.model(x).sum()
        loss.backward()
        return self.report(loss)
    def report(self, loss):
        return loss.item()
trainer = Trainer(model)
for x in loader:
    trainer.step(x.cuda(non_blocking=True))
    optimizer.step()
`
    const [finding] = checkPython(text).findings
    expect(finding).toMatchObject({ rule: 'item', line: 11, via: ['step', 'report'] })
  })

  it('is not what a guard skips in most steps', () => {
    const lines = (guard: string) =>
      `every = 1\n${HEAD}for step, x in enumerate(loader):\n    loss = model(x.cuda(non_blocking=True)).sum()\n    loss.backward()\n    ${guard}\n    print(loss.item())\n`
    expect(rulesIn(lines('if step % 50 != 0:\n        continue'))).toEqual([])
    expect(rulesIn(lines('if step % 50 == 0:\n        continue'))).toEqual(['item'])
    expect(rulesIn(lines('if step % every == 0:\n        print(loss.item())'))).toEqual(['item', 'item'])
  })

  it('is inference where nothing trains', () => {
    const text = `${HEAD}with torch.no_grad():\n    for x in torch.utils.data.DataLoader(d, num_workers=2, pin_memory=True):\n        y = model(x.cuda(non_blocking=True)).argmax().item()\n`
    expect(checkPython(text)).toMatchObject({ loop: 'infer', findings: [{ rule: 'item' }] })
    expect(rulesIn(`${text}for x in loader:\n    model(x).sum().backward()\n`)).not.toContain('item')
  })
})

describe('what nobody knows', () => {
  it('becomes a question', () => {
    const { findings, questions } = checkPython(inLoop('value = helper(step).item()'))
    expect(findings).toEqual([])
    expect(questions).toMatchObject([
      { rule: 'item', text: 'Is `helper(step)` on the GPU? Then: `.item()` waits for the GPU.' },
    ])
  })

  it('is a tensor where another file computes it from tensors', () => {
    expect(rulesIn(inLoop('value = accuracy(out, y)\ntotal += value.item()'))).toEqual(['item'])
    expect(rulesIn(inLoop('first, second = accuracy(out, y)\ntotal += second.item()'))).toEqual(['item'])
  })

  it('is a model where its name says so, and on the GPU where it is given a batch', () => {
    const head = 'import torch\nfrom models import Net, make\n'
    const loop = `for x in loader:\n    out = net(x.cuda(non_blocking=True))\n    out.sum().backward()\n`
    expect(rulesIn(`${head}net = make()\n${loop}    print(net.weight.norm())\n`)).toEqual(['print'])
    expect(rulesIn(`${head}net = Net()\nnet.cuda()\n${loop}    print(net(rows()).mean())\n`)).toEqual([
      'print',
    ])
  })

  it('may be a choice of the user', () => {
    const scaler = 'scaler = torch.amp.GradScaler("cuda", enabled=args.amp)\nscaler.step(optimizer)'
    expect(checkPython(inLoop(scaler))).toMatchObject({
      findings: [],
      questions: [{ text: expect.stringContaining('Is `scaler` enabled? Then:') as string }],
    })
  })

  it('is no question on the CPU, or where a name says it', () => {
    expect(checkPython(inLoop('value = torch.ones(3).sum().item()')).questions).toEqual([])
    expect(
      rulesIn(
        'import torch\ndef train(model, device, loader, optimizer):\n    for x, y in loader:\n        loss = model(x.to(device, non_blocking=True)).sum()\n        loss.backward()\n        loss.item()\n',
      ),
    ).toEqual(['item'])
  })
})

it('reads what is no Python without failing', () => {
  for (const text of [
    '',
    '))) def',
    'for x in:\n  y(',
    'class\n',
    'f"{',
    inLoop('x = [1,'),
    'while 1:\n a.b[',
    '\u0000',
  ])
    expect(() => checkPython(text)).not.toThrow()
  expect(checkPython('x = = 1').unread).toEqual([1])
})

it('names causes that a profile has', () => {
  for (const { cause } of RULES) expect(CAUSES).toContain(cause)
})
