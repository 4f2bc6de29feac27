import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisOf, gapInWords, inSliderUnit } from './compare-prediction'

const measured = { value: 9.1, low: 8.9, high: 9.3 }

describe('gapInWords', () => {
  it.each([
    [80, 'You predicted 8.8 times what was measured.'],
    [9, 'Your prediction lies within the measured interval.'],
    [8.5, 'What was measured is 1.1 times what you predicted.'],
    [1, 'What was measured is 9.1 times what you predicted.'],
    [0, 'You predicted less than was measured.'],
  ])('%d', (said, words) => {
    expect(gapInWords(said, measured, { step: 0.1 })).toBe(words)
  })
  it('allows what the slider cannot say more finely', () => {
    expect(gapInWords(10, measured, { step: 2 })).toBe('Your prediction lies within the measured interval.')
  })
})

it('axis holds prediction range and measurement', () => {
  fc.assert(
    fc.property(fc.double({ min: -50, max: 500, noNaN: true }), (value) => {
      const [from, to] = axisOf({ min: 0, max: 100 }, { value, low: value - 1, high: value + 1 })
      expect(from).toBeLessThanOrEqual(Math.min(0, value - 1))
      expect(to).toBeGreaterThanOrEqual(Math.max(100, value + 1))
    }),
  )
})

it('takes the metric to the unit of the slider', () => {
  const metric = {
    name: 'device-busy-ratio',
    variant: 'every-step',
    unit: 'ratio',
    value: 0.09,
    low: null,
    high: 0.1,
    n: 5,
    origin: 'device-clock',
  } as const
  expect(inSliderUnit(metric, { scale: 100 })).toEqual({ value: 9, low: 9, high: 10 })
  expect(inSliderUnit({ ...metric, value: null }, { scale: 100 })).toBeNull()
  expect(inSliderUnit(undefined, { scale: 100 })).toBeNull()
})
