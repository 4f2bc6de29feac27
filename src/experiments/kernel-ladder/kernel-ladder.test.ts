import { describe, expect, it } from 'vitest'
import { findMetric } from '../../trace/report'
import type { Evidence } from '../run-types'
import { judging } from '../testing/explained-by'
import { fakeMetrics, FakeRun } from '../testing/fake-evidence'
import { rooflineFigure } from './charts'
import { kernelLadder as declared } from './meta'
import { FMA_PEAK, moved, STREAM_COPY, TRANSFERS_ONLY } from './variants'
import { rules } from './verdict.md'

const { experiment: kernelLadder, judged } = judging(declared, rules)

const FLOPS = 2e9
/** ms: what is put in, and must come out. */
const KERNEL = { naive: 20, tiled: 10, vectorised: 4 } as const
const TRANSFERS = 30
const PER_PASS: Readonly<Record<string, number>> = { naive: 1, tiled: 2, vectorised: 3 }
const STEPS = 2
const COPYING = 6

interface Device {
  readonly kernel?: Readonly<Record<string, number>>
  readonly transfers?: number
  /**
   * A step with a kernel takes so many times the kernel longer than it should: submit() blocks
   * until it has run.
   */
  readonly blocked?: number
  readonly stamps?: 'frozen' | 'none'
}

/** Every variant of the run, one after the other on a clock of ms. */
function fakeRun({ kernel = KERNEL, transfers = TRANSFERS, blocked = 0, stamps }: Device = {}): FakeRun {
  const run = new FakeRun()
  let at = 0
  const spanFlops = (
    variant: string,
    repeat: number,
    step: number,
    ms: number,
    name: string,
    work: number,
  ) => {
    if (stamps === 'frozen') run.pass(variant, repeat, step, 1, 1, name, work)
    else if (stamps !== 'none') run.pass(variant, repeat, step, at, at + ms, name, work)
    at += ms
  }
  for (const repeat of [0, 1, 2]) {
    const window = (variant: string, body: () => void) => {
      const start = at
      body()
      run.window(variant, repeat, start, at)
      at += 1
    }
    window(FMA_PEAK, () => spanFlops(FMA_PEAK, repeat, -1, 6, FMA_PEAK, 6e9))
    window(STREAM_COPY, () => spanFlops(STREAM_COPY, repeat, -1, 5, STREAM_COPY, 0))
    for (const [rung, ms] of Object.entries(kernel))
      window(rung, () => {
        const count = PER_PASS[rung] ?? 1
        for (let step = 0; step < STEPS; step += 1)
          spanFlops(rung, repeat, step, ms * count, `matmul ${rung}`, FLOPS * count)
      })
    window(TRANSFERS_ONLY, () => (at += STEPS * transfers))
    for (const [rung, ms] of Object.entries(kernel))
      window(moved(rung), () => {
        for (let step = 0; step < STEPS; step += 1) {
          run.host('host-work', 'fill staging 0', moved(rung), repeat, at, at + COPYING)
          at += transfers + blocked * ms
          spanFlops(moved(rung), repeat, step, ms, `matmul ${rung}`, FLOPS)
        }
      })
  }
  return run
}

const evidenceOf = (over: Partial<Evidence> = {}, device: Device = {}): Evidence =>
  fakeRun(device).evidence({
    params: { steps: 32, transfers: 'each-step' },
    derived: {
      // Fewer steps than asked for: metrics go by what was run.
      steps: STEPS,
      flopsPerStep: FLOPS,
      leastBytesPerStep: 1e7,
      flopsPerPeakPass: 6e9,
      bytesPerCopyPass: 5e8,
      roundTripMs: 2,
      ...Object.fromEntries(
        Object.entries(PER_PASS).map(([rung, count]) => [`dispatchesPerPass ${rung}`, count]),
      ),
    },
    ...over,
  })
const evidence = evidenceOf()
const { metrics, value } = judged(evidence)

