import { describe, expect, it } from 'vitest'
import { parseCondition } from '../../vite/words/condition'
import type { Metric } from '../trace/report'
import { fakeMetrics } from '../experiments/testing/fake-evidence'
import { holds, type Condition } from './condition'
import type { Facts } from './facts'
import { render, type Text } from './template'
import { say } from './wording'

const facts: Facts = {
  params: { read: 'item', steps: 4 },
  derived: { matrixSize: 512 },
  environment: { isSoftware: true, deviceClockStepNs: 1, hostClockStepUs: 5, completionLatencyMs: 1 },
  metrics: fakeMetrics({
    'step-ms never': [0.9, 1, 1.1],
    'step-ms often': [3.8, 4, 4.3],
    'step-ms near': [1, 1.05, 2],
    'slowdown often': [3.8, 4, 4.2],
    'busy often': 0.09,
    'submit-us often': 5,
    'gone-ms often': null,
  }),
}
const names = { often: 'often', words: 'after every step', none: null }
const when = (text: string): Condition =>
  parseCondition(text, { bound: () => undefined, condition: () => undefined })
const read = (text: Text, withBounds = false, metric: (metric: Metric) => string = say) =>
  render(text, { facts, names, metric, withBounds })

describe('a text', () => {
  it('quotes figures as its reader does', () => {
    expect(read('It took {step-ms often} {$words}.')).toBe('It took 4 ms after every step.')
    expect(read('It took {step-ms $often}.', false, ({ name }) => `<${name}>`)).toBe('It took <step-ms>.')
    expect(read('{slowdown often | times} as long.')).toBe('4 times as long.')
    expect(read('{slowdown often | times} as long.', true)).toBe('4 times (3.8 to 4.2) as long.')
    expect(
      read('{step-ms often / submit-us often | times}, {step-ms often / submit-us often | at-least}.'),
    ).toBe('800 times, 760 times.')
    expect(read('It was {busy often | idle}, about {step-ms near | about}.')).toBe(
      'It was idle 10 of every 11 milliseconds, about 1.1.',
    )
    expect(read('{step-ms often - step-ms never} for {param.read}, {derived.matrixSize}.')).toBe(
      '3 ms for item, 512.',
    )
  })

  it('leaves out a sentence with a figure that was not measured, whole, and nothing else', () => {
    expect(read('A took {step-ms never}. B took {gone-ms often}, and A {step-ms never}. C holds.')).toBe(
      'A took 1 ms. C holds.',
    )
    expect(read('B took {gone-ms often}.')).toBeNull()
    expect(read('{$none} was read.')).toBeNull()
    expect(read(['B took {gone-ms often}.', 'C holds.'])).toBe('C holds.')
  })

  it('chooses by a condition', () => {
    const choice: Text = {
      when: when('measured gone-ms often'),
      text: 'Known.',
      otherwise: ['Not', 'known.'],
    }
    expect(read(choice)).toBe('Not known.')
    expect(read({ when: when('measured gone-ms often'), text: 'Known.' })).toBeNull()
  })

  it('ends a sentence at a stop before a blank, markup included, and not inside a number', () => {
    const gone = '{gone-ms often}'
    expect(read(`**It counts ${gone}.** 0.3 ms of \`a.b()\` pass: so it is. Does it? Yes`)).toBe(
      '0.3 ms of `a.b()` pass: so it is. Does it? Yes',
    )
    expect(read(`**It counts.** 0.3 ms of \`a.b()\` pass ${gone}: so it is. Does it? Yes`)).toBe(
      '**It counts.** Does it? Yes',
    )
    expect(read(`So it is. Does it ${gone}? Yes`)).toBe('So it is. Yes')
  })

  it('refuses a format that does not exist', () => {
    expect(() => read('{step-ms never | loudly}')).toThrow('unknown format')
  })
})

describe('a condition', () => {
  const is = (text: string) => holds(when(text), facts, names)
  it('compares intervals, not medians', () => {
    expect(is('step-ms never below step-ms often')).toBe(true)
    expect(is('step-ms often below step-ms never')).toBe(false)
    expect(is('step-ms never below step-ms near')).toBe(false)
    expect(is('step-ms never overlaps step-ms near')).toBe(true)
    expect(is('step-ms never overlaps step-ms often')).toBe(false)
  })

  it('tells a median from a whole interval', () => {
    expect([is('step-ms near at least 1.05ms'), is('step-ms near surely at least 1050us')]).toEqual([
      true,
      false,
    ])
    expect([is('step-ms near less than 1.5ms'), is('step-ms near surely less than 1.5ms')]).toEqual([
      true,
      false,
    ])
  })

  it('converts what it compares, and knows nothing of what has no common unit', () => {
    expect(is('submit-us often below step-ms never')).toBe(true)
    expect(is('step-ms never below submit-us often')).toBe(false)
    expect(is('submit-us often at least 0.001ms and submit-us often less than 0.01ms')).toBe(true)
    expect(is('submit-us often below busy often or not submit-us often below busy often')).toBe(false)
    expect(is('step-ms never at least 1 or step-ms never less than 1')).toBe(false)
  })

  it.each([
    'gone-ms often below step-ms often',
    'gone-ms often overlaps step-ms often',
    'gone-ms often at least 0',
    'gone-ms often less than 9ms',
  ])('is not known of what was not measured, and neither is its opposite: %s', (text) => {
    expect(is(text)).toBe(false)
    expect(is(`not (${text})`)).toBe(false)
  })

  it('combines, and asks for parameters and the adapter', () => {
    expect(is('param read is item and software')).toBe(true)
    expect(is('param read is matrix or param steps is 5')).toBe(false)
    expect(is('param steps is 4 and always')).toBe(true)
  })
})
