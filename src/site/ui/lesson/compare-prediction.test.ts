import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Asked } from '../../../lessons/lesson'
import { askedOf } from './PredictForm'
import { axisOf, gapInWords, inSliderUnit, scoreInWords } from './compare-prediction'
import { shortFigure } from './Scale'
import { forAll } from '../../../testing/for-all'

const measured = { value: 9.1, low: 8.9, high: 9.3 }

describe('gapInWords', () => {
  it.each([
    [80, '8.8 times too high.'],
    [9, 'Right.'],
    [8.8, 'Nearly right.'],
    [8.5, '1.1 times too low.'],
    [0, 'Too low.'],
  ])('%d', (said, words) => expect(gapInWords(said, measured, { step: 0.1, unit: 'ms' })).toBe(words))
  it('allows what the slider cannot say more finely', () =>
    expect(gapInWords(10, measured, { step: 2, unit: 'ms' })).toBe('Right.'))
  it('does not stretch the interval by what the slider cannot say', () => {
    const about = { value: 1.01, low: 0.89, high: 1.13 }
    const asked = { step: 0.25, doublings: true, unit: '×', min: 0.25, max: 4 }
    const said = 2 ** 0.25
    expect(gapInWords(said, about, asked)).toBe('1.2 times too high.')
  })
  it.each([
    [75, '66 points too high.'],
    [8, '1 point too low.'],
  ])('counts points between percentages: %d %%', (said, words) =>
    expect(gapInWords(said, measured, { step: 0.1, unit: '%' })).toBe(words),
  )
})

const run = (outcome: 'shown' | 'not-shown' | 'inconclusive', valid = true) => ({
  verdict: { outcome, reason: '', text: '' },
  validity: { valid, reasons: [] },
})
const alone = { pytorch: null, browser: 'this browser' }

describe('scoreInWords', () => {
  const asked = { step: 0.1, unit: '×', min: 1, max: 3 }
  const narrow = { value: 2, low: 1.9, high: 2.1 }
  const right = 'Right.'

  it('scores what was decided, either way', () => {
    expect(scoreInWords(2, narrow, asked, run('shown'), alone)).toBe(right)
    expect(scoreInWords(2, narrow, asked, run('not-shown'), alone)).toBe(right)
  })
  it('praises nobody where nothing was decided', () => {
    const wide = { value: 2, low: 1.3, high: 2.7 }
    expect(scoreInWords(2, wide, asked, run('not-shown'), alone)).toContain(
      '1.30 to 2.70\u2009×, is too wide',
    )
    expect(scoreInWords(1.1, wide, asked, run('shown'), alone)).toContain('lies below it')
    expect(scoreInWords(2.9, wide, asked, run('shown'), alone)).toContain('lies above it')
    expect(scoreInWords(2, narrow, asked, run('inconclusive'), alone)).toContain('not scored')
    expect(scoreInWords(2, narrow, asked, run('shown', false), alone)).toContain('does not count')
  })
})

describe('in both worlds', () => {
  const asked = { step: 1, unit: '×', min: 1, max: 100 }
  const here = { value: 10, low: 9.5, high: 10.5 }
  const say = (
    said: number,
    pytorch: number | null,
    measured: typeof here | null = here,
    of = run('shown'),
  ) => scoreInWords(said, measured, asked, of, { pytorch, browser: 'this browser' })

  it.each([
    // Right in the browser means within its interval; in PyTorch, to half a step of the slider.
    [10, 30, '3 times too low for PyTorch, right for this browser.'],
    [30, 30.4, 'Right for PyTorch, 3 times too high for this browser.'],
    [10, 10.4, 'Right for PyTorch and for this browser.'],
    [20, 20.8, 'Nearly right for PyTorch, 2 times too high for this browser.'],
    [40, 20, '2 times too high for PyTorch, 4 times too high for this browser.'],
    [20, 10, '2 times too high for PyTorch and for this browser.'],
    [78, 10_000, '130 times too low for PyTorch, 7.8 times too high for this browser.'],
    [5, -1, 'Too high for PyTorch, 2 times too low for this browser.'],
  ])('%d against %d in PyTorch', (said, pytorch, words) => expect(say(said, pytorch)).toBe(words))

  it('counts points between shares', () => {
    const share = { step: 1, unit: '%', min: 0, max: 100 }
    const measured = { value: 9.1, low: 8.9, high: 9.3 }
    const worlds = { pytorch: 87.6, browser: 'the recorded browser' }
    expect(scoreInWords(75, measured, share, run('shown'), worlds)).toBe(
      '13 points too low for PyTorch, 66 points too high for the recorded browser.',
    )
    expect(scoreInWords(88, measured, share, run('shown'), worlds)).toContain('Right for PyTorch, 79 points')
    expect(scoreInWords(10, measured, share, run('shown'), worlds)).toContain('1 point too high')
  })

  it('scores PyTorch’s figure, which is recorded, where the run decides nothing', () => {
    expect(say(30, 30, here, run('shown', false))).toBe(
      'Right for PyTorch. The run does not count, so your prediction is not scored for this browser.',
    )
    expect(say(30, 30, here, run('inconclusive'))).toMatch(
      /^Right for PyTorch\. .* not scored for this browser\.$/,
    )
    expect(say(30, 30, null)).toBe('Right for PyTorch.')
    const wide = { value: 30, low: 10, high: 50 }
    expect(say(30, 90, wide)).toBe(
      '3 times too low for PyTorch. The measured interval, 10 to 50\u2009×, is too wide to score your prediction for this browser.',
    )
    expect(say(60, 60, wide)).toBe(
      'Right for PyTorch. The measured interval, 10 to 50\u2009×, is wide, but your prediction lies above it.',
    )
  })

  it('says nothing of PyTorch without a figure of this scale', () => {
    expect(say(30, null)).toBe('3 times too high.')
    expect(say(30, null, null)).toBe('')
  })
})

