import { describe, expect, it } from 'vitest'
import { findMetric } from '../trace/report'
import { judgeAsyncSubmission, measureAsyncSubmission } from './async-submission/metrics'
import { judgeOverlappedUploads, measureOverlappedUploads } from './overlapped-uploads/metrics'
import { judgeSyncStalls, measureSyncStalls } from './sync-stalls/metrics'
import { fakeMetrics, FakeRun } from './testing/fake-evidence'

describe('async-submission metrics', () => {
  const run = new FakeRun()
  for (const repeat of [0, 1, 2]) {
    const at = repeat * 100
    run.window('queued', repeat, at, at + 20)
    for (const step of [0, 1, 2, 3]) {
      run.host(
        'encode',
        `encode step ${String(step)}`,
        'queued',
        repeat,
        at + step * 0.3,
        at + step * 0.3 + 0.1,
      )
      run.host(
        'submit',
        `submit step ${String(step)}`,
        'queued',
        repeat,
        at + step * 0.3 + 0.1,
        at + step * 0.3 + 0.2,
      )
      // 4 ms each with 0.5 ms between: 17.5 of extent, 16 busy.
      run.pass('queued', repeat, step, at + 1 + step * 4.5, at + 5 + step * 4.5)
      run.depth(at + step * 0.3 + 0.2, step + 1)
    }
  }
  const metrics = measureAsyncSubmission(run.evidence({ params: { steps: 4 } }))
  const value = (name: string) => findMetric(metrics, name, 'queued')?.value

  it('reads off the trace what was put in', () => {
    expect(value('step-ms')).toBeCloseTo(5, 9)
    expect(value('total-ms')).toBeCloseTo(20, 9)
    expect(value('device-busy-ratio')).toBeCloseTo(16 / 17.5, 9)
    expect(value('kernel-ms')).toBeCloseTo(4, 9)
    expect(value('launch-gap-us')).toBeCloseTo(500, 6)
    expect(value('submit-us')).toBeCloseTo(100, 6)
    expect(value('encode-us')).toBeCloseTo(100, 6)
    expect(value('host-free-ratio')).toBeCloseTo(1 - 0.8 / 20, 9)
    expect(value('queue-depth-max')).toBe(4)
  })

  it('has null with the reason for what the device did when there are no timestamps', () => {
    const blind = new FakeRun().window('queued', 0, 0, 20)
    const found = measureAsyncSubmission(blind.evidence({ params: { steps: 4 }, deviceStepNs: null }))
    const busy = findMetric(found, 'device-busy-ratio', 'queued')
    expect(busy?.value).toBeNull()
    expect(busy?.note).toContain('timestamp-query')
    expect(findMetric(found, 'step-ms', 'queued')?.value).toBeCloseTo(5, 9)
  })
})

describe('async-submission verdict', () => {
  const good = {
    'host-free-ratio queued': 0.95,
    'submit-us queued': 5,
    'encode-us queued': 10,
    'kernel-ms queued': 2,
    'step-ms queued': 2,
    'step-ms await-each': 3,
  }
  it.each([
    ['host-runs-ahead', 'shown', {}],
    ['submit-blocked', 'not-shown', { 'submit-us queued': 1900 }],
    ['kernel-too-short', 'inconclusive', { 'kernel-ms queued': 0.02 }],
    ['no-difference', 'not-shown', { 'host-free-ratio queued': 0.3 }],
    ['intervals-overlap', 'inconclusive', { 'host-free-ratio queued': [0.4, 0.6, 0.7] as const }],
  ] as const)('%s', (reason, outcome, over) => {
    expect(judgeAsyncSubmission(fakeMetrics({ ...good, ...over }))).toMatchObject({ reason, outcome })
  })
  it('does not judge without samples', () => {
    expect(judgeAsyncSubmission([]).outcome).toBe('inconclusive')
  })
})

