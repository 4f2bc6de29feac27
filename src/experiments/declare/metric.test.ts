import { describe, expect, it } from 'vitest'
import { findMetric } from '../../trace/report'
import type { ExperimentMeta } from '../experiment'
import { FakeRun } from '../testing/fake-evidence'
import { always } from './condition'
import { betweenPasses, completionLag } from './device-samplers'
import { defineExperiment } from './experiment'
import { checkMetric, measureMetrics, NOT_NEGATIVE, SHARE, type MetricDeclaration } from './metric'
import {
  amountOverWindow,
  freeRatio,
  largestOf,
  MATMUL,
  medianSpan,
  ofWindows,
  quotientOf,
  rateOf,
  ratioTo,
  sumOfSpans,
  windowOver,
  worked,
} from './samplers'

const declare = (given: Partial<MetricDeclaration<object>> & Pick<MetricDeclaration<object>, 'sample'>) => ({
  name: 'm',
  label: 'M',
  unit: 'ms' as const,
  origin: 'host-clock' as const,
  ...given,
})

const run = new FakeRun()
for (const repeat of [0, 1]) {
  const at = repeat * 100
  run.window('a', repeat, at, at + 10).window('b', repeat, at + 20, at + 40)
  run
    .host('host-work', 'x', 'a', repeat, at, at + 1, 'fill')
    .host('host-work', 'x', 'a', repeat, at + 1, at + 4, 'read')
  run.host('submit', 'x', 'a', repeat, at + 4, at + 4.5)
  run.pass('a', repeat, 0, at + 1, at + 3, 'x', 6e9).pass('a', repeat, 1, at + 5, at + 9, 'x', 6e9)
  run.pass('a', repeat, 1, at + 9, at + 9.5, 'not a matmul')
  run.depth(at + 2, repeat + 1)
}
const evidence = run.evidence()
const measure = (given: Parameters<typeof declare>[0], variant = 'a') =>
  findMetric(measureMetrics([declare(given)], evidence, {}), 'm', variant)

describe('samplers', () => {
  it('read windows', () => {
    expect(measure({ sample: windowOver(() => 4) })).toMatchObject({
      value: 2.5,
      n: 2,
      unit: 'ms',
      origin: 'host-clock',
    })
    expect(measure({ sample: ratioTo('a'), unit: 'ratio' }, 'b')?.value).toBe(2)
    expect(measure({ sample: ratioTo('c'), unit: 'ratio' })).toMatchObject({
      value: null,
      note: "the variant 'c' was not among those run",
    })
    const both = ofWindows<object>(['a', 'b'], (own, [a = 0, b = 0]) => (a + b - own) / Math.min(a, b))
    expect(measure({ sample: both, unit: 'ratio' }, 'b')?.value).toBe(1)
    expect(measure({ sample: amountOverWindow(() => 5e7), unit: 'GB/s' })?.value).toBeCloseTo(5, 9)
  })

  it('read spans by role, kind and work, in the clock of their lane', () => {
    expect(measure({ sample: medianSpan({ role: 'fill' }) })?.value).toBe(1)
    expect(measure({ sample: sumOfSpans({ kind: 'host-work' }, () => 2) })?.value).toBe(2)
    const matmul = measure({ sample: medianSpan(MATMUL), origin: 'device-clock' })
    expect(matmul).toMatchObject({ value: 3, origin: 'device-clock' })
    expect(measure({ sample: medianSpan({ role: 'wait-map' }) })?.note).toBe('this did not happen in the run')
    expect(measure({ sample: betweenPasses(MATMUL), origin: 'device-clock' })?.value).toBe(2)
    expect(
      measure({ sample: betweenPasses(MATMUL, (step) => step > 0), origin: 'device-clock' })?.value,
    ).toBeNull()
    expect(measure({ sample: freeRatio(), unit: 'ratio', range: SHARE })?.value).toBeCloseTo(0.55, 9)
    expect(measure({ sample: largestOf('queue depth'), unit: 'count' })).toMatchObject({
      value: 1.5,
      low: 1,
      high: 2,
    })
    expect(measure({ sample: completionLag(), origin: 'derived' })?.value).toBeNull()
  })

  it('carry what the clock hides', () => {
    const [step] = [evidence.hostStepNs / 1e6]
    const whole = measure({ sample: windowOver() })
    expect(whole?.low).toBeCloseTo(10 - step, 9)
    expect(whole?.high).toBeCloseTo(10 + step, 9)
  })

  it('say why there is nothing', () => {
    const why = (
      over: Parameters<FakeRun['evidence']>[0],
      recorded: FakeRun = new FakeRun().window('a', 0, 0, 1),
    ) =>
      measureMetrics(
        [declare({ sample: medianSpan(MATMUL), origin: 'device-clock' })],
        recorded.evidence(over),
        {},
      )[0]?.note
    expect(why({ deviceStepNs: null })).toContain('timestamp-query')
    expect(why({})).toBe('the run was not recorded')
    const frozen = new FakeRun()
      .window('a', 0, 0, 9)
      .pass('a', 0, 0, 1, 1, 'x', 1)
      .pass('a', 0, 1, 1, 1, 'x', 1)
    expect(why({}, frozen)).toContain('did not advance')
    const stretched = new FakeRun()
      .window('a', 0, 0, 9)
      .pass('a', 0, 0, 1, 2, 'x', 1)
      .pass('a', 0, 1, 30, 31, 'x', 1)
    expect(why({}, stretched)).toContain('span more time')
    const oneTooLong = new FakeRun().window('a', 0, 0, 9).pass('a', 0, 0, 1, 30, 'x', 1)
    expect(why({}, oneTooLong)).toContain('span more time')
  })
})

