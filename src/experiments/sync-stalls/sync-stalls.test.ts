/** What sync-stalls reads off runs with a known truth, what it concludes, and that it does not where the effect is taken out. */
import { isPointFigure } from '../../trace/figure'
import { beforeAll, describe, expect, it } from 'vitest'
import { quoted } from '../../lessons/testing/fake-quote'
import { withReference } from '../../trace/figure-reference'
import { Machine } from '../../model/machine'
import {
  frozenClock,
  noTimestamps,
  softwareCard,
  tripsAreFree,
  submitBlocks,
} from '../../model/testing/cards'
import { runOnModel } from '../../model/testing/run-on-model'
import { findMetric, type Metric, type Report } from '../../trace/report'
import { judge } from '../declare'
import { explainedBy } from '../testing/explained-by'
import { factsOf, fakeMetrics, FakeRun } from '../testing/fake-evidence'
import type { ParamValues } from '../experiment'
import { curvePoints, flatPart, fromShare, torchCurve } from './curve'
import { syncStalls as declared } from './meta'
import { curveMs } from './variants'
import { rules } from './verdict.md'

const syncStalls = { ...declared, rules }

const PARAMS = { kernelMs: 0.3, steps: 32, every: ['never', 'every-4', 'every-step'], repeats: 3 }
const runs = new Map<string, Promise<Report>>()
/** Once for all that ask for the same. */
async function judged(card = softwareCard, params: ParamValues = {}): Promise<Report> {
  const key = JSON.stringify([card, params])
  const run = runs.get(key) ?? runOnModel(new Machine(card), declared.id, { ...PARAMS, ...params })
  runs.set(key, run)
  return await run
}
const explained = (report: Report) => explainedBy(syncStalls, report, report.verdict)

describe('its metrics', () => {
  const run = new FakeRun()
  for (const repeat of [0, 1, 2]) {
    const at = repeat * 100
    run.window('never', repeat, at, at + 4)
    run.window('every-step', repeat, at + 50, at + 66)
    for (const step of [0, 1, 2, 3]) {
      run.pass('never', repeat, step, at + step, at + step + 1, 'any name', 1e9)
      run.pass('every-step', repeat, step, at + 50 + step * 4, at + 51 + step * 4, 'any name', 1e9)
      const from = at + 50 + step * 4
      run.host('host-wait', 'any name', 'every-step', repeat, from, from + 3.5, 'wait-map')
      run.host('host-wait', 'any name', 'every-step', repeat, from + 3.5, from + 3.6, 'wait-done')
    }
  }
  const metrics = syncStalls.measure(run.evidence({ params: { steps: 4, read: 'item' } }))
  const value = (name: string, variant: string) => findMetric(metrics, name, variant)?.value

  it('are read off the trace, by role and not by name', () => {
    expect(value('device-busy-ratio', 'never')).toBeCloseTo(1, 9)
    expect(value('device-busy-ratio', 'every-step')).toBeCloseTo(4 / 13, 9)
    expect(value('slowdown', 'every-step')).toBeCloseTo(4, 9)
    expect(value('stall-ms', 'every-step')).toBeCloseTo(3.5, 9)
    expect(value('idle-per-stall-ms', 'every-step')).toBeCloseTo(3, 9)
    expect(value('kernel-ms', 'never')).toBeCloseTo(1, 9)
    expect(findMetric(metrics, 'slowdown', 'never')).toBeUndefined()
    expect(findMetric(metrics, 'stall-ms', 'never')).toBeUndefined()
  })

  it('count the steps that were run, where these are fewer than asked for', () => {
    const evidence = run.evidence({ params: { steps: 32, read: 'item' }, derived: { steps: 4 } })
    expect(findMetric(syncStalls.measure(evidence), 'step-ms', 'never')?.value).toBeCloseTo(1, 9)
  })

  it('have none of reading where only the shape is read', () => {
    const shape = syncStalls.measure(run.evidence({ params: { steps: 4, read: 'shape' } }))
    expect(shape.some(({ name }) => name === 'stall-ms' || name === 'idle-per-stall-ms')).toBe(false)
  })
})

