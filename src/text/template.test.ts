import { describe, expect, it } from 'vitest'
import { fakeMetrics } from '../experiments/testing/fake-evidence'
import type { Metric } from '../trace/report'
import { holds, type Condition } from './condition'
import { derived, metric, ms, param, us, word, all, measured, paramIs, software } from './define-figures'
import type { EndedRun, Facts } from './facts'
import { render, type Quoted, type Text, NO_READING } from './template'
import { say, about } from './wording'
import type { Unit } from './figure'

const facts: Facts = {
  params: { read: 'item', steps: 4 },
  derived: { matrixSize: 512 },
  environment: { isSoftware: true, deviceClockStepNs: 1, hostClockStepUs: 5, completionLatencyMs: 1 },
  metrics: fakeMetrics({
    'step-ms never': [0.9, 1, 1.1],
    'step-ms often': [3.8, 4, 4.3],
    'step-ms near': [1, 1.05, 2],
    'slowdown often': [3.8, 4, 4.2],
    'submit-us often': 5,
    'gone-ms often': null,
  }),
}
const names = { often: 'often', words: 'after every step', none: null }
const read = (text: Text, withBounds = false, quote: (metric: Metric) => string = say) =>
  render(text, { facts, names, metric: quote, withBounds })
const says = (quoted: Quoted, withBounds = false, quote?: (metric: Metric) => string) =>
  read(
    { parts: [{ ...('word' in quoted ? quoted : { figure: quoted.figure }), ...asOf(quoted) }] },
    withBounds,
    quote,
  )
const asOf = (quoted: Quoted) => ('as' in quoted && typeof quoted.as === 'string' ? { as: quoted.as } : {})

const step = metric('step-ms')
const [slowdown, submit, gone] = [
  metric('slowdown')('often'),
  metric('submit-us')('often'),
  metric('gone-ms')('often'),
]

describe('a sentence', () => {
  it('quotes figures as its reader does', () => {
    expect(read({ parts: ['It took ', { figure: step('often').figure }, ' ', word('words'), '.'] })).toBe(
      'It took 4 ms after every step.',
    )
    expect(says({ figure: step('$often').figure }, false, ({ name }) => `<${name}>`)).toBe('<step-ms>')
    expect(says(slowdown.as('times'))).toBe('4 times')
    expect(says(slowdown.as('times'), true)).toBe('4 times (3.8 to 4.2)')
    expect(says(step('often').over(submit).as('times'))).toBe('800 times')
    expect(says(step('often').over(submit).as('at-least'))).toBe('760 times')
    expect(says(step('near').as('about'))).toBe('1.1')
    expect(says(step('near').as('us'))).toBe('1050 µs')
    expect(says({ figure: step('often').minus(step('never')).figure })).toBe('3 ms')
    expect(says({ figure: param('read').figure })).toBe('item')
    expect(says({ figure: derived('matrixSize').figure })).toBe('512')
  })

  it('is left out, whole, where a figure was not measured, and nothing else is', () => {
    const never = { figure: step('never').figure }
    expect(
      read([
        { parts: ['A took ', never, '.'] },
        { parts: ['B took ', { figure: gone.figure }, ', and A ', never, '.'] },
        'C holds.',
      ]),
    ).toBe('A took 1 ms. C holds.')
    expect(says({ figure: gone.figure })).toBeNull()
    expect(says(word('none'))).toBeNull()
  })

  it('says in whose browser the run was made, once one has ended', () => {
    const where: Text = { parts: ['In ', word('browser'), '.'] }
    const of = (origin: EndedRun['origin']) =>
      render(where, { ...NO_READING, facts: { ...facts, run: { outcome: null, reason: null, origin } } })
    expect(of('live')).toBe('In this browser.')
    expect(of('recorded')).toBe('In the recorded browser.')
    expect(read(where)).toBeNull()
  })

  it('is chosen by a condition', () => {
    const when = measured(gone)
    expect(read({ when, text: 'Known.', otherwise: ['Not', 'known.'] })).toBe('Not known.')
    expect(read({ when, text: 'Known.' })).toBeNull()
  })
})

describe('a condition', () => {
  const is = (condition: Condition) => holds(condition, facts, names)
  it('compares intervals, not medians', () => {
    expect(is(step('never').below(step('often')))).toBe(true)
    expect(is(step('often').below(step('never')))).toBe(false)
    expect(is(step('never').below(step('near')))).toBe(false)
    expect(is(step('never').overlaps(step('near')))).toBe(true)
    expect(is(step('never').overlaps(step('often')))).toBe(false)
  })

  it('tells a median from a whole interval', () => {
    const near = step('near')
    expect([is(near.atLeast(ms(1.05))), is(near.surelyAtLeast(us(1050)))]).toEqual([true, false])
    expect([is(near.lessThan(ms(1.5))), is(near.surelyLessThan(ms(1.5)))]).toEqual([true, false])
  })

  it('converts what it compares', () => {
    expect(is(submit.below(step('never')))).toBe(true)
    expect(is(step('never').below(submit))).toBe(false)
    expect(is(all(submit.atLeast(ms(0.001)), submit.lessThan(ms(0.01))))).toBe(true)
  })

  it('asks for parameters and the adapter', () => {
    expect(is(all(paramIs('read', 'item'), software))).toBe(true)
    expect(is(paramIs('read', 'matrix'))).toBe(false)
    expect(is(paramIs('steps', 4))).toBe(true)
  })
})

it('writes a figure in the unit in which it is read, in groups from five digits on', () => {
  const said = (value: number, unit: Unit) => say({ value, unit })
  expect([16_800, 62_720, 900, 0.994].map((value) => said(value, 'GFLOP/s'))).toEqual([
    '16.8 TFLOP/s',
    '62.7 TFLOP/s',
    '900 GFLOP/s',
    '0.994 GFLOP/s',
  ])
  expect([62_474, 1234.5, 4.555, 0.00437].map((value) => said(value, 'count'))).toEqual([
    '62,470',
    '1235',
    '4.55',
    '0.00437',
  ])
  expect([said(3961, 'GB/s'), said(0.191, 'ratio'), said(4000, 'us'), said(79_460, 'us')]).toEqual([
    '3961 GB/s',
    '19.1 %',
    '4000 µs',
    '79.5 ms',
  ])
  expect([118_700, 1234, 384.1].map(about)).toEqual(['120,000', '1200', '380'])
})
