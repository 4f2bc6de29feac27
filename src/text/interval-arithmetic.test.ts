import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Metric } from '../trace/report'
import { exactly, quotient, rate } from './interval-arithmetic'
import { forAll } from '../testing/for-all'

const named = { name: 'q', variant: '', unit: 'ratio' } as const
const positive = fc.double({ min: 1e-6, max: 1e6, noNaN: true })
const metric = (low: number, value: number, high: number): Metric => ({
  ...named,
  unit: 'ms',
  low,
  value,
  high,
  n: 5,
  origin: 'device-clock',
})
const anyMetric = fc.tuple(positive, positive, positive).map((three) => {
  const [low = 0, value = 0, high = 0] = three.toSorted((a, b) => a - b)
  return metric(low, value, high)
})
const within = fc.double({ min: 0, max: 1, noNaN: true })

it('a quotient holds every quotient that the two intervals allow', () => {
  forAll(anyMetric, anyMetric, within, within, (above, below, p, q) => {
    const of = ({ low, high }: Metric, share: number) => (low ?? 0) + share * ((high ?? 0) - (low ?? 0))
    const { low, value, high } = quotient(named, above, below)
    const some = of(above, p) / of(below, q)
    expect(some).toBeGreaterThanOrEqual((low ?? Infinity) * (1 - 1e-9))
    expect(some).toBeLessThanOrEqual((high ?? 0) * (1 + 1e-9))
    expect(value).toBeGreaterThanOrEqual(low ?? Infinity)
    expect(value).toBeLessThanOrEqual(high ?? 0)
  })
})

it('a rate is the amount over the time, and as uncertain', () => {
  const got = rate({ name: 'gflops', variant: 'x', unit: 'GFLOP/s' }, 4e9, metric(1, 2, 4))
  expect(got).toMatchObject({ low: 1000, value: 2000, high: 4000, n: 5, origin: 'device-clock' })
})

it('has no end where a time may have been nothing', () =>
  expect(rate(named, 1e6, metric(0, 1, 2))).toMatchObject({ value: 1, low: 0.5, high: null }))

it('is missing with the reason where a part is', () => {
  const missing: Metric = { ...metric(0, 0, 0), value: null, low: null, high: null, n: 0, note: 'why' }
  expect(quotient(named, missing, metric(1, 1, 1))).toMatchObject({ value: null, n: 0, note: 'why' })
  expect(quotient(named, metric(1, 1, 1), missing)).toMatchObject({ value: null, note: 'why' })
  expect(quotient(named, metric(1, 1, 1), undefined).note).toContain('missing')
  expect(rate(named, 1, missing)).toMatchObject({ value: null, note: 'why' })
})

it('what follows from sizes has no spread', () =>
  expect(exactly(named, 3, 'sizes')).toMatchObject({ low: 3, value: 3, high: 3 }))
