import { describe, expect, it } from 'vitest'
import type { Difference } from '../../state/comparison'
import type { Metric } from '../../trace/report'
import { differenceText } from './compare-words'

const metric = (value: number | null, spread: number, unit: Metric['unit'] = 'ms'): Metric => ({
  name: 'some',
  variant: 'v',
  unit,
  origin: 'host-clock',
  value,
  low: value === null ? null : value - spread,
  high: value === null ? null : value + spread,
  n: 5,
})
const difference = (a: Metric, b: Metric, rest: Partial<Difference> = {}): Difference => ({
  name: a.name,
  unit: a.unit,
  a,
  b,
  change: { value: 1, low: 0.8, high: 1.2 },
  ratio: { value: 2, low: 1.7, high: 2.4 },
  verdict: 'more',
  why: '',
  ...rest,
})
/** Without the thin spaces. */
const plain = (text: string) => text.replaceAll(/[\u2009\u202f]/g, ' ')

describe('a difference in words', () => {
  it('has its sign, its interval and its verdict', () => {
    const text = differenceText(difference(metric(1, 0.1), metric(2, 0.1)))
    expect(plain(text.change)).toBe('+1.00 ms')
    expect(text.changeRange).toBe('+0.80 to +1.20')
    expect(plain(text.ratio)).toBe('2.0 × (1.7 to 2.4)')
    expect(text.verdict).toBe('longer in B')
  })

  it('of shares is in percentage points, neither in per cent nor as a ratio', () => {
    const text = differenceText(
      difference(metric(0.9, 0.01, 'ratio'), metric(0.2, 0.01, 'ratio'), {
        change: { value: -0.7, low: -0.72, high: -0.68 },
        verdict: 'less',
      }),
    )
    expect(plain(text.change)).toBe('\u221270 percentage points')
    expect(text.ratio).toBe('')
    expect(text.verdict).toBe('lower in B')
  })

  it('does not take the rounding of two clocks for a difference', () => {
    const change = { value: -1.4e-14, low: -0.0977, high: 0.1004 }
    const text = differenceText(
      difference(metric(0.04, 0.05), metric(0.04, 0.05), { change, verdict: 'undecided' }),
    )
    expect(plain(text.change)).toBe('0 µs')
    expect(text.changeRange).toMatch(/^\u2212\d{2,3}(\.\d)? to \+\d{2,3}(\.\d)?$/)
  })

  it('leaves the end of a ratio open where there is none', () => {
    const ratio = { value: 42, low: 13, high: null }
    const text = differenceText(difference(metric(0.04, 0.04), metric(1.7, 0.2), { ratio }))
    expect(plain(text.ratio)).toMatch(/^42.*at least 13/)
  })

  it('is not a verdict where there is none', () => {
    const text = differenceText(
      difference(metric(null, 0), metric(2, 0.1), {
        change: null,
        ratio: null,
        verdict: 'unknown',
        why: 'not measured in A',
      }),
    )
    expect([text.a, text.change, text.ratio]).toEqual(['not measured', '', ''])
    expect(text.verdict).toBe('no verdict: not measured in A')
  })
})
