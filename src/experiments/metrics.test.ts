import { describe, expect, it } from 'vitest'
import { findMetric } from '../trace/report'
import { judgeOverlappedUploads, measureOverlappedUploads } from './overlapped-uploads/metrics'
import { fakeMetrics, FakeRun } from './testing/fake-evidence'

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
