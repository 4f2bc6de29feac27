import { isPointFigure } from '../../trace/figure'
import { describe, expect, it } from 'vitest'
import { findMetric } from '../../trace/report'
import { judging, explainedBy, quoted } from '../testing/explained-by'
import { fakeMetrics, FakeRun, factsOf } from '../testing/fake-evidence'
import { worthIt as declared } from './meta'
import { rules } from './verdict.md'
import type { Evidence } from '../run-types'

const { experiment: worthIt, judged } = judging(declared, rules)

const SIZES = [128, 256, 512, 1024]
/**
 * The known truth, ms: the processor at 32 GFLOP/s, the device at 2048, 3 ms there and back, bytes
 * at 4 GB/s.
 */
const cpuMs = (n: number) => (2 * n ** 3) / 32e6
const kernelMs = (n: number) => (2 * n ** 3) / 2048e6
const bytesMs = (n: number) => (12 * n * n) / 4e6
const LATENCY_MS = 3

function fill(latencyMs: number, uses = 1): FakeRun {
  const run = new FakeRun()
  for (const repeat of [0, 1, 2]) {
    let at = repeat * 10_000
    const window = (variant: string, lengthMs: number): number => {
      run.window(variant, repeat, at, at + lengthMs)
      at += lengthMs + 10
      return at - lengthMs - 10
    }
    for (const n of SIZES) {
      // Two operations a window everywhere, as `operationsPerWindow` below says.
      window(`cpu-${String(n)}`, 2 * uses * cpuMs(n))
      const one = uses * kernelMs(n) + bytesMs(n) + latencyMs
      const from = window(`round-trip-${String(n)}`, 2 * one)
      for (const step of [0, 1]) {
        const begin = from + step * one
        const variant = `round-trip-${String(n)}`
        run.pass(
          variant,
          repeat,
          step,
          begin + 0.5,
          begin + 0.5 + uses * kernelMs(n),
          `matmul ${String(n)}³`,
          2 * uses * n ** 3,
        )
        run.host(
          'host-wait',
          'await mapAsync(): readback',
          variant,
          repeat,
          begin + 0.3,
          begin + one - 0.1,
          'wait-map',
        )
      }
      window(`resident-${String(n)}`, 2 * uses * kernelMs(n))
    }
  }
  return run
}
const evidenceOf = (latencyMs: number, uses = 1) =>
  fill(latencyMs, uses).evidence({
    params: { uses },
    hostStepNs: 0,
    completionLatencyMs: 0,
    derived: {
      processorLibrary: 'a library',
      processorThreads: 2,
      processorNote: '',
      operationsPerWindow: ['cpu', 'round-trip', 'resident']
        .flatMap((place) => SIZES.map((n) => `${place}-${String(n)}=2`))
        .join(' '),
    },
  })

describe('worth-it metrics', () => {
  const evidence = evidenceOf(LATENCY_MS)
  const metrics = worthIt.measure(evidence)
  const value = (name: string, variant: string) => findMetric(metrics, name, variant)?.value ?? Number.NaN

  it('reads off the trace what was put in', () => {
    expect(value('time-ms', 'cpu-512')).toBeCloseTo(cpuMs(512), 6)
    expect(value('gflops', 'cpu-512')).toBeCloseTo(32, 6)
    expect(value('gflops', 'resident-1024')).toBeCloseTo(2048, 3)
    expect(value('kernel-ms', 'round-trip-512')).toBeCloseTo(kernelMs(512), 6)
    const whole = kernelMs(512) + bytesMs(512) + LATENCY_MS
    expect(value('kernel-share', 'round-trip-512')).toBeCloseTo(kernelMs(512) / whole, 6)
    expect(value('wait-ms', 'round-trip-512')).toBeCloseTo(whole - 0.4, 6)
  })

  it('finds the crossover, between two sizes that were run', () => {
    const crossing = value('crossover-n', 'round-trip')
    const saved = (n: number) => cpuMs(n) - (kernelMs(n) + bytesMs(n) + LATENCY_MS)
    expect(saved(crossing * 0.9)).toBeLessThan(0)
    expect(saved(crossing * 1.1)).toBeGreaterThan(0)
    expect(judged(evidence, metrics).verdict).toMatchObject({ outcome: 'shown', reason: 'gpu-wins-above' })
  })

  it('draws no interval that reaches down to nothing on a logarithmic axis', () => {
    const coarse = { ...evidence, hostStepNs: 1e9 }
    const [lines] = worthIt.figures(worthIt.measure(coarse), coarse)
    if (!lines || !isPointFigure(lines)) throw new Error('points first')
    for (const { points } of lines.series)
      for (const { low, high } of points) expect(low === null ? high : 0).toBe(low === null ? null : 0)
  })

  it('moves down with reuse', () => {
    const often = evidenceOf(LATENCY_MS, 16)
    const crossover = findMetric(worthIt.measure(often), 'crossover-n', 'round-trip')?.value ?? Infinity
    expect(crossover).toBeLessThan(value('crossover-n', 'round-trip') / 2)
  })

  it('has null with a reason where there are no timestamps, and still a crossover', () => {
    const blind = worthIt.measure({
      ...evidence,
      deviceStepNs: null,
      placed: new FakeRun().evidence().placed,
    })
    expect(findMetric(blind, 'kernel-share', 'round-trip-512')?.note).toContain('timestamp-query')
    expect(findMetric(blind, 'crossover-n', 'round-trip')?.value).toBe(value('crossover-n', 'round-trip'))
  })
})

