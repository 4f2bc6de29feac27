/** Each rule finds its own examples, misses what it must, and its fix cures what it found. */
import { describe, expect, it } from 'vitest'
import { checkPython } from './check'
import { apply } from './edits'
import { RULES } from './rules'
import { inLoop } from './testing/loop'

const whole = (example: string) => (example.startsWith('import torch\n') ? example : inLoop(example))

const found = (rule: string, text: string) =>
  checkPython(text).findings.filter((finding) => finding.rule === rule)

describe.each(RULES)('$id', (rule) => {
  it.each(rule.matches)('finds: %s', (body) => {
    const text = whole(body)
    const findings = found(rule.id, text)
    expect(findings.length, JSON.stringify(checkPython(text), null, 1)).toBeGreaterThan(0)
    const [finding] = findings
    if (!finding || finding.fix.edits.length === 0) return
    const cured = apply(text, finding.fix.edits)
    expect(checkPython(cured).unread).toEqual([])
    expect(found(rule.id, cured).length, cured).toBeLessThan(findings.length)
  })

  it.each(rule.misses)('is silent at: %s', (body) => {
    expect(found(rule.id, whole(body))).toEqual([])
  })

  it('has its words and sources', () => {
    expect(rule.sources.length).toBeGreaterThan(0)
    for (const source of rule.sources) expect(source).toMatch(/^https:\/\//)
    for (const text of [rule.why, rule.unless, rule.instead]) expect(text).toMatch(/[.]$/)
  })
})

it('says nothing of the loop around the examples', () => {
  expect(checkPython(inLoop('pass'))).toEqual({ findings: [], questions: [], unread: [], loop: 'train' })
})
