/** Fixes that must not change what the program computes, or break its blocks. */
import { expect, it } from 'vitest'
import { checkPython } from './check'
import { apply } from './edits'
import { inLoop } from './testing/examples'

/** The program after all fixes of a rule. */
const fixed = (rule: string, body: string): string => {
  const text = inLoop(body)
  const finding = checkPython(text).findings.find((each) => each.rule === rule)
  return apply(text, finding?.fix.edits ?? [])
}

it.each([
  ['item', 'scheduler.step(loss.item())'],
  ['item', 'meter.update(loss.item(), 2)'],
  ['branch', 'best = max(best, loss)'],
  ['made-on-host', 'a = torch.randn(64, 8).to(device, torch.float16)'],
  ['made-on-host', 'a = torch.tensor([1.0, 2.0]).to(device)'],
  ['to-host', 'kept.append(out.cpu())'],
  ['synchronize', 'if wants:\n    torch.cuda.synchronize()\nelse:\n    torch.cuda.synchronize()'],
])('%s edits nothing of: %s', (rule, body) => {
  const text = inLoop(body)
  expect(checkPython(text).findings.map((each) => each.rule)).toContain(rule)
  expect(fixed(rule, body)).toBe(text)
})

it.each([
  ['item', 'print(loss.item())', '% 50 == 0:'],
  ['made-on-host', 'a = torch.randn(64, 8).to(device)', 'torch.randn(64, 8, device=device)'],
  ['to-host', 'kept.append(loss.cpu())', 'kept.append(loss.detach())'],
])('%s edits: %s', (rule, body, text) => expect(fixed(rule, body)).toContain(text))
