import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { median, medianInterval, quantile } from './stats'
import { forAll } from '../testing/for-all'

const samples = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 60 })

describe('median and quantile', () => {
  it('takes the middle, or the mean of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(median([7])).toBe(7)
  })

  it('does not sort as text, nor change what it was given', () => {
    const values = [10, 9, 100]
    expect(median(values)).toBe(10)
    expect(values).toEqual([10, 9, 100])
  })

  it('is NaN for nothing and for NaN', () => {
    expect(median([])).toBeNaN()
    expect(median([1, Number.NaN, 3])).toBeNaN()
  })

  it('interpolates, and keeps infinities', () => {
    expect(quantile([0, 10], 0.25)).toBe(2.5)
    expect(quantile([1, 2, 3], 0)).toBe(1)
    expect(quantile([1, 2, 3], 1)).toBe(3)
    expect(median([Infinity, Infinity])).toBe(Infinity)
  })

  it('grows with the fraction and stays within the values', () => {
    forAll(
      samples,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, a, b) => {
        const [low, high] = [quantile(values, Math.min(a, b)), quantile(values, Math.max(a, b))]
        expect(low).toBeLessThanOrEqual(high + 1e-6)
        expect(low).toBeGreaterThanOrEqual(Math.min(...values))
        expect(high).toBeLessThanOrEqual(Math.max(...values))
      },
    )
  })
})

describe('medianInterval', () => {
  const ramp = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  it('has the coverage its docstring works out', () => {
    expect(medianInterval(ramp(5))).toEqual({ median: 3, low: 1, high: 5, coverage: 1 - 2 / 32 })
    const eight = medianInterval(ramp(8))
    expect([eight.low, eight.high]).toEqual([2, 7])
    expect(eight.coverage).toBeCloseTo(1 - (2 * 9) / 256, 12)
    const twenty = medianInterval(ramp(20))
    expect([twenty.low, twenty.high]).toEqual([6, 15])
    expect(twenty.coverage).toBeCloseTo(0.959, 3)
  })

  it('is min to max, and says so, where n cannot reach 90 %', () => {
    expect(medianInterval([2])).toEqual({ median: 2, low: 2, high: 2, coverage: 0 })
    expect(medianInterval([2, 1])).toEqual({ median: 1.5, low: 1, high: 2, coverage: 0.5 })
    expect(medianInterval(ramp(3)).coverage).toBeCloseTo(0.75, 12)
    expect(medianInterval(ramp(4)).coverage).toBeCloseTo(0.875, 12)
  })

  it('is NaN for nothing and for NaN', () => {
    expect(medianInterval([]).low).toBeNaN()
    expect(medianInterval([1, Number.NaN]).high).toBeNaN()
  })

  it('holds the sample median, and covers 90 % from five samples on', () => {
    forAll(samples, (values) => {
      const { low, high, coverage } = medianInterval(values)
      expect(low).toBeLessThanOrEqual(median(values))
      expect(high).toBeGreaterThanOrEqual(median(values))
      if (values.length >= 5) expect(coverage).toBeGreaterThanOrEqual(0.9)
    })
  })

  it('covers the true median as often as it says (seeded draws, n = 8)', () => {
    let state = 1
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647
    const draws = 4000
    let held = 0
    for (let draw = 0; draw < draws; draw += 1) {
      // Skewed on purpose: the true median of -ln(u) is ln 2.
      const { low, high } = medianInterval(Array.from({ length: 8 }, () => -Math.log(random())))
      if (low <= Math.LN2 && Math.LN2 <= high) held += 1
    }
    expect(held / draws).toBeGreaterThan(0.91)
    expect(held / draws).toBeLessThan(0.95)
  })

  it('does not underflow with thousands of samples', () => {
    const { low, high, coverage } = medianInterval(ramp(5000))
    expect(coverage).toBeGreaterThanOrEqual(0.9)
    expect(coverage).toBeLessThan(0.91)
    expect(high - low).toBeLessThan(150)
  })
})
