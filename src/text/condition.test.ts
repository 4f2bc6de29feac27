/** Checks that an unknown makes a condition unknown: neither it nor its negation holds. */
import { describe, expect, it } from 'vitest'
import { sampleReport } from '../trace/testing/sample-report'
import { holds, type Condition } from './condition'
import {
  metric,
  ms,
  all,
  any,
  inconclusive,
  measured,
  not,
  notShown,
  paramIs,
  ran,
  reason,
  recorded,
  shown,
  software,
  timestamps,
} from './define-figures'
import { factsOfDevice, factsOfRun, NO_FACTS, type Facts } from './facts'

const DEVICE = { isSoftware: true, features: ['timestamp-query'] } as const
const valid = { ...sampleReport, validity: { valid: true, reasons: [] } }
const isShown = factsOfRun({ ...valid, verdict: { outcome: 'shown', reason: 'a-reason', text: '' } }, 'live')
const undecided = factsOfRun(
  { ...valid, verdict: { outcome: 'inconclusive', reason: 'b', text: '' } },
  'recorded',
)
const invalid = factsOfRun({ ...valid, validity: { valid: false, reasons: ['x'] } }, 'live')
const decided = any(shown, notShown, inconclusive)

describe('a fact', () => {
  it.each<readonly [Condition, Facts, boolean]>([
    [software, NO_FACTS, false],
    [not(software), NO_FACTS, false],
    [software, factsOfDevice(DEVICE), true],
    [timestamps, factsOfDevice(DEVICE), true],
    [not(timestamps), factsOfDevice({ ...DEVICE, features: [] }), true],
    [ran, NO_FACTS, false],
    [not(ran), NO_FACTS, true],
    [decided, NO_FACTS, false],
    [all(shown, reason('a-reason')), isShown, true],
    [notShown, isShown, false],
    [notShown, undecided, false],
    [all(inconclusive, recorded), undecided, true],
    [not(recorded), isShown, true],
    [recorded, NO_FACTS, false],
    [not(recorded), NO_FACTS, false],
    // It shows nothing, neither this nor the opposite.
    [all(ran, not(decided)), invalid, false],
    [reason('a-reason'), invalid, false],
    [paramIs('nothing', 1), isShown, false],
    [not(paramIs('nothing', 1)), isShown, false],
  ])('%j', (condition, facts, expected) => expect(holds(condition, facts, {})).toBe(expected))

  it('that does not count has no figure', () => expect(invalid.metrics).toEqual([]))
})

describe('what was not measured', () => {
  const [x, y] = [metric('a-ms')('x'), metric('a-ms')('y')]
  const always: Condition = { op: 'always' }
  it.each<readonly [Condition, boolean]>([
    [x.below(y), false],
    [not(x.below(y)), false],
    [x.overlaps(y), false],
    [not(x.atLeast(ms(1))), false],
    [not(x.lessThan(ms(1))), false],
    [any(x.atLeast(ms(1)), always), true],
    [not(all(x.atLeast(ms(1)), not(always))), true],
    [not(measured(x)), true],
  ])('%j', (condition, expected) => expect(holds(condition, NO_FACTS, {})).toBe(expected))
})
