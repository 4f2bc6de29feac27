import { describe, expect, it } from 'vitest'
import { summarise, differenceOf } from './metrics'
import fc from 'fast-check'
import type { Metric } from '../trace/report'

const given = { name: 'step-ms', variant: 'never', unit: 'ms', origin: 'host-clock' } as const

describe('summarise', () => {
  it('gives median, the interval of the median and the systematic bound on top', () => {
    expect(summarise({ ...given, samples: [5, 1, 4, 2, 3], systematic: 0.5 })).toEqual({
      ...given,
      value: 3,
      low: 0.5,
      high: 5.5,
      n: 5,
    })
  })

  it('is null with a reason where nothing was measured', () => {
    expect(summarise({ ...given, samples: [] })).toEqual({
      ...given,
      value: null,
      low: null,
      high: null,
      n: 0,
      note: 'no repeat gave a value',
    })
    expect(summarise({ ...given, samples: [], note: 'no timestamps' }).note).toBe('no timestamps')
  })

  it('does not count what is not finite, and says so', () => {
    const metric = summarise({ ...given, samples: [1, Number.NaN, 3, Infinity], note: 'derived' })
    expect(metric).toMatchObject({ value: 2, n: 2, note: 'derived; 2 of 4 repeats gave no value' })
    expect(summarise({ ...given, samples: [Number.NaN] })).toMatchObject({ value: null, n: 0 })
  })

  it('cuts the interval where the quantity ends, never short of the value', () => {
    const ratio = summarise({ ...given, unit: 'ratio', samples: [0.97], systematic: 0.1, range: [0, 1] })
    expect(ratio).toMatchObject({ value: 0.97, high: 1 })
    expect(ratio.low).toBeCloseTo(0.87, 12)
    expect(summarise({ ...given, samples: [2], range: [0, 1] })).toMatchObject({ low: 2, high: 2 })
  })

  it('says when the bound is not known', () => {
    expect(summarise({ ...given, samples: [1], systematic: Infinity })).toMatchObject({
      low: 1,
      high: 1,
      note: 'the bound of the clock is not known',
    })
  })
})

const metric = (value: number | null, low: number | null, high: number | null, n = 5): Metric => ({
  name: 'step-ms',
  variant: 'v',
  unit: 'ms',
  origin: 'host-clock',
  value,
  low,
  high,
  n,
})

const size = fc.double({ min: 0, max: 1e6, noNaN: true })
/** A measured figure: with an interval round its value, without one, or missing. */
const arbitraryMetric: fc.Arbitrary<Metric> = fc
  .oneof({ weight: 6, arbitrary: fc.tuple(size, size, size, fc.nat({ max: 9 })) }, fc.constant(null))
  .map((given) => {
    if (!given) return metric(null, null, null, 0)
    const [x, y, z, n] = given
    const [low = 0, value = 0, high = 0] = [x, y, z].toSorted((a, b) => a - b)
    return n === 1 ? metric(value, null, null, 1) : metric(value, low, high, n)
  })

const opposite = {
  more: 'less',
  less: 'more',
  same: 'same',
  undecided: 'undecided',
  unknown: 'unknown',
} as const

describe('the difference of two figures', () => {
  it('has the opposite verdict when the two are swapped, and none of a figure with itself', () => {
    fc.assert(
      fc.property(arbitraryMetric, arbitraryMetric, (one, other) => {
        expect(differenceOf(other, one).verdict).toBe(opposite[differenceOf(one, other).verdict])
        expect(['more', 'less']).not.toContain(differenceOf(one, one).verdict)
      }),
    )
  })

  it('holds every ratio that the two intervals allow', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(arbitraryMetric, arbitraryMetric, share, share, (one, other, x, y) => {
        const { ratio } = differenceOf(one, other)
        if (one.low === null || one.high === null || other.low === null || other.high === null) return
        const a = one.low + x * (one.high - one.low)
        const b = other.low + y * (other.high - other.low)
        if (ratio?.low != null && a > 0) expect(b / a).toBeGreaterThanOrEqual(ratio.low * (1 - 1e-9))
        if (ratio?.high != null && a > 0) expect(b / a).toBeLessThanOrEqual(ratio.high * (1 + 1e-9))
      }),
    )
  })

  it('is a verdict only where the intervals are apart', () => {
    expect(differenceOf(metric(1, 0.9, 1.1), metric(2, 1.8, 2.2))).toMatchObject({ verdict: 'more', why: '' })
    expect(differenceOf(metric(2, 1.8, 2.2), metric(1, 0.9, 1.1)).verdict).toBe('less')
    expect(differenceOf(metric(1, 0.9, 1.1), metric(1.1, 1.1, 1.2)).verdict).toBe('undecided')
  })

  it('is no verdict without repeats, intervals or a common unit, and says why', () => {
    const far = metric(9, 8.9, 9.1)
    expect(differenceOf(metric(1, 1, 1, 2), far)).toMatchObject({
      verdict: 'unknown',
      why: '2 counted repeats are too few',
    })
    expect(differenceOf(metric(1, null, null), far).why).toBe('one of the two has no interval')
    expect(differenceOf({ ...metric(null, null, null), note: 'no clock' }, far).why).toBe(
      'not measured in A: no clock',
    )
    expect(differenceOf({ ...far, unit: 'us' }, far).verdict).toBe('unknown')
  })

  it('of sizes that follow from the settings needs no repeats', () => {
    const exact = (value: number): Metric => ({ ...metric(value, value, value, 1), origin: 'derived' })
    expect(differenceOf(exact(4), exact(4)).verdict).toBe('same')
    expect(differenceOf(exact(4), exact(8))).toMatchObject({ verdict: 'more', ratio: { value: 2 } })
  })
})
