import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Metric } from '../trace/report'
import { lessons } from './catalog'
import { findExperiment } from '../experiments/catalog'
import {
  compare,
  durationRatio,
  factorInWords,
  idleInWords,
  inTimes,
  sentences,
  whenMeasured,
} from './explain-tools'
import type { Quote } from './lesson'
import { fakeQuote, fakeReport } from './testing/fake-quote'

function quoteOf(metrics: readonly Partial<Metric>[]): Quote {
  const [lesson] = lessons
  const meta = lesson && findExperiment(lesson.experiment)
  if (!lesson || !meta) throw new Error('no lesson to borrow a report from')
  const report = fakeReport(lesson, meta, { reason: '', value: () => null })
  const full = metrics.map((metric): Metric => ({
    name: 'm',
    variant: '',
    value: 1,
    low: 1,
    high: 1,
    unit: 'ms',
    n: 5,
    origin: 'derived',
    ...metric,
  }))
  return fakeQuote({ ...report, metrics: full })
}

describe('compare', () => {
  const two = (a: Partial<Metric>, b: Partial<Metric>) =>
    compare(
      quoteOf([
        { ...a, name: 'a' },
        { ...b, name: 'b' },
      ]),
      ['a', ''],
      ['b', ''],
    )

  it('goes by intervals, not by medians', () => {
    expect(two({ value: 3, low: 2.5, high: 3 }, { value: 1, low: 1, high: 2 })).toBe('above')
    expect(two({ value: 1, low: 1, high: 2 }, { value: 3, low: 2.5, high: 3 })).toBe('below')
    expect(two({ value: 3, low: 1.5, high: 4 }, { value: 1, low: 1, high: 2 })).toBe('overlap')
    expect(two({ value: 2, low: 2, high: 2 }, { value: 1, low: 1, high: 2 }), 'touching is no gap').toBe(
      'overlap',
    )
  })

  it('knows when there is nothing to compare', () => {
    expect(two({ value: null, low: null, high: null }, {})).toBe('unmeasured')
    expect(two({ low: null, high: null }, {})).toBe('unmeasured')
    expect(compare(quoteOf([{ name: 'a' }]), ['a', ''], ['b', ''])).toBe('unmeasured')
  })

  it('turns round with its arguments', () => {
    const interval = fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true })).map(([a, b]) => ({
      low: Math.min(a, b),
      high: Math.max(a, b),
    }))
    const opposite = { above: 'below', below: 'above', overlap: 'overlap', unmeasured: 'unmeasured' }
    fc.assert(
      fc.property(interval, interval, (a, b) => {
        expect(two(a, b)).toBe(opposite[two(b, a)])
      }),
    )
  })
})

describe('durationRatio', () => {
  it('minds the units', () => {
    const quote = quoteOf([
      { name: 'kernel', value: 2, unit: 'ms' },
      { name: 'submit', value: 5, unit: 'us' },
      { name: 'none', value: 0, unit: 'ms' },
      { name: 'share', value: 0.5, unit: 'ratio' },
    ])
    expect(durationRatio(quote, ['kernel', ''], ['submit', ''])).toBeCloseTo(400)
    expect(durationRatio(quote, ['kernel', ''], ['none', ''])).toBeNull()
    expect(durationRatio(quote, ['kernel', ''], ['share', ''])).toBeNull()
    expect(durationRatio(quote, ['kernel', ''], ['absent', ''])).toBeNull()
  })
})

describe('words for figures', () => {
  it('says how often a device is idle', () => {
    expect(idleInWords(0.09)).toBe('idle 10 of every 11 milliseconds')
    expect(idleInWords(0.5)).toBe('idle 1 of every 2 milliseconds')
    expect(idleInWords(0.8)).toBe('idle 1 of every 5 milliseconds')
    expect(idleInWords(0.4)).toBe('idle 3 of every 5 milliseconds')
    expect(idleInWords(0.99)).toBe('hardly ever idle')
    expect(idleInWords(0)).toBe('idle all the time')
    expect(idleInWords(1e-9)).toBe('idle nearly all the time')
  })

  it('is near the share it stands for', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.011, max: 0.979, noNaN: true }), (busy) => {
        const [, idle = '', every = ''] = /idle (\d+) of every (\d+)/.exec(idleInWords(busy)) ?? []
        expect(Math.abs(Number(idle) / Number(every) - (1 - busy))).toBeLessThanOrEqual(
          0.05 * Math.min(busy, 1 - busy),
        )
      }),
    )
  })

  it('gives two digits of a ratio', () => {
    expect(inTimes(9.1234)).toBe('9.1 times')
    expect(inTimes(412)).toBe('410 times')
  })

  it('gives a factor with its interval, and never without a value', () => {
    const quote = quoteOf([
      { name: 'a', value: 1.053, low: 1.031, high: 1.0789, unit: 'ratio' },
      { name: 'b', value: 10, low: null, high: null, unit: 'ratio' },
      { name: 'c', value: null, low: null, high: null, unit: 'ratio' },
    ])
    expect(factorInWords(quote, ['a', ''])).toBe('1.05 times (1.03 to 1.08)')
    expect(factorInWords(quote, ['b', ''])).toBe('10 times')
    expect(factorInWords(quote, ['c', ''])).toBeNull()
  })

  it('leaves out what cannot be said', () => {
    const quote = quoteOf([{ name: 'a' }, { name: 'b', value: null }])
    const say = (a: string) => `It took ${a}.`
    expect(whenMeasured(quote, [['a', '']], say)).toBe('It took ⟨a ⟩.')
    expect(whenMeasured(quote, [['b', '']], say)).toBeNull()
    expect(whenMeasured(quote, [['b', '']], say, 'Unknown.')).toBe('Unknown.')
    expect(sentences(null, 'A.', null, 'B.')).toBe('A. B.')
    expect(sentences(null, null)).toBeNull()
  })
})
