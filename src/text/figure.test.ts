import { describe, expect, it } from 'vitest'
import { fakeMetrics } from '../experiments/testing/fake-evidence'
import type { Metric } from '../trace/report'
import { bytes, derived, gbPerS, max, metric, min, param, plain } from './define-figures'
import { evaluate, type Figure } from './figure'
import type { Facts } from './facts'

const facts: Facts = {
  params: { steps: 4, read: 'item' },
  derived: { matrixSize: 512 },
  environment: { isSoftware: false, deviceClockStepNs: 1, hostClockStepUs: 5, completionLatencyMs: 1 },
  metrics: fakeMetrics({
    'a-ms x': [1, 2, 4],
    'b-ms x+y': [1, 1, 2],
    'c-us x': [500, 1000, 1500],
    'gone-ms x': null,
    whole: 3,
  }),
}
const [a, b, c, gone, whole] = [
  metric('a-ms')('x'),
  metric('b-ms')('x+y'),
  metric('c-us')('x'),
  metric('gone-ms')('x'),
  metric('whole')(),
]
const of = ({ figure }: { readonly figure: Figure }) => evaluate(figure, facts, { often: 'x', none: null })

describe('a figure', () => {
  it('is a metric of a variant, of a name, or of the whole run', () => {
    expect(of(a)).toEqual({ value: 2, low: 1, high: 4, unit: 'ms' })
    expect(of(metric('a-ms')('$often'))?.value).toBe(2)
    expect(of(whole)?.value).toBe(3)
    for (const missing of ['$none', '$unknown', 'y']) expect(of(metric('a-ms')(missing))).toBeNull()
    expect(of(gone)).toBeNull()
  })

  it('divides, adds and takes away with every value that the intervals allow, durations in ms', () => {
    expect(of(a.over(b))).toEqual({ value: 2, low: 0.5, high: 4, unit: 'ratio' })
    expect(of(a.plus(c))).toEqual({ value: 3, low: 1.5, high: 5.5, unit: 'ms' })
    expect(of(a.minus(c))).toEqual({ value: 1, low: -0.5, high: 3.5, unit: 'ms' })
    expect(of(a.over(0))).toBeNull()
    expect(of(a.over(gone))).toBeNull()
  })

  it('has the unit of what it is made of, and no value where there is none', () => {
    expect(of(a.over(4))).toEqual({ value: 0.5, low: 0.25, high: 1, unit: 'ms' })
    expect(of(bytes(2097152).over(a))?.unit).toBe('GB/s')
    expect(of(bytes(1e6).over(gbPerS(2)))).toEqual({ value: 0.5, low: 0.5, high: 0.5, unit: 'ms' })
    expect(of(plain(2).times(a))?.unit).toBe('ms')
    expect(of(a.plus(0)), '0 has every unit').toMatchObject({ value: 2, unit: 'ms' })
    const one: Figure = { is: 'number', value: 1, low: 1, high: 1, unit: 'count' }
    const odd: readonly Figure[] = [
      { is: '+', of: [a.figure, one] },
      { is: '-', of: [a.figure, gbPerS(3).figure] },
      { is: '*', of: [a.figure, a.figure] },
      { is: '/', of: [one, a.figure] },
    ]
    for (const figure of odd) expect(of({ figure })).toBeNull()
  })

  it('falls back, and takes the smaller or larger', () => {
    expect(of(gone.or(a))?.value).toBe(2)
    expect(of(min(a, c))).toEqual({ value: 1, low: 0.5, high: 1.5, unit: 'ms' })
    expect(of(max(a, c))).toEqual({ value: 2, low: 1, high: 4, unit: 'ms' })
  })

  it('knows numbers among parameters and what a run worked out', () => {
    expect(of(param('steps'))?.value).toBe(4)
    expect(of(derived('matrixSize'))?.value).toBe(512)
    expect(of(param('read'))).toBeNull()
  })

  it('has no interval where a part has none', () => {
    const metrics: Metric[] = facts.metrics.map((each) => ({ ...each, high: null }))
    expect(evaluate(a.over(b).figure, { ...facts, metrics }, {})).toEqual({
      value: 2,
      low: null,
      high: null,
      unit: 'ratio',
    })
  })
})

it('types keep apart what has no common unit', () => {
  // @ts-expect-error a time and a rate
  a.below(gbPerS(3))
  // @ts-expect-error a time and a plain number
  a.atLeast(1)
  // @ts-expect-error a time and a share
  a.plus(whole)
  // @ts-expect-error a plain number over a time
  plain(1).over(a)
  // @ts-expect-error a time times a time
  a.times(b)
  expect(of(a.over(b).plus(1))?.value).toBe(3)
})