describe('kernel-ladder metrics', () => {
  it('reads off the trace what was put in, one matmul at a time', () => {
    for (const [rung, ms] of Object.entries(KERNEL)) {
      expect(value('kernel-ms', rung), rung).toBeCloseTo(ms, 6)
      expect(value('gflops', rung)).toBeCloseTo(FLOPS / ms / 1e6, 3)
      expect(value('step-ms', moved(rung))).toBeCloseTo(TRANSFERS + ms, 6)
      expect(value('kernel-share', moved(rung))).toBeCloseTo(ms / (TRANSFERS + ms), 6)
      expect(value('host-copy-ms', moved(rung))).toBeCloseTo(COPYING, 6)
    }
    expect(value('peak-gflops', FMA_PEAK)).toBeCloseTo(1000, 3)
    expect(value('copy-gb-per-s', STREAM_COPY)).toBeCloseTo(100, 3)
    expect(value('peak-share', 'vectorised')).toBeCloseTo(0.5, 4)
    expect(value('intensity')).toBe(200)
  })

  it('compares the fastest with the first, alone, with transfers, and with no kernel at all', () => {
    expect(value('best-speedup')).toBeCloseTo(5, 5)
    expect(value('best-step-speedup')).toBeCloseTo(50 / 34, 5)
    expect(value('step-speedup-limit')).toBeCloseTo(50 / 30, 5)
  })

  it('without timestamps times whole windows, and says so', () => {
    const blind = evidenceOf({ deviceStepNs: null })
    const found = kernelLadder.measure(blind)
    const kernel = findMetric(found, 'kernel-ms', 'vectorised')
    expect(kernel).toMatchObject({ origin: 'host-clock' })
    expect(kernel?.note).toContain('no timestamps')
    expect(kernel?.value).toBeCloseTo(4, 6)
    // The round trip, which a page cannot take off, is in the interval: 2 ms over 2 steps of 3
    // matmuls.
    expect((kernel?.value ?? 0) - (kernel?.low ?? 0)).toBeCloseTo(2 / 6, 6)
    expect(findMetric(found, 'kernel-share', moved('naive'))?.value).toBeCloseTo(0.4, 6)
    expect(judged(blind, found).verdict.outcome).toBe('shown')
  })

  it('has nothing of what moves where nothing is moved', () => {
    const still = { ...evidence, windows: evidence.windows.filter(({ variant }) => variant in KERNEL) }
    const names = kernelLadder.measure(still).map(({ name }) => name)
    expect(names).toContain('best-speedup')
    for (const name of ['best-step-speedup', 'kernel-share']) expect(names).not.toContain(name)
  })
})

const given = {
  'kernel-ms naive': 20,
  'kernel-ms tiled': 10,
  'kernel-ms vectorised': 4,
  'best-speedup ': 5,
  'best-step-speedup ': 1.5,
  'peak-share vectorised': 0.5,
  [`step-ms ${moved('naive')}`]: 50,
  [`step-ms ${moved('vectorised')}`]: 34,
  [`step-ms ${TRANSFERS_ONLY}`]: 30,
  [`kernel-share ${moved('vectorised')}`]: 0.12,
}

