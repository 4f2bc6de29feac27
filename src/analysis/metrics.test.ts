import { describe, expect, it } from 'vitest'
import { summarise } from './metrics'

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
