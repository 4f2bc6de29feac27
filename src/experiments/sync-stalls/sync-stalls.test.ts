/** Checks what sync-stalls reads off runs with a known truth, and what it concludes. */
import { describe, expect, it } from 'vitest'
import { Machine } from '../../model/machine'
import { softwareCard, submitBlocks } from '../../model/testing/machines'
import { runOnModel } from '../../model/testing/run-on-model'
import { findMetric, type Report } from '../../trace/report'
import type { ParamValues } from '../experiment'
import { quoted, explainedBy, judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import { syncStalls as declared } from './meta'
import { rules } from './verdict.md'

const { experiment: syncStalls, supposed } = judging(declared, rules)

const runs = new Map<string, Promise<Report>>()
/** Runs once for all that ask for the same. */
async function judged(card = softwareCard, params: ParamValues = {}): Promise<Report> {
  const key = JSON.stringify([card, params])
  const run = runs.get(key) ?? runOnModel(new Machine(card), declared.id, { repeats: 3, ...params })
  runs.set(key, run)
  return await run
}
const explained = (report: Report) => explainedBy(syncStalls, report, report.verdict)
const valueIn = ({ metrics }: Pick<Report, 'metrics'>, name: string, variant: string) =>
  findMetric(metrics, name, variant)?.value ?? Number.NaN

describe('its metrics', () => {
  const run = new FakeRun()
  for (const repeat of [0, 1, 2]) {
    const at = repeat * 100
    run.window('never', repeat, at, at + 8)
    run.window('every-step', repeat, at + 50, at + 70)
    for (const step of [0, 1, 2, 3]) {
      const [plain, from] = [at + 2 * step, at + 50 + 5 * step]
      run.pass('never', repeat, step, plain, plain + 1, 'any name', 1e9)
      run.host('host-work', 'any name', 'never', repeat, plain, plain + 2, 'compute')
      run.pass('every-step', repeat, step, from, from + 1, 'any name', 1e9)
      run.host('host-wait', 'any name', 'every-step', repeat, from, from + 3, 'wait-map')
      run.host('host-work', 'any name', 'every-step', repeat, from + 3, from + 5, 'compute')
    }
  }
  const params = { steps: 4 }

  it('are the parts of a step, by role and not by name, and add up', () => {
    const metrics = syncStalls.measure(run.evidence({ params }))
    const value = (name: string, variant: string) => valueIn({ metrics }, name, variant)
    expect(value('device-busy-ratio', 'every-step')).toBeCloseTo(4 / 16, 9)
    expect(value('slowdown', 'every-step')).toBeCloseTo(2.5, 9)
    expect(value('device-ms', 'never')).toBeCloseTo(1, 9)
    expect(value('step-ms', 'every-step')).toBeCloseTo(5, 9)
    expect(value('host-ms', 'every-step') + value('stall-ms', 'every-step')).toBeCloseTo(5, 9)
    expect(findMetric(metrics, 'slowdown', 'never')).toBeUndefined()
    expect(findMetric(metrics, 'stall-ms', 'never')).toBeUndefined()
  })

  it('count the steps that were run, where these are fewer than asked for', () => {
    const evidence = run.evidence({ params: { steps: 32 }, derived: { steps: 4 } })
    expect(valueIn({ metrics: syncStalls.measure(evidence) }, 'step-ms', 'never')).toBeCloseTo(2, 9)
  })
})

describe('a modelled GPU', () => {
  const within = (value: number, [low, high]: readonly [number, number]) => {
    expect(value).toBeGreaterThan(low)
    expect(value).toBeLessThan(high)
  }

  it.each([
    ['equal', {}, 'shown'],
    ['a slow host', { hostMs: 20, steps: 12 }, 'not-shown'],
    ['long kernels', { kernelMs: 0.5, steps: 12 }, 'not-shown'],
  ] as const)(
    'with a read, a step takes host, device and delay; without it, the longer of the two: %s',
    async (_, params, outcome) => {
      const report = await judged(softwareCard, params)
      const of = (name: string, variant: string) => valueIn(report, name, variant)
      const longer = Math.max(of('host-ms', 'never'), of('device-ms', 'never'))
      within(of('step-ms', 'never') / longer, [1, 1.1])
      const parts = of('host-ms', 'every-step') + of('stall-ms', 'every-step')
      within(of('step-ms', 'every-step') / parts, [1, 1.05])
      expect(of('stall-ms', 'every-step')).toBeGreaterThan(of('device-ms', 'every-step'))
      expect(report.verdict.outcome).toBe(outcome)
    },
  )

  it('gains most without the read where host and device work equally long', async () => {
    const gains = [] as number[]
    for (const hostMs of [0.2, 2, 20])
      gains.push(valueIn(await judged(softwareCard, { hostMs, steps: 12 }), 'slowdown', 'every-step'))
    expect(Math.max(...gains)).toBe(gains[1])
  })
})

describe('its verdict', () => {
  const base = {
    'step-ms never': 2.1,
    'step-ms every-step': 5,
    'slowdown every-step': 2.4,
    'host-ms never': 2,
    'host-ms every-step': 2,
    'device-ms never': 2,
    'device-ms every-step': 2,
    'stall-ms every-step': 2.9,
  }
  const slowHost = { 'step-ms never': 20.1, 'host-ms never': 20, 'host-ms every-step': 20 }
  it.each([
    ['reads-expose-the-host', 'shown', {}],
    ['something-else', 'inconclusive', { 'step-ms never': 4 }],
    ['not-the-reads', 'inconclusive', { 'stall-ms every-step': 0.2 }],
    ['gain-is-small', 'not-shown', { ...slowHost, 'step-ms every-step': 23, 'slowdown every-step': 1.14 }],
    ['intervals-overlap', 'inconclusive', { 'step-ms every-step': [2, 2.2, 2.4] as const }],
    ['intervals-overlap', 'inconclusive', { 'step-ms every-step': 1, 'slowdown every-step': 0.5 }],
    ['nothing-to-compare', 'inconclusive', { 'slowdown every-step': null }],
    ['nothing-to-compare', 'inconclusive', { 'stall-ms every-step': null }],
  ] as const)('%s is %s', (reason, outcome, over) => {
    const { verdict } = supposed({ ...base, ...over }, { params: { steps: 4 } })
    expect(verdict).toMatchObject({ reason, outcome })
  })

  it('says what takes most of the step where the reads cost little', async () => {
    expect(explained(await judged(softwareCard, { hostMs: 20, steps: 12 }))).toContain('The host takes most')
    expect(explained(await judged(softwareCard, { kernelMs: 0.5, steps: 12 }))).toContain('The device takes')
  })

  it('is not shown where submit() blocks', async () => {
    const { verdict } = await judged(submitBlocks)
    expect(verdict).toMatchObject({ outcome: 'inconclusive', reason: 'something-else' })
  })

  it('praises fewer reads only where their steps are shorter, of the variants that were run', async () => {
    const seldom = explained(await judged(softwareCard, { every: ['never', 'every-16', 'every-4'] }))
    expect(seldom).toContain('Steps can share one read')
    expect(seldom).toContain(quoted('step-ms', 'every-16'))
    expect(seldom).not.toContain('every-step')
  })
})