describe('a list of metrics', () => {
  const time = declare({ name: 'time', sample: windowOver<object>(), variants: (variant) => variant === 'a' })
  const length = declare({ name: 'length', sample: windowOver<object>() })
  const ratio = declare({
    name: 'ratio',
    unit: 'ratio',
    origin: 'derived',
    at: [''],
    sample: quotientOf({ name: 'length', variant: 'b' }, { name: 'time', variant: 'a' }),
  })
  const keys = (order?: 'by-variant' | 'by-metric') =>
    measureMetrics([ratio, time, length], evidence, {}, order).map(
      ({ name, variant }) => `${name} ${variant}`,
    )

  it('stands in the order of its declarations, variant by variant or metric by metric', () => {
    expect(keys()).toEqual(['ratio ', 'time a', 'length a', 'length b'])
    const both = measureMetrics([length, { ...length, name: 'again' }], evidence, {}, 'by-metric')
    expect(both.map(({ name, variant }) => name + variant)).toEqual([
      'lengtha',
      'lengthb',
      'againa',
      'againb',
    ])
  })

  it('holds metrics of metrics, with intervals, whatever their order', () => {
    const metrics = measureMetrics([ratio, time, length], evidence, {})
    expect(metrics[0]).toMatchObject({ value: 2, origin: 'derived', n: 2 })
    const rate = declare({
      name: 'rate',
      unit: 'GFLOP/s',
      at: ['a'],
      sample: rateOf<object>(() => 1e9, { name: 'time' }),
    })
    expect(measureMetrics([rate, time], evidence, {})[0]).toMatchObject({ value: 100, origin: 'host-clock' })
    const size = declare({
      unit: 'bytes',
      origin: 'derived',
      at: [''],
      sample: worked<object>('count', () => 64, 'why'),
    })
    expect(measureMetrics([size], evidence, {})[0]).toMatchObject({
      value: 64,
      low: 64,
      high: 64,
      note: 'why',
    })
  })

  it('throws where a metric depends on itself', () => {
    const circular = { ...ratio, sample: quotientOf<object>({ name: 'ratio' }, { name: 'ratio' }) }
    expect(() => measureMetrics([circular], evidence, {})).toThrow('depends on itself')
  })
})

describe('a declaration', () => {
  it('is held to what its sampler yields', () => {
    expect(() => {
      checkMetric(declare({ sample: windowOver(), unit: 'ratio' }))
    }).toThrow('declared in ratio')
    expect(() => {
      checkMetric(declare({ sample: medianSpan(MATMUL) }))
    }).toThrow('declared as host-clock')
    expect(() => {
      checkMetric(declare({ sample: medianSpan(MATMUL), origin: 'device-clock', range: NOT_NEGATIVE }))
    }).not.toThrow()
  })

  it('types its values by its parameters, and takes defaults for values of another version', () => {
    const common = { label: '', help: '', place: 'more' } as const
    const experiment = defineExperiment({
      id: 'x',
      title: '',
      question: '',
      presets: [],
      requires: [],
      sources: [],
      params: [
        {
          ...common,
          type: 'number',
          name: 'steps',
          default: 4,
          min: 1,
          max: 9,
          integer: true,
          unit: '',
          scale: 'linear',
        },
        {
          ...common,
          type: 'choice',
          name: 'read',
          default: 'item',
          options: [
            { value: 'item', label: '' },
            { value: 'shape', label: '' },
          ],
        },
        {
          ...common,
          type: 'list',
          name: 'every',
          default: ['a'],
          options: [
            { value: 'a', label: '' },
            { value: 'b', label: '' },
          ],
        },
      ],
      variants: ({ every, steps, read }) => {
        const typed: { every: readonly ('a' | 'b')[]; steps: number; read: 'item' | 'shape' } = {
          every,
          steps,
          read,
        }
        return typed.every
      },
      metrics: [],
      rules: [{ reason: 'none', outcome: 'inconclusive', when: always, text: 'Nothing.', explain: [] }],
    })
    const asMeta: ExperimentMeta = experiment
    expect(asMeta.params.map(({ name }) => name)).toEqual(['steps', 'read', 'every'])
    expect(experiment.variants({ every: ['b', 'a'] })).toEqual(['b', 'a'])
    expect(experiment.valuesOf({ steps: 99, read: 'gone', other: 1 })).toEqual({
      steps: 4,
      read: 'item',
      every: ['a'],
    })
    expect(experiment.program('a', {})).toBe('a')
  })
})