describe('askedOf', () => {
  const one = { question: 'a', unit: '%' } as Asked
  const both = { ...one, withoutTimestamps: { ...one, question: 'b', unit: '×' } }
  it('asks what the device can answer', () => {
    expect(askedOf(both, null).question).toBe('a')
    expect(askedOf(both, { features: ['timestamp-query'] }).question).toBe('a')
    expect(askedOf(both, { features: [] }).question).toBe('b')
    expect(askedOf(one, { features: [] }).question).toBe('a')
  })
})

const domainOf = (...of: Parameters<typeof axisOf>) => axisOf(...of).domain()

it('axis holds prediction range and measurement', () =>
  forAll(fc.double({ min: -50, max: 500, noNaN: true }), (value) => {
    const [from, to] = domainOf({ min: 0, max: 100 }, { low: value - 1, high: value + 1 })
    expect(from).toBeLessThanOrEqual(Math.min(0, value - 1))
    expect(to).toBeGreaterThanOrEqual(Math.max(100, value + 1))
  }))

it('ends the axis on round numbers where the measurement lies outside the slider', () => {
  expect(domainOf({ min: 0, max: 100 }, { low: 8, high: 9 })).toEqual([0, 100])
  expect(domainOf({ min: 0, max: 100 }, { low: 126, high: 137 })).toEqual([0, 140])
  expect(domainOf({ min: 0, max: 100 }, { low: -107, high: 63 })).toEqual([-120, 100])
  expect(domainOf({ min: 0, max: 4 }, { low: 4.1, high: 4.73 })).toEqual([0, 5])
})

it('takes the metric to the unit of the slider', () => {
  const metric = { value: 0.09, low: null, high: 0.1 }
  expect(inSliderUnit(metric, { scale: 100 })).toEqual({ value: 9, low: 9, high: 10 })
  expect(inSliderUnit({ ...metric, value: null }, { scale: 100 })).toBeNull()
  expect(inSliderUnit(undefined, { scale: 100 })).toBeNull()
})

describe('shortFigure', () => {
  it.each([
    ['14.3', '14'],
    ['1.19', '1.2'],
    ['2.04', '2.0'],
    ['0.84', '0.84'],
    ['−22.4', '−22.4'],
  ])('%s %%', (figure, short) => expect(shortFigure(figure, { unit: '%' })).toBe(short))
  it('is never more than a twentieth from the figure', () =>
    forAll(fc.double({ min: 0.01, max: 100, noNaN: true }), (share) => {
      const figure = share.toPrecision(4)
      const short = Number(shortFigure(figure, { unit: '%' }))
      expect(Math.abs(short - Number(figure))).toBeLessThanOrEqual(0.05 * Number(figure))
    }))
  it('leaves other units as they are', () => expect(shortFigure('14.3', { unit: 'ms' })).toBe('14.3'))
})

it('on a slider of doublings, half a doubling is near enough, and shares are of its doublings', () => {
  const asked = { step: 1, doublings: true, unit: 'KiB', min: 1, max: 65_536 }
  const measured = { value: 100, low: 90, high: 110 }
  const isRight = (said: number) => gapInWords(said, measured, asked) === 'Right.'
  expect([32, 64, 128, 256].map(isRight)).toEqual([false, false, true, false])
  expect(scoreInWords(1024, measured, asked, run('shown'), alone)).toContain('10 times')
  // Four of sixteen doublings are a quarter; more are too wide to score what lies in them.
  const wide = { value: 100, low: 20, high: 2000 }
  expect(scoreInWords(1024, wide, asked, run('shown'), alone)).toContain('too wide')
  expect(scoreInWords(1024, { ...wide, low: 125 }, asked, run('shown'), alone)).toBe('Right.')
  expect(domainOf(asked, measured)).toEqual([1, 65_536])
  expect(domainOf(asked, { low: 0.4, high: 70_000 })).toEqual([0.25, 131_072])
})