describe('sync-stalls metrics', () => {
  const run = new FakeRun()
  for (const repeat of [0, 1, 2]) {
    const at = repeat * 100
    run.window('never', repeat, at, at + 4)
    run.window('every-step', repeat, at + 50, at + 66)
    for (const step of [0, 1, 2, 3]) {
      run.pass('never', repeat, step, at + step, at + step + 1)
      run.pass('every-step', repeat, step, at + 50 + step * 4, at + 51 + step * 4)
      run.host(
        'host-wait',
        'await mapAsync(): readback',
        'every-step',
        repeat,
        at + 50 + step * 4,
        at + 53.5 + step * 4,
      )
    }
  }
  const evidence = run.evidence({ params: { steps: 4, read: 'item' } })
  const metrics = measureSyncStalls(evidence)

  it('reads off the trace what was put in', () => {
    expect(findMetric(metrics, 'device-busy-ratio', 'never')?.value).toBeCloseTo(1, 9)
    expect(findMetric(metrics, 'device-busy-ratio', 'every-step')?.value).toBeCloseTo(4 / 13, 9)
    expect(findMetric(metrics, 'slowdown', 'every-step')?.value).toBeCloseTo(4, 9)
    expect(findMetric(metrics, 'stall-ms', 'every-step')?.value).toBeCloseTo(3.5, 9)
    expect(findMetric(metrics, 'idle-per-stall-ms', 'every-step')?.value).toBeCloseTo(3, 9)
    expect(judgeSyncStalls(metrics, evidence)).toMatchObject({ outcome: 'shown', reason: 'stall-dominates' })
  })

  const base = {
    'step-ms never': 1,
    'step-ms every-step': 4,
    'slowdown every-step': 4,
    'device-busy-ratio never': 0.95,
    'device-busy-ratio every-step': 0.2,
    'kernel-ms never': 0.9,
  }
  it.each([
    ['stall-dominates', 'shown', {}, 'item'],
    [
      'stall-hidden-by-long-kernel',
      'not-shown',
      { 'step-ms every-step': 1.1, 'slowdown every-step': 1.1 },
      'item',
    ],
    ['intervals-overlap', 'inconclusive', { 'step-ms every-step': [0.9, 1.1, 1.3] as const }, 'item'],
    ['host-bound', 'inconclusive', { 'device-busy-ratio never': 0.3 }, 'item'],
    [
      'metadata-is-free',
      'shown',
      { 'step-ms every-step': [0.9, 1, 1.1] as const, 'slowdown every-step': 1 },
      'shape',
    ],
    ['host-bound', 'not-shown', {}, 'shape'],
  ] as const)('%s is %s', (reason, outcome, over, read) => {
    const judged = judgeSyncStalls(
      fakeMetrics({ ...base, ...over }),
      run.evidence({ params: { steps: 4, read } }),
    )
    expect(judged).toMatchObject({ reason, outcome })
  })
})

describe('overlapped-uploads metrics', () => {
  const lengths = { 'compute-only': 170, 'upload-only': 100, serial: 300, 'ring-2': 180 }
  const run = new FakeRun()
  for (const repeat of [0, 1, 2])
    for (const [variant, length] of Object.entries(lengths))
      run.window(variant, repeat, repeat * 1000, repeat * 1000 + length)
  const evidence = run.evidence({
    params: { steps: 10 },
    derived: { batchBytes: 64e6 },
    completionLatencyMs: 2,
  })
  const metrics = measureOverlappedUploads(evidence)

  it('computes overlap and ideal by definition, with the completion lag as bound', () => {
    const overlap = findMetric(metrics, 'overlap-efficiency', 'ring-2')
    expect(overlap?.value).toBeCloseTo((170 + 100 - 180) / 100, 9)
    expect(overlap?.low).toBeCloseTo(0.9 - 0.02, 9)
    expect(findMetric(metrics, 'overlap-efficiency', 'serial')?.value).toBeCloseTo(-0.3, 9)
    expect(findMetric(metrics, 'versus-ideal', 'ring-2')?.value).toBeCloseTo(180 / 170, 9)
    expect(findMetric(metrics, 'upload-gb-per-s', 'upload-only')?.value).toBeCloseTo(6.4, 9)
    expect(findMetric(metrics, 'upload-gb-per-s', 'compute-only')).toBeUndefined()
    expect(judgeOverlappedUploads(metrics, evidence)).toMatchObject({ outcome: 'shown', reason: 'overlap' })
  })

  const base = {
    'step-ms compute-only': 17,
    'step-ms upload-only': 10,
    'step-ms serial': 30,
    'step-ms ring-2': 18,
    'overlap-efficiency ring-2': 0.9,
  }
  it.each([
    ['overlap', 'shown', {}, false],
    ['nothing-to-hide', 'inconclusive', { 'step-ms upload-only': 1 }, false],
    ['no-overlap', 'not-shown', { 'overlap-efficiency ring-2': 0.1 }, false],
    ['cores-shared', 'not-shown', { 'overlap-efficiency ring-2': 0.3 }, true],
    ['partial-overlap', 'not-shown', { 'overlap-efficiency ring-2': 0.3 }, false],
    ['intervals-overlap', 'inconclusive', { 'overlap-efficiency ring-2': [0.1, 0.4, 0.7] as const }, false],
  ] as const)('%s', (reason, outcome, over, isSoftware) => {
    expect(
      judgeOverlappedUploads(fakeMetrics({ ...base, ...over }), run.evidence({ isSoftware })),
    ).toMatchObject({
      reason,
      outcome,
    })
  })
})
