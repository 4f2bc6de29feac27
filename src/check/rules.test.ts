/** Each rule finds its own examples, misses what it must, and its fix cures what it found. */
import { describe, expect, it } from 'vitest'
import { checkPython } from './check'
import { apply } from './edits'
import { RULES } from './rules'
import { EXAMPLES, inLoop } from './testing/examples'

const found = (rule: string, text: string) =>
  checkPython(text).findings.filter((finding) => finding.rule === rule)

describe.each(RULES)('$id', ({ id, sources, why, unless, instead }) => {
  const { finds, misses } = EXAMPLES.get(id) ?? { finds: [], misses: [] }

  it('has examples, words and sources', () => {
    expect([finds.length, misses.length, sources.length]).not.toContain(0)
    for (const source of sources) expect(source).toMatch(/^https:\/\//)
    for (const text of [why, unless, instead]) expect(text).toMatch(/[.]$/)
  })

  it.each(finds)('finds its example %#', (text) => {
    const findings = found(id, text)
    expect(findings.length, JSON.stringify(checkPython(text), null, 1)).toBeGreaterThan(0)
    const [finding] = findings
    if (!finding || finding.fix.edits.length === 0) return
    const cured = apply(text, finding.fix.edits)
    expect(checkPython(cured).unread).toEqual([])
    expect(found(id, cured).length, cured).toBeLessThan(findings.length)
  })

  it.each(misses)('is silent at example %#', (text) => expect(found(id, text)).toEqual([]))
})

it('says nothing of the loop around the examples', () =>
  expect(checkPython(inLoop('pass'))).toEqual({ findings: [], questions: [], unread: [], loop: 'train' }))

it('takes no type for a device in a fix', () =>
  expect(found('made-on-host', inLoop('noise = torch.randn(8).type(torch.cuda.FloatTensor)'))).toMatchObject([
    { fix: { edits: [] } },
  ]))