describe('its verdict', () => {
  const base = {
    'step-ms never': 1,
    'step-ms every-step': 4,
    'slowdown every-step': 4,
    'stall-ms every-step': 3.9,
    'device-busy-ratio never': 0.95,
    'device-busy-ratio every-step': 0.2,
    'host-free-ratio never': 0.9,
    'kernel-ms never': 0.9,
  }
  const hidden = { 'step-ms every-step': 1.1, 'slowdown every-step': 1.1, 'stall-ms every-step': 1.05 }
  it.each([
    ['stall-dominates', 'shown', {}, 'item'],
    ['stall-hidden-by-long-kernel', 'not-shown', hidden, 'item'],
    ['host-bound', 'inconclusive', { 'device-busy-ratio never': 0.3 }, 'item'],
    ['host-bound', 'inconclusive', { ...hidden, 'host-free-ratio never': 0.05 }, 'item'],
    ['not-the-reads', 'inconclusive', { 'stall-ms every-step': 0.2 }, 'item'],
    ['not-the-reads', 'inconclusive', { 'stall-ms every-step': 0.2, 'read-ms every-step': 0.1 }, 'item'],
    // Of a matrix most of the time goes into copying it out.
    ['stall-dominates', 'shown', { 'stall-ms every-step': 1, 'read-ms every-step': 2.5 }, 'matrix'],
    ['intervals-overlap', 'inconclusive', { 'step-ms every-step': [0.9, 1.1, 1.3] as const }, 'item'],
    ['intervals-overlap', 'inconclusive', { 'step-ms every-step': 0.5, 'slowdown every-step': 0.5 }, 'item'],
    ['nothing-to-compare', 'inconclusive', { 'slowdown every-step': null }, 'item'],
    ['nothing-to-compare', 'inconclusive', { 'stall-ms every-step': null }, 'item'],
    ['metadata-is-free', 'shown', { 'slowdown every-step': [0.95, 1, 1.1] as const }, 'shape'],
    ['metadata-not-free', 'not-shown', {}, 'shape'],
    [
      'intervals-overlap',
      'inconclusive',
      { 'step-ms every-step': [0.5, 1, 2] as const, 'slowdown every-step': [0.5, 1, 2] as const },
      'shape',
    ],
  ] as const)('%s is %s', (reason, outcome, over, read) => {
    const metrics = fakeMetrics({ ...base, ...over })
    const facts = factsOf(metrics, new FakeRun().evidence({ params: { steps: 4, read } }))
    expect(judge(syncStalls, facts)).toMatchObject({ reason, outcome })
  })

  it('is shown by a GPU, with the figures of the run', async () => {
    const { verdict } = await judged()
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'stall-dominates' })
    expect(verdict.text).toMatch(
      /^Reading back made a step [\d.]+ times as long\. A step takes 0\.\d+ ms when nothing is read/,
    )
  })

  it('names the host where submit() blocks, or is slow, whether or not the reads then hide', async () => {
    const blocks = await judged(submitBlocks)
    expect(blocks.verdict).toMatchObject({ outcome: 'inconclusive', reason: 'host-bound' })
    expect(blocks.verdict.text).toContain('the host was free for only')
    expect(explained(blocks)).toContain('did not hand over steps')
  })

  it('is not shown where reads cost nothing, nor where the steps are slow for another reason', async () => {
    expect((await judged(tripsAreFree)).verdict.outcome).not.toBe('shown')
    expect((await judged(softwareCard, { kernelMs: 20 })).verdict).toMatchObject({
      outcome: 'not-shown',
      reason: 'stall-hidden-by-long-kernel',
    })
  })

  it('without timestamps is the same, from the host alone, and speaks of no pass and no idle time', async () => {
    const blind = await judged(noTimestamps)
    expect(findMetric(blind.metrics, 'kernel-ms', 'never')?.note).toContain('timestamp-query')
    expect(blind.verdict).toMatchObject({ outcome: 'shown', reason: 'stall-dominates' })
    for (const text of [blind.verdict.text, explained(blind)])
      expect(text).not.toMatch(/\bpass|\bgap|\bidle\b|busy|computed for/)
  })

  it('quotes nothing of a device clock that stands still', async () => {
    const result = await judged(frozenClock)
    const ofDevice = result.metrics.filter(({ origin }) => origin === 'device-clock')
    expect(ofDevice.length).toBeGreaterThan(0)
    for (const { name, value } of ofDevice) expect(value, name).toBeNull()
    expect(explained(result)).not.toMatch(/kernel of a step takes|computed for/)
  })
})

