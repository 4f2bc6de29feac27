/**
 * Checks what async-submission reads off runs with a known truth, what it concludes, and that it
 * does not where the effect is taken out.
 */
import { describe, expect, it } from 'vitest'
import { Machine } from '../../model/machine'
import { softwareCard, submitBlocks } from '../../model/testing/machines'
import { runOnModel } from '../../model/testing/run-on-model'
import { findMetric } from '../../trace/report'
import { explainedBy, judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import { asyncSubmission as declared } from './meta'
import { rules } from './verdict.md'

const { experiment: asyncSubmission, supposed } = judging(declared, rules)

async function judged(card = softwareCard, programOf: Readonly<Record<string, string>> = {}) {
  const params = { kernelMs: 2, steps: 16, repeats: 3 }
  const report = await runOnModel(new Machine(card), declared.id, params, programOf)
  return { ...report, text: explainedBy(asyncSubmission, report) }
}

describe('its metrics', () => {
  const run = new FakeRun()
  for (const repeat of [0, 1, 2]) {
    const at = repeat * 100
    run.window('queued', repeat, at, at + 20)
    for (const step of [0, 1, 2, 3]) {
      run.host('encode', 'any', 'queued', repeat, at + step * 0.3, at + step * 0.3 + 0.1)
      run.host('submit', 'any', 'queued', repeat, at + step * 0.3 + 0.1, at + step * 0.3 + 0.2)
      // Passes of 4 ms with 0.5 ms between: the device is busy for 16 of 17.5 ms.
      run.pass('queued', repeat, step, at + 1 + step * 4.5, at + 5 + step * 4.5, 'any', 1e9)
      run.depth(at + step * 0.3 + 0.2, step + 1)
    }
  }
  const metrics = asyncSubmission.measure(run.evidence({ params: { steps: 4 } }))
  const value = (name: string) => findMetric(metrics, name, 'queued')?.value

  it('are read off the trace', () => {
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
})

describe('its verdict', () => {
  const good = {
    'host-free-ratio queued': 0.95,
    'submit-us queued': 5,
    'encode-us queued': 10,
    'kernel-ms queued': 2,
    'step-ms queued': 2,
    'step-ms await-each': 3,
    'queue-depth-max queued': 20,
  }
  it.each([
    ['host-runs-ahead', 'shown', {}],
    ['submit-blocked', 'not-shown', { 'submit-us queued': 1900 }],
    ['kernel-too-short', 'inconclusive', { 'kernel-ms queued': 0.02 }],
    ['no-difference', 'not-shown', { 'host-free-ratio queued': 0.3 }],
    ['queue-stayed-empty', 'not-shown', { 'queue-depth-max queued': 1 }],
    ['intervals-overlap', 'inconclusive', { 'host-free-ratio queued': [0.4, 0.6, 0.7] as const }],
    ['nothing-to-compare', 'inconclusive', { 'host-free-ratio queued': null }],
  ] as const)('%s is %s', (reason, outcome, over) => {
    const { verdict } = supposed({ ...good, ...over }, { params: { steps: 48 } })
    expect(verdict).toMatchObject({ reason, outcome })
  })

  it('is not where submit() blocks for the time of the kernel, nor where the queued variant waits for each step', async () => {
    expect((await judged(submitBlocks)).verdict).toMatchObject({
      outcome: 'not-shown',
      reason: 'submit-blocked',
    })
    const waits = await judged(softwareCard, { queued: 'await-each' })
    expect(waits.verdict).toMatchObject({ outcome: 'not-shown', reason: 'queue-stayed-empty' })
  })
})
