/** What is not known makes a condition unknown, and neither it nor its negation holds. */
import { describe, expect, it } from 'vitest'
import { parseCondition } from '../../vite/words/condition'
import { sampleReport } from '../trace/testing/sample-report'
import { holds } from './condition'
import { factsOfDevice, factsOfRun, NO_FACTS, type Facts } from './facts'

const holdsOf = (text: string, facts: Facts): boolean =>
  holds(parseCondition(text, { bound: () => undefined, condition: () => undefined }), facts, {})
const DEVICE = { isSoftware: true, features: ['timestamp-query'] } as const
const valid = { ...sampleReport, validity: { valid: true, reasons: [] } }
const shown = factsOfRun({ ...valid, verdict: { outcome: 'shown', reason: 'a-reason', text: '' } }, 'live')
const undecided = factsOfRun(
  { ...valid, verdict: { outcome: 'inconclusive', reason: 'b', text: '' } },
  'recorded',
)
const invalid = factsOfRun({ ...valid, validity: { valid: false, reasons: ['x'] } }, 'live')

describe('a fact', () => {
  it.each([
    ['software', NO_FACTS, false],
    ['not software', NO_FACTS, false],
    ['software', factsOfDevice(DEVICE), true],
    ['timestamps', factsOfDevice(DEVICE), true],
    ['not timestamps', factsOfDevice({ ...DEVICE, features: [] }), true],
    ['ran', NO_FACTS, false],
    ['not ran', NO_FACTS, true],
    ['shown or not-shown or inconclusive', NO_FACTS, false],
    ['shown and reason a-reason', shown, true],
    ['not-shown', shown, false],
    ['not-shown', undecided, false],
    ['inconclusive and recorded', undecided, true],
    ['not recorded', shown, true],
    ['recorded', NO_FACTS, false],
    ['not recorded', NO_FACTS, false],
    // It shows nothing, neither this nor the opposite.
    ['ran and not (shown or not-shown or inconclusive)', invalid, false],
    ['reason a-reason', invalid, false],
    ['param nothing is 1', shown, false],
    ['not param nothing is 1', shown, false],
  ])('%s', (text, facts, expected) => {
    expect(holdsOf(text, facts)).toBe(expected)
  })

  it('that does not count has no figure', () => {
    expect(invalid.metrics).toEqual([])
  })
})

describe('what was not measured', () => {
  it.each([
    ['a-ms x below a-ms y', false],
    ['not a-ms x below a-ms y', false],
    ['not a-ms x at least 1ms', false],
    ['a-ms x at least 1ms or always', true],
    ['not (a-ms x at least 1ms and not always)', true],
    ['not measured a-ms x', true],
  ])('%s', (text, expected) => {
    expect(holdsOf(text, NO_FACTS)).toBe(expected)
  })
})
