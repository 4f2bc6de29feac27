import { describe, expect, it } from 'vitest'
import type { Difference, Unlike } from '../../state/comparison'
import type { Metric } from '../../../trace/report'
import { comparisonSentence, differenceText, type Compared } from './compare-words'

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

describe('a comparison in one sentence', () => {
  const setting = (what: string, weight: Unlike['weight'] = 'settings'): Unlike => ({
    what,
    a: '16',
    b: '64',
    weight,
  })
  const sentence = (
    metrics: readonly Difference[],
    unlike: readonly Unlike[] = [],
    rest: Partial<Compared> = {},
  ) =>
    plain(
      comparisonSentence({
        comparison: { metrics, unlike, figuresOf: 'reports' },
        variantA: 'never',
        variantB: 'never',
        isSame: false,
        headline: 'some',
        labelOf: (name) => ({ some: 'Step time', batch: 'Batch' })[name] ?? name,
        ...rest,
      }),
    )
  const apart = difference(metric(1, 0.1), metric(2, 0.1))

  it('says what was changed, by how much, and that it is beyond the spread', () => {
    expect(sentence([apart], [], { variantB: 'every-step' })).toBe(
      'B has ‘every-step’ instead of ‘never’: Step time is 2.00 ms against 1.00 ms, a ratio of 2.0 × (1.7 to 2.4), beyond the spread.',
    )
    expect(
      sentence([apart], [setting('batch'), setting('adapter', 'adapter'), setting('kB', 'derived')]),
    ).toMatch(/^B has Batch 64 instead of 16 and adapter 64 instead of 16: Step time/)
    expect(
      sentence(
        [apart],
        ['a', 'b', 'c', 'd'].map((what) => setting(what)),
      ),
    ).toMatch(/^B has 4 different settings:/)
    expect(sentence([apart], [setting('experiment'), setting('batch')], { variantB: 'x' })).toMatch(
      /^B has experiment 64 instead of 16:/,
    )
  })

  it('calls a run of an experiment and a trace of none what they are', () => {
    const kinds = { ...setting('experiment'), a: 'some', b: '' }
    expect(sentence([], [kinds])).toBe('A is a run of some, B is a trace: no figure is common to both.')
    expect(sentence([], [{ ...kinds, a: '', b: 'other' }, setting('adapter', 'adapter')])).toBe(
      'A is a trace, B is a run of other, with adapter 64 instead of 16: no figure is common to both.',
    )
  })

  it('decides nothing where the intervals or their absence do not', () => {
    const overlap = { ...apart, verdict: 'undecided', why: 'the intervals overlap' } as const
    expect(sentence([overlap])).toMatch(
      /^A and B have the same settings: .*, not decided, as the intervals overlap\.$/,
    )
    const exact = { ...apart, b: apart.a, a: { ...apart.a }, verdict: 'same' } as const
    expect(sentence([exact])).toContain('Step time is 1.00 ms in both.')
    expect(sentence([])).toContain(': no figure is common to both.')
    expect(sentence([apart], [], { isSame: true })).toBe('A and B are the same run.')
  })

  it('leads with the headline, and with another figure only where that has no change to speak of', () => {
    const other = { ...apart, name: 'other' }
    expect(sentence([other, apart])).toContain('Step time is')
    const none = {
      ...apart,
      change: null,
      ratio: null,
      verdict: 'unknown',
      why: 'not measured in A: Off.',
    } as const
    expect(sentence([none, other])).toContain('other is')
    expect(sentence([none])).toContain('Step time is not compared (not measured in A: Off).')
    // A figure of the whole run against itself.
    expect(sentence([{ ...apart, b: apart.a }, other])).toContain('other is')
  })
})
