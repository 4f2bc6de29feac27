/** A profile beside its code: functions by name, a line only where no other fits. */
import { expect, it } from 'vitest'
import { checkPython } from './check'
import { measuredIn, type MeasuredCause } from './measured'

const CODE = `import torch
model = torch.nn.Linear(8, 8).cuda()
class Trainer:
    def step(self, x):
        loss = model(x.cuda(non_blocking=True)).sum()
        loss.backward()
        optimizer.step()
        return self.report(loss)
    def report(self, loss):
        print(f"{loss}")
        return loss.item()
trainer = Trainer()
for x in loader:
    trainer.step(x)
`

const cause = (line: MeasuredCause['line']): MeasuredCause => ({
  cause: 'read-back',
  title: 'Results are read back in the loop',
  share: 0.2,
  gain: 1.25,
  line,
})
const linesOf = (causes: readonly MeasuredCause[]) => {
  const { findings } = checkPython(CODE)
  const { functions, findings: measured } = measuredIn(CODE, findings, causes)
  return {
    functions: functions.map(({ name, line }) => `${name} ${String(line)}`),
    lines: [...measured.keys()].map(({ rule }) => rule),
  }
}

it('gives a function its cost, and the line whose method was seen', () => {
  expect(linesOf([cause({ name: 'report', method: 'item' })])).toEqual({
    functions: ['report 9'],
    lines: ['item'],
  })
})

it('gives no line where two fit, or the code has no such function', () => {
  expect(linesOf([cause({ name: 'report', method: null })])).toEqual({ functions: ['report 9'], lines: [] })
  expect(linesOf([cause({ name: 'other', method: 'item' }), cause(null)])).toEqual({
    functions: [],
    lines: [],
  })
})
