/**
 * Quotations are read while the site is built; beside a run's own figures they stay, as numbers
 * with their unit.
 */
import { describe, expect, it } from 'vitest'
import { fakeMetrics } from '../experiments/testing/fake-evidence'
import { holds } from './condition'
import { metric, min, ms, recording, all, not, ran } from './define-figures'
import { NO_FACTS } from './facts'
import { evaluate, type Quantity } from './figure'
import { bindCondition, bindFigure, holdsOfRecordings, quoteOf, type Recorded } from './recorded'

const FIGURES: Readonly<Record<string, Quantity>> = {
  'some-ms a': { value: 4, low: 3, high: 5, unit: 'ms' },
  'some-ms b': { value: 2, low: 1, high: 3, unit: 'ms' },
  'size-bytes': { value: 2 ** 21, low: 2 ** 21, high: 2 ** 21, unit: 'bytes' },
}
const recorded: Recorded = (file, figure, variant) => {
  const found = file === 'f/s' ? FIGURES[`${figure} ${variant}`.trim()] : undefined
  if (!found) throw new Error(`no ${figure}`)
  return found
}
const f = recording('f/s')
const [a, b, own] = [f('some-ms', 'a'), f('some-ms', 'b'), metric('own-ms')]
const run = (metrics: Parameters<typeof fakeMetrics>[0]) => ({ ...NO_FACTS, metrics: fakeMetrics(metrics) })

describe('a quotation', () => {
  it('is worked out with others', () => {
    expect(quoteOf(a.over(b).figure, recorded)).toMatchObject({ value: 2, unit: 'ratio' })
    expect(quoteOf(f('size-bytes').over(a).figure, recorded)).toMatchObject({ value: 0.524288, unit: 'GB/s' })
  })

  it('is a fault where the figure is not there', () => {
    expect(() => quoteOf(f('none').figure, recorded)).toThrow('no none')
    expect(() => quoteOf(own('a').figure, recorded)).toThrow('no figure of recordings')
  })

  it('beside a figure of the run stays a number, and is worked out with it', () => {
    const bound = bindFigure(min(own('a'), a.minus(own('b'))).over(own('a').plus(ms(2))).figure, recorded)
    expect(JSON.stringify(bound)).not.toContain('f/s')
    expect(evaluate(bound, run({ 'own-ms a': 6, 'own-ms b': 1 }), {})?.value).toBe(0.375)
    expect(evaluate(bound, run({}), {})).toBeNull()
  })

  it('is compared with the run', () => {
    const condition = bindCondition(all(own('a').below(a), not(own('a').atLeast(ms(100)))), recorded)
    expect(holds(condition, run({ 'own-ms a': [1, 2, 2.9] }), {})).toBe(true)
    expect(
      holds(condition, run({ 'own-ms a': [1, 2, 3.5] }), {}),
      'its interval reaches into that of the recording',
    ).toBe(false)
  })

  const some = metric('some-ms')
  it.each([
    [b.below(a), some('b').below(some('a')), false],
    [b.overlaps(a), some('b').overlaps(some('a')), true],
    [b.over(4).below(a), some('b').over(4).below(some('a')), true],
    [a.surelyAtLeast(ms(3)), some('a').surelyAtLeast(ms(3)), true],
  ])(
    'is compared by one rule, with a recording or with a run of the same figures',
    (ofFile, ofRun, expected) => {
      expect(holdsOfRecordings(ofFile, recorded)).toBe(expected)
      expect(holds(ofRun, run({ 'some-ms a': [3, 4, 5], 'some-ms b': [1, 2, 3] }), {})).toBe(expected)
    },
  )

  it('alone decides where no run is', () => {
    expect(() => holdsOfRecordings(ran, recorded)).toThrow("'ran' is said of a run")
    expect(() => holdsOfRecordings(own('a').below(a), recorded)).toThrow('asks for a figure of a run')
  })
})