describe('its explanation', () => {
  const text = async (
    over: Readonly<Record<string, number | readonly [number, number, number]>>,
    params: ParamValues = {},
  ) => {
    const result = await judged(softwareCard, params)
    const key = ({ name, variant }: Metric) => `${name} ${variant}`
    const changed = fakeMetrics(over)
    const metrics = result.metrics.map(
      (metric) => changed.find((each) => key(each) === key(metric)) ?? metric,
    )
    return explained({ ...result, metrics })
  }
  it('a kernel ran later, and took as long, unless its own time is apart by more than two per cent', async () => {
    expect(await text({ 'kernel-ms every-step': 0.3, 'kernel-ms never': 0.3 })).toContain('about the same')
    expect(await text({ 'kernel-ms every-step': 0.303, 'kernel-ms never': 0.3 })).toContain('about the same')
    expect(await text({ 'kernel-ms every-step': 0.9 })).toContain('took longer too')
    expect(await text({ 'kernel-ms every-step': 0.1 })).toContain('took less time')
  })

  it('praises fewer reads only where their steps are shorter', async () => {
    expect(await text({ 'step-ms every-4': 0.5 })).toContain('more steps share one wait')
    expect(await text({ 'step-ms every-4': 50 })).toContain('does not show that fewer reads are cheaper')
  })

  it('takes the variants that were run', async () => {
    const seldom = await text({}, { every: ['never', 'every-16', 'every-4'] })
    expect(seldom).toContain(quoted('device-busy-ratio', 'every-4'))
    expect(seldom).toContain(quoted('step-ms', 'every-16'))
    expect(seldom).not.toContain('every-step')
  })

  it('never blames the shape', async () => {
    const result = await judged(softwareCard, { read: 'shape' })
    expect(result.verdict.reason).toBe('metadata-is-free')
    const slow = explained({ ...result, verdict: { ...result.verdict, reason: 'metadata-not-free' } })
    expect(slow).toContain('The shape cannot be the cause')
  })
})

describe('the curve over kernel length', () => {
  const curve = ['0.2', '0.5', '1', '1.9', '2.6', '5.6']
  let result: Report
  beforeAll(async () => {
    const report = await judged(softwareCard, { curve })
    // The model has no noise; without any, no two waits are the same.
    const widened = report.metrics.map(({ value, ...rest }) =>
      value === null ? { value, ...rest } : { ...rest, value, low: 0.98 * value, high: 1.02 * value },
    )
    result = { ...report, metrics: widened }
  })

  it('is a saw: the wait stays while the kernel grows, then jumps; the text says so from the metrics', () => {
    const named = flatPart(curvePoints(result.metrics))
    expect(named).toEqual({ short: 'every-step@0.2', long: 'every-step@2.6', next: 'every-step@5.6' })
    const text = explained(result)
    expect(text).toContain('not a fixed sum')
    expect(text).toContain(quoted('idle-per-stall-ms', 'every-step@2.6'))
    expect(text).toContain('reported at a later look')
  })

  it('names the length from which on the device computes for a share of the time', () => {
    const points = curvePoints(result.metrics)
    const busy = (variant: string) => findMetric(result.metrics, 'device-busy-ratio', variant)?.value ?? 0
    const half = fromShare(points, result.metrics, 1 / 2)
    expect(half).not.toBeNull()
    for (const { variant } of points.slice(points.findIndex((point) => point.variant === half)))
      expect(busy(variant)).toBeGreaterThanOrEqual(1 / 2)
    expect(fromShare(points, result.metrics, 0)).toBe('every-step@0.2')
    expect(fromShare(points, result.metrics, 1.1)).toBeNull()
  })

  it('says nothing of looks where the wait does grow with the kernel', () => {
    const grown = result.metrics.map((metric): Metric => {
      const ms = curveMs(metric.variant)
      const wait = 3 + (ms ?? 0)
      return metric.name === 'stall-ms' && ms !== null
        ? { ...metric, value: wait, low: wait, high: wait }
        : metric
    })
    expect(flatPart(curvePoints(grown))).toEqual({ short: null, long: null, next: null })
  })

  it('is a figure of measured points, to which a recorded curve is added by name', async () => {
    const [figure] = result.figures ?? []
    if (!figure || !isPointFigure(figure)) throw new Error('no figure')
    expect(figure.series.map(({ id, points }) => [id, points.length])).toEqual([
      ['wait', curve.length],
      ['idle', curve.length],
    ])
    expect(syncStalls.references?.map((reference) => reference.figure)).toEqual([figure.id])
    const recorded = {
      device: 'Some GPU',
      date: '2026-01-01',
      points: [{ kernelMs: 1, waitMs: 1.03, idleMs: 0.05 }],
    }
    const both = withReference(figure, torchCurve, recorded)
    expect(both.series).toHaveLength(4)
    expect(both.series.at(-1)?.label).toContain('Some GPU, recorded 2026-01-01')
    expect((await judged()).figures).toBeUndefined()
  })
})
