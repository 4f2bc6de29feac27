import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMetric } from '../../trace/report'
import type { ExperimentMeta } from '../experiment'
import { FakeRun } from '../testing/fake-evidence'
import { betweenPasses, completionLag } from './device-samplers'
import { defineExperiment } from './experiment'
import { readCounts, writeCounts } from '../evidence'
import { declareMetrics, measureMetrics, type MetricDeclaration } from './metric'
import {
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
import { forAll } from '../../testing/for-all'

const declare = (given: Partial<MetricDeclaration<object>> & Pick<MetricDeclaration<object>, 'sample'>) => ({
  name: 'm',
  label: 'M',
  unit: 'ms' as const,
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
  })

  it('claim nothing of a device clock that no one map fits', () => {
    const bad = new FakeRun()
    bad.window('a', 0, 0, 10).pass('a', 0, 0, 1, 3, 'x', 6e9).pass('a', 0, 1, 5, 9, 'x', 6e9)
    const sampleOf = () =>
      findMetric(measureMetrics([declare({ sample: betweenPasses(MATMUL) })], bad.evidence(), {}), 'm', 'a')
    expect(sampleOf()?.value).toBe(2)
    // The same ticks were reported 900 ms later: the clock stopped, or jumped.
    const [early] = bad.builder.freeze().snapshots
    if (!early) throw new Error('a pass brings a bracket')
    const late = 900e6
    bad.builder.addSnapshot({
      ...early,
      hostBeforeNs: early.hostBeforeNs + late,
      hostAfterNs: early.hostAfterNs + late,
    })
    expect(sampleOf()).toMatchObject({
      value: null,
      note: "the device's timestamps cannot be believed: they jump or run backwards",
    })
  })

  it('read spans by role, kind and work, in the clock of their lane', () => {
    expect(measure({ sample: medianSpan({ role: 'fill' }) })?.value).toBe(1)
    expect(measure({ sample: sumOfSpans({ kind: 'host-work' }, () => 2) })?.value).toBe(2)
    const matmul = measure({ sample: medianSpan(MATMUL) })
    expect(matmul).toMatchObject({ value: 3, origin: 'device-clock' })
    expect(measure({ sample: medianSpan({ role: 'wait-map' }) })?.note).toBe('this did not happen in the run')
    expect(measure({ sample: betweenPasses(MATMUL) })?.value).toBe(2)
    expect(measure({ sample: freeRatio(), unit: 'ratio' })?.value).toBeCloseTo(0.55, 9)
    expect(measure({ sample: largestOf('queue depth'), unit: 'count' })).toMatchObject({
      value: 1.5,
      low: 1,
      high: 2,
    })
    expect(measure({ sample: completionLag() })?.value).toBeNull()
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
    ) => measureMetrics([declare({ sample: medianSpan(MATMUL) })], recorded.evidence(over), {})[0]?.note
    expect(why({ deviceStepNs: null })).toContain('timestamp-query')
    expect(why({})).toBe('no pass was timed')
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
    at: [''],
    sample: quotientOf({ name: 'length', variant: 'b' }, { name: 'time', variant: 'a' }),
  })
  it('stands in the order of its declarations, variant by variant', () => {
    const keys = (declared: readonly MetricDeclaration<object>[]) =>
      measureMetrics(declared, evidence, {}).map(({ name, variant }) => `${name} ${variant}`)
    expect(keys([ratio, time, length])).toEqual(['ratio ', 'time a', 'length a', 'length b'])
    expect(keys([length, ratio, time])).toEqual(['length a', 'length b', 'ratio ', 'time a'])
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
  it('has the unit that its name ends in, of those that its sampler yields', () => {
    const unitOf = (name: string, unit?: 'ms' | 'flop/byte') =>
      declareMetrics({ [name]: ['M', ratioTo<object>('a'), unit ? { unit } : {}] })[0]?.unit
    expect(declareMetrics({ 'step-us': ['M', windowOver<object>()] })[0]?.unit).toBe('us')
    expect(() => declareMetrics({ step: ['M', windowOver<object>()] })).toThrow('ends in no unit')
    expect([unitOf('slowdown'), unitOf('slowdown', 'flop/byte')]).toEqual(['ratio', 'flop/byte'])
    expect(() => unitOf('slowdown', 'ms')).toThrow('declared in ms')
    expect(() => unitOf('slowdown-ms')).toThrow('declared in ms')
  })

  it('types its values by its parameters, and takes defaults for values of another version', () => {
    const common = { label: '', help: '', place: 'more' } as const
    const experiment = defineExperiment({
      id: 'x',
      title: '',
      question: '',
      short: {},
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
      metrics: {},
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

it('keeps counts as text', () => {
  forAll(
    fc.dictionary(fc.constantFrom('cpu-64', 'upload', 'round-trip-1024'), fc.integer({ min: 1, max: 999 })),
    (counts) => {
      const map = new Map(Object.entries(counts))
      expect(readCounts(writeCounts(map))).toEqual(map)
    },
  )
  expect(readCounts('').size).toBe(0)
  expect(readCounts('cpu-64=0 x').size).toBe(0)
})
