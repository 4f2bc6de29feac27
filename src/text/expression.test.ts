import { describe, expect, it } from 'vitest'
import type { Metric } from '../trace/report'
import { fakeMetrics } from '../experiments/testing/fake-evidence'
import { evaluate, parseExpression } from './expression'
import { namesIn } from './testing/names-in'
import type { Facts } from './facts'

const facts: Facts = {
  params: { steps: 4, read: 'item' },
  derived: { matrixSize: 512 },
  environment: { isSoftware: false, deviceClockStepNs: 1, hostClockStepUs: 5, completionLatencyMs: 1 },
  metrics: fakeMetrics({
    'a-ms x': [1, 2, 4],
    'b-ms x+y': [1, 1, 2],
    'c-us x': [500, 1000, 1500],
    'gone-ms x': null,
    whole: 3,
  }),
}
const of = (text: string) => evaluate(parseExpression(text), facts, { often: 'x', none: null })

describe('an expression', () => {
  it('is a metric of a variant, of a name, or of the whole run', () => {
    expect(of('a-ms x')).toEqual({ value: 2, low: 1, high: 4, unit: 'ms' })
    expect(of('a-ms $often')?.value).toBe(2)
    expect(of('whole')?.value).toBe(3)
    expect(of('b-ms x+y')?.value, 'operators stand between blanks').toBe(1)
    for (const missing of ['a-ms $none', 'a-ms $unknown', 'a-ms y', 'gone-ms x'])
      expect(of(missing)).toBeNull()
  })

  it('divides, adds and takes away with every value that the intervals allow, durations in ms', () => {
    expect(of('a-ms x / b-ms x+y')).toEqual({ value: 2, low: 0.5, high: 4, unit: 'ratio' })
    expect(of('a-ms x + c-us x')).toEqual({ value: 3, low: 1.5, high: 5.5, unit: 'ms' })
    expect(of('a-ms x - c-us x')).toEqual({ value: 1, low: -0.5, high: 3.5, unit: 'ms' })
    expect(of('a-ms x / (b-ms x+y + c-us x)')?.value).toBe(1)
    expect(of('a-ms x / b-ms x+y + whole')?.value).toBe(5)
    expect(of('a-ms x / 0')).toBeNull()
    expect(of('a-ms x / gone-ms x')).toBeNull()
  })

  it('has the unit of what it is made of, and no value where there is none', () => {
    expect(of('a-ms x / 4')).toEqual({ value: 0.5, low: 0.25, high: 1, unit: 'ms' })
    expect(of('2097152bytes / a-ms x')?.unit).toBe('GB/s')
    expect(of('1e6bytes / 2GB/s')).toEqual({ value: 0.5, low: 0.5, high: 0.5, unit: 'ms' })
    expect(of('2 * a-ms x')?.unit).toBe('ms')
    expect(of('0 + a-ms x'), '0 has every unit').toMatchObject({ value: 2, unit: 'ms' })
    for (const odd of ['a-ms x + 1', 'a-ms x - 3GB/s', 'a-ms x * a-ms x', '1 / a-ms x', 'a-ms x / 3GB/s'])
      expect(of(odd), odd).toBeNull()
  })

  it('is a number with its interval', () => {
    expect(of('2.5[-1e-3;?]us')).toEqual({ value: 2.5, low: -1e-3, high: null, unit: 'us' })
    expect(of('a-ms x / 2[1;4]ms')).toEqual({ value: 1, low: 0.25, high: 4, unit: 'ratio' })
  })

  it('falls back, and takes the smaller or larger', () => {
    expect(of('gone-ms x ?? a-ms x')?.value).toBe(2)
    expect(of('a-ms x / gone-ms x ?? b-ms x+y')?.value, '?? binds first').toBe(2)
    expect(of('min(a-ms x, c-us x)')).toEqual({ value: 1, low: 0.5, high: 1.5, unit: 'ms' })
    expect(of('max(a-ms x, c-us x)')).toEqual({ value: 2, low: 1, high: 4, unit: 'ms' })
  })

  it('knows numbers among parameters and what a run worked out', () => {
    expect(of('param.steps')?.value).toBe(4)
    expect(of('derived.matrixSize')?.value).toBe(512)
    expect(of('param.read')).toBeNull()
  })

  it('has no interval where a part has none', () => {
    const metrics: Metric[] = facts.metrics.map((metric) => ({ ...metric, high: null }))
    expect(evaluate(parseExpression('a-ms x / b-ms x+y'), { ...facts, metrics }, {})).toEqual({
      value: 2,
      low: null,
      high: null,
      unit: 'ratio',
    })
  })

  it.each(['', 'a-ms x /', '(a-ms x', 'a-ms x y', 'A', 'min(a-ms x)', '/ a-ms x', 'a-ms x)'])(
    'is not: %s',
    (text) => {
      expect(() => parseExpression(text)).toThrow('is no expression')
    },
  )

  it('names what it needs', () => {
    expect(namesIn(parseExpression('a-ms x / (b-ms y ?? param.steps)'))).toEqual([
      { is: 'metric', name: 'a-ms', variant: 'x' },
      { is: 'metric', name: 'b-ms', variant: 'y' },
      { is: 'fact', from: 'param', name: 'steps' },
    ])
  })
})