describe('kernel-ladder verdict', () => {
  const share = `kernel-share ${moved('vectorised')}`
  it.each([
    ['transfers-take-over', 'shown', {}, {}],
    ['kernel-dominates', 'not-shown', { [share]: 0.7 }, {}],
    ['intervals-overlap', 'inconclusive', { [share]: [0.3, 0.45, 0.6] as const }, {}],
    ['intervals-overlap', 'inconclusive', { 'best-step-speedup ': [1, 3, 6] as const }, {}],
    ['step-unexplained', 'inconclusive', { [`step-ms ${TRANSFERS_ONLY}`]: 10 }, {}],
    ['transfers-not-the-least', 'inconclusive', { [`step-ms ${TRANSFERS_ONLY}`]: 40 }, {}],
    // A median below the transfers alone is no contradiction while the intervals overlap: the
    // recording of the H200 has one.
    ['transfers-take-over', 'shown', { [`step-ms ${TRANSFERS_ONLY}`]: [33, 35, 37] as const }, {}],
    ['ladder-climbs', 'shown', {}, { params: { steps: 2, transfers: 'none' } }],
    ['ladder-flat', 'not-shown', { 'kernel-ms vectorised': 19, 'best-speedup ': 1.05 }, {}],
    ['ladder-flat', 'not-shown', { 'kernel-ms vectorised': 19, 'best-speedup ': 1.05 }, { isSoftware: true }],
    [
      'intervals-overlap',
      'inconclusive',
      { 'kernel-ms naive': [3, 6, 7] as const, 'best-speedup ': [0.9, 2, 3] as const },
      {},
    ],
    [
      'nothing-to-compare',
      'inconclusive',
      { 'kernel-ms naive': null, 'kernel-ms tiled': null, 'kernel-ms vectorised': null },
      {},
    ],
  ] as const)('%s', (reason, outcome, over, evidenceOver) => {
    const { verdict } = judged({ ...evidence, ...evidenceOver }, fakeMetrics({ ...given, ...over }))
    expect(verdict).toMatchObject({ reason, outcome })
    expect(verdict.text).not.toMatch(/undefined|NaN|null/)
  })

  it('says that a flat ladder is normal on software, and only there', () => {
    const flat = fakeMetrics({ ...given, 'kernel-ms vectorised': 19, 'best-speedup ': 1.05 })
    expect(judged({ ...evidence, isSoftware: true }, flat).verdict.text).toContain('normal')
    expect(judged(evidence, flat).verdict.text).not.toContain('normal')
  })
})

describe('kernel-ladder in words', () => {
  const explained = (given: Parameters<typeof fakeMetrics>[0], of = evidence): string =>
    judged(of, fakeMetrics(given)).text
  const step = (ms: number | readonly [number, number, number]) => ({
    ...given,
    [`step-ms ${moved('vectorised')}`]: ms,
  })

  it('speaks of a limit only as far as the intervals are apart from it', () => {
    expect(explained(given)).not.toContain('a better kernel would gain nothing')
    expect(explained(step([29, 30.5, 32]))).toContain('a better kernel would gain nothing')
  })
})

describe('kernel-ladder with its effect taken out', () => {
  const verdictOf = (device: Device) => judged(evidenceOf({}, device)).verdict

  it('is shown where transfers are most of a step, and only there', () => {
    expect(verdictOf({})).toMatchObject({ outcome: 'shown', reason: 'transfers-take-over' })
    expect(verdictOf({ transfers: 1 })).toMatchObject({ outcome: 'not-shown', reason: 'kernel-dominates' })
  })

  it('is not shown where submit() blocks for the kernel’s time: that is no transfer', () => {
    const blocked = verdictOf({ transfers: 1, blocked: 1.5 })
    expect(blocked).toMatchObject({ outcome: 'inconclusive', reason: 'step-unexplained' })
    expect(blocked.text).toContain('the transfers alone take 1 ms')
  })

  it('is not shown where every kernel is the same one', () => {
    const same = { naive: 4, tiled: 4, vectorised: 4 }
    expect(verdictOf({ kernel: same })).toMatchObject({ outcome: 'not-shown', reason: 'ladder-flat' })
  })

  it.each(['frozen', 'none'] as const)('is not shown from stamps that are %s', (stamps) => {
    expect(verdictOf({ stamps })).toMatchObject({ outcome: 'inconclusive', reason: 'nothing-to-compare' })
    // Nor is the kernel’s share of a step.
    const derived = kernelLadder
      .measure(evidenceOf({}, { stamps }))
      .filter(({ name }) => name === 'kernel-share')
    expect(derived.length).toBeGreaterThan(0)
    for (const { name, variant, value } of derived) expect(value, `${name} ${variant}`).toBeNull()
  })
})

it('draws no roofline where the roof was not measured', () => {
  expect(rooflineFigure(metrics).map(({ id }) => id)).toEqual(['roofline'])
  const without = metrics.map((metric) =>
    metric.name === 'peak-gflops' ? { ...metric, value: null, low: null, high: null } : metric,
  )
  expect(rooflineFigure(without)).toEqual([])
})