/** Times by place, in ms for every size. */
const times = (cpu: readonly number[], roundTrip: readonly number[], spread = 0.01) =>
  Object.fromEntries(
    SIZES.flatMap((n, index) =>
      [
        ['cpu', cpu[index] ?? 0] as const,
        ['round-trip', roundTrip[index] ?? 0] as const,
        ['resident', 0.1] as const,
      ].map(([place, ms]) => [
        `time-ms ${place}-${String(n)}`,
        [ms * (1 - spread), ms, ms * (1 + spread)] as const,
      ]),
    ),
  )

describe('worth-it verdict', () => {
  const evidence = evidenceOf(LATENCY_MS)
  const crossing = times([1, 2, 8, 64], [4, 4, 4, 4])
  const found = { 'crossover-n round-trip': 350 }
  /** The metric is null where the curves do not cross. */
  const none = { 'crossover-n round-trip': null }
  const rates = { 'gflops cpu-1024': 100, 'gflops resident-1024': 1000 }
  it.each([
    ['gpu-wins-above', 'shown', crossing, {}, {}],
    ['gpu-always-wins', 'not-shown', times([9, 9, 9, 9], [4, 4, 4, 4]), none, {}],
    ['cpu-always-wins', 'not-shown', times([1, 1, 1, 1], [4, 4, 4, 4]), none, { isSoftware: true }],
    [
      'cpu-always-wins',
      'not-shown',
      times([1, 1, 1, 1], [4, 4, 4, 4]),
      { ...none, 'gflops resident-1024': 50 },
      {},
    ],
    ['sizes-too-small', 'inconclusive', times([1, 1, 1, 1], [4, 4, 4, 4]), none, {}],
    ['intervals-overlap', 'inconclusive', times([3, 4, 5, 6], [4, 4, 4, 4], 0.9), {}, {}],
  ] as const)('%s is %s', (reason, outcome, byTime, over, change) => {
    const metrics = fakeMetrics({ ...byTime, ...found, ...rates, ...over })
    expect(judged({ ...evidence, ...change }, metrics).verdict).toMatchObject({ reason, outcome })
  })
  it('says that the device is software, where it is', () => {
    const metrics = fakeMetrics({ ...times([1, 1, 1, 1], [4, 4, 4, 4]), ...none, ...rates })
    expect(judged({ ...evidence, isSoftware: true }, metrics).verdict.text).toContain('software')
  })
  it('does not judge without samples', () => {
    expect(judged(evidence, []).verdict).toMatchObject({
      outcome: 'inconclusive',
      reason: 'nothing-to-compare',
    })
  })
})

/** Sentences about the CPU measured against, and the size asked about. */
describe('its explanation', () => {
  /** Every figure is 0.5. */
  function text(reason: string, { params = {}, derived = {} }: Partial<Evidence>): string {
    const values = declared.valuesOf(params)
    const metrics = declared
      .metricKeys(values)
      .map(({ name, variant }) => [`${name} ${variant}`, 0.5] as const)
    const facts = factsOf(
      fakeMetrics(Object.fromEntries(metrics)),
      new FakeRun().evidence({ params: values, derived }),
    )
    return explainedBy(worthIt, facts, { reason, outcome: 'shown', text: '' })
  }
  const withDerived = (derived: Evidence['derived']) => text('gpu-wins-above', { derived })

  it('says against which CPU the device was measured, and where that was a poor one', () => {
    const good = { processorLibrary: 'a library', processorThreads: 8, processorNote: '', sizesLeftOut: '' }
    expect(withDerived(good)).toContain('with a library, on 8 threads')
    expect(withDerived(good)).not.toContain('too low')
    const poor = withDerived({
      ...good,
      processorThreads: 1,
      processorNote: 'plain code',
      sizesLeftOut: '1536 2048',
    })
    expect(poor).toContain('one thread')
    expect(poor).toContain('plain code), and every crossing here is too low')
    expect(poor).toContain('Left out for lack of time: n = 1536, 2048.')
    expect(withDerived(good)).not.toContain('Left out')
  })

  it.each([
    [['64', '128', '512'], 128],
    [['64', '512', '1024'], 512],
    [['32', '64'], 64],
  ])('of %j, speaks of the size that was asked about, or of the next one that was run', (sizes, asked) =>
    expect(text('cpu-always-wins', { params: { sizes } })).toContain(
      quoted('kernel-share', `round-trip-${String(asked)}`),
    ),
  )

  it('warns against the rule of time computed where the device computes for less than half of the trip', () => {
    expect(withDerived({})).not.toContain('time computed')
    const facts = factsOf(
      fakeMetrics({ ...times([1, 2, 8, 64], [4, 4, 4, 4]), 'kernel-share round-trip-1024': 0.02 }),
      new FakeRun().evidence({ params: declared.valuesOf({}), derived: {} }),
    )
    expect(explainedBy(worthIt, facts, { reason: 'gpu-wins-above', outcome: 'shown', text: '' })).toContain(
      'Weigh the time saved, not the time computed',
    )
  })
})
