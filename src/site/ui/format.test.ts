import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { experiments } from '../../experiments/testing/catalog'
import type { Metric } from '../../trace/report'
import {
  flagOf,
  formatDuration,
  formatMetric,
  formatNumber,
  formatQuantity,
  metricText,
  pickUnit,
  FACTOR_NAMES,
} from './format'
import { formatTiny, formatTogether } from './format-rare'
import { forAll } from '../../testing/for-all'

const metric = (change: Partial<Metric>): Metric => ({
  name: 'step-ms',
  variant: 'never',
  value: 1,
  unit: 'ms',
  low: null,
  high: null,
  n: 5,
  origin: 'host-clock',
  ...change,
})
/** Thin spaces as plain ones: easier to read in a test. */
const said = (change: Partial<Metric>) => formatMetric(metric(change)).replaceAll('\u2009', ' ')

describe('formatMetric', () => {
  it.each([
    [{ name: 'device-busy-ratio', unit: 'ratio', value: 0.0912, low: 0.0888, high: 0.0925 }, '9.1 % ± 0.3'],
    [{ value: 3.2123, low: 3.19, high: 3.22 }, '3.21 ms ± 0.03'],
    // One digit of the bound, two where the first is a 1.
    [{ value: 3.2123, low: 3.19, high: 3.225 }, '3.21 ms ± 0.03'],
    [{ value: 3.2123, low: 3.2, high: 3.225 }, '3.212 ms ± 0.013'],
    [{ value: 3.2123 }, '3.21 ms'],
    [{ value: 12.34, low: 12.34, high: 12.34 }, '12.3 ms'],
    [{ value: 1234, low: 1200, high: 1290 }, '1230 ms ± 60'],
    [{ unit: 'us', value: 0.004, low: 0.0036, high: 0.0043 }, '4.0 ns ± 0.4'],
    [{ unit: 'ms', value: 0.0051, low: 0.005, high: 0.0055 }, '5.1 µs ± 0.4'],
    [{ name: 'slowdown', unit: 'ratio', value: 10.31, low: 10.1, high: 10.5 }, '10.3 × ± 0.3'],
    [{ name: 'queue-depth-max', unit: 'count', value: 48, low: 48, high: 48 }, '48'],
    [{ unit: 'GFLOP/s', value: 33_700, low: 33_000, high: 34_000 }, '33.7 TFLOP/s ± 0.7'],
    [{ unit: 'bytes', value: 67_108_864 }, '64.0 MiB'],
    [{ unit: 'ratio', value: -0.021, low: -0.05, high: 0.01 }, '−2.1 % ± 3.1'],
    [{ unit: 'ratio', value: 0, low: 0, high: 0 }, '0.00 %'],
    [{ value: 0.449, low: 0.4, high: 3.1 }, '0.45 ms (0.40 to 3.10)'],
    [{ unit: 'ratio', value: 0.2, low: 0.1, high: 0.5 }, '20 % (10 to 50)'],
    // ± would end below nothing, where nothing measured does.
    [{ unit: 'us', value: 98, low: 33, high: 203 }, '98 µs (33 to 203)'],
    // ± would end beyond the whole.
    [{ unit: 'ratio', value: 0.99, low: 0.91, high: 0.995 }, '99 % (91 to 100)'],
    [{ unit: 'ratio', value: 0.99, low: 0.98, high: 0.998 }, '99.0 % ± 1.0'],
  ] satisfies readonly (readonly [Partial<Metric>, string])[])('%j', (change, text) =>
    expect(said(change)).toBe(text),
  )

  it.each([
    ['ratio', -0.22, -1.07, 0.63, 'too wide to tell'],
    ['ratio', 0.981, 0.757, 1.288, 'too wide to tell'],
    ['ratio', 0.09, 0.088, 0.092, ''],
    ['us', 5, 0, 10, 'may be 0'],
    ['us', 0, 0, 5, ''],
    ['ms', 5, 4, 20, ''],
  ] as const)(
    'flags in words what its interval does not carry: %s %d (%d to %d)',
    (unit, value, low, high, flag) => {
      const flagged = metric({ name: 'overlap', unit, value, low, high })
      expect(flagOf(flagged)).toBe(flag)
      if (flag === '') expect(formatMetric(flagged)).not.toMatch(/wide|may be/)
      else expect(formatMetric(flagged)).toContain(flag)
    },
  )

  it('writes the one end of an interval that is open at the other', () => {
    expect(said({ value: 88.5, high: 344 })).toMatch(/^88\.5.* \(up to 344/)
    expect(said({ value: 88.5, low: 20 })).toMatch(/\(from 20/)
  })

  it('does not call a factor too wide a share', () => {
    const [name = ''] = experiments.flatMap(({ metrics }) =>
      metrics.filter(({ isFactor }) => isFactor).map((each) => each.name),
    )
    expect(flagOf(metric({ name, unit: 'ratio', value: 9, low: 8, high: 10 }))).toBe('')
  })

  it('gives the reason where nothing was measured', () => {
    expect(formatMetric(metric({ value: null, note: 'No device timestamps.' }))).toBe(
      'not measured: No device timestamps',
    )
    expect(formatMetric(undefined)).toMatch(/^not measured: /)
    expect(formatMetric(metric({ value: Number.NaN }))).toMatch(/^not measured: /)
  })

  it('never writes a bound that is smaller than the measured one, nor more than four figures', () => {
    const positive = fc.double({ min: 1e-3, max: 1e3, noNaN: true })
    forAll(positive, positive, (value, halfWidth) => {
      const text = metricText(metric({ value, low: value - halfWidth, high: value + halfWidth }), {
        label: 'ms',
        scale: 1,
      })
      const bound = Number(text?.bound.replaceAll(',', ''))
      expect(bound).toBeGreaterThanOrEqual(halfWidth * (1 - 1e-6))
      const figures = text?.figure.replaceAll(/[,.]/g, '').replace(/^0+/, '') ?? ''
      expect(figures.length).toBeLessThanOrEqual(4)
    })
  })
})

describe('units', () =>
  it('follow the magnitude', () => {
    expect(pickUnit('ns', 65_536)).toEqual({ label: 'µs', scale: 1e-3 })
    expect(pickUnit('ms', 20_000).label).toBe('s')
    expect(pickUnit('ms', 0).label).toBe('ms')
    expect(pickUnit('GB/s', 0.02)).toEqual({ label: 'MB/s', scale: 1e3 })
    expect(pickUnit('count', 3).label).toBe('')
  }))

it('writes plain numbers, durations and small errors', () => {
  expect(formatNumber(48)).toBe('48')
  expect(formatNumber(0.00423)).toBe('0.00423')
  expect(formatNumber(-3)).toBe('−3')
  expect(formatNumber(4_294_967_296)).toBe('4,294,967,296')
  expect(formatQuantity(65_536, 'ns')).toBe('65.5\u2009µs')
  expect(formatQuantity(5, 'us')).toBe('5\u2009µs')
  expect(formatDuration(840)).toBe('840\u2009ms')
  expect(formatDuration(3210)).toBe('3.2\u2009s')
  expect(formatTiny(3.14e-7)).toBe('3.1\u202f×\u202f10⁻⁷')
  expect(formatTiny(0)).toBe('0')
})

describe('figures of one table', () => {
  const together = (...metrics: readonly (Metric | undefined)[]) =>
    formatTogether(metrics).map((text) => text.replaceAll('\u2009', ' '))
  it('have one unit for each metric', () =>
    expect(together(metric({ value: 1.76 }), metric({ value: 0.05, variant: 'other' }))).toEqual([
      '1.76 ms',
      '0.0500 ms',
    ]))
  it('have one notation of intervals: with ± where that says none too much', () => {
    const even = metric({ value: 2, low: 1.9, high: 2.1 })
    expect(together(even, even)[0]).toMatch(/^2\.0\d* ms ± 0\.1/)
    const [first, second, none] = together(even, metric({ value: 2, low: 1.9, high: 4 }), undefined)
    expect(first).toMatch(/^2\.0\d* ms \(1\.9\d* to 2\.1\d*\)$/)
    expect(second).toMatch(/^2\.0?\d* ms \(1\.9\d* to 4\.0?\d*\)$/)
    expect(none).toMatch(/^not measured/)
  })
})

describe('the names of factors', () => {
  it('are those of the declarations, and no other metric has one of these names', () => {
    const metrics = experiments.flatMap((experiment) => experiment.metrics)
    const factors = metrics.filter(({ isFactor }) => isFactor).map(({ name }) => name)
    expect([...FACTOR_NAMES].toSorted()).toEqual([...new Set(factors)].toSorted())
    const others = metrics.filter(({ isFactor }) => !isFactor)
    expect(others.filter(({ name }) => FACTOR_NAMES.has(name))).toEqual([])
  })
})
