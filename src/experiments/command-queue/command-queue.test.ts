/**
 * Metrics against a truth that was put in, and verdicts: what they need, and that they claim
 * nothing where the effect is taken out.
 */
import { describe, expect, it } from 'vitest'
import { judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import type { Evidence } from '../run-types'
import type { ParamValues } from '../experiment'
import { commandQueue as declared, LAUNCHES } from './meta'
import { rules } from './verdict.md'

const { judged, supposed } = judging(declared, rules)
const [STEPS, KERNELS, ROUND_TRIP_MS] = [4, 8, 3]

/** µs that a launch adds to a kernel of 5 µs. */
type Costs = Readonly<Record<(typeof LAUNCHES)[number], number>>
const COSTS: Costs = { 'one-pass': 0, passes: 2, 'command-buffers': 3, submits: 35 }
const FREE: Costs = { 'one-pass': 0, passes: 0, 'command-buffers': 0, submits: 0 }

interface Machine {
  readonly costs?: Costs
  readonly kernelUs?: number
  readonly stamped?: boolean
  readonly deviceStepNs?: number
  readonly noise?: readonly number[]
  readonly params?: ParamValues
  readonly software?: boolean
  readonly steps?: number
}

/** Each window: one span for a step in one pass, else one for each kernel. */
function evidenceOf(machine: Machine = {}): Evidence {
  const { costs = COSTS, kernelUs = 5, stamped = true, noise = [0, 0.01, 0.02], steps = STEPS } = machine
  const params = { steps, kernels: KERNELS, ...machine.params }
  const run = new FakeRun()
  let now = 1
  noise.forEach((extra, repeat) => {
    for (const variant of LAUNCHES) {
      const from = now
      const eachMs = ((kernelUs + costs[variant]) * (1 + extra)) / 1e3
      for (let step = 0; step < steps; step += 1) {
        run.host('encode', 'encode', variant, repeat, now, now + 0.001)
        run.host('submit', 'submit', variant, repeat, now + 0.001, now + 0.003)
        run.depth(now, step + 1)
        const stamp = (startMs: number, endMs: number) => {
          if (stamped) run.pass(variant, repeat, step, startMs, endMs, 'kernel')
        }
        if (variant === 'one-pass') stamp(now, now + eachMs * KERNELS)
        else
          for (let kernel = 0; kernel < KERNELS; kernel += 1)
            stamp(now + eachMs * kernel, now + eachMs * kernel + (kernelUs * (1 + extra)) / 1e3)
        now += eachMs * KERNELS
      }
      now += ROUND_TRIP_MS / 3
      run.window(variant, repeat, from, now)
      now += 1
    }
  })
  return run.evidence({
    params,
    derived: {
      kernels: KERNELS,
      steps,
      roundTripMs: ROUND_TRIP_MS,
      calibratedKernelUs: kernelUs,
    },
    isSoftware: machine.software ?? false,
    deviceStepNs: stamped ? (machine.deviceStepNs ?? 1) : null,
  })
}
const ran = (machine?: Machine) => judged(evidenceOf(machine))

describe('its metrics', () => {
  it('are read off long stretches of the device’s clock', () => {
    const { value, metric } = ran({ noise: [0, 0, 0] })
    // The last kernel has no gap after it.
    expect(value('kernel-us', 'submits')).toBeCloseTo((32 * 40 - 35) / 32, 6)
    expect(value('kernel-us', 'one-pass')).toBeCloseTo(5, 6)
    expect(value('device-slowdown', 'submits')).toBeCloseTo((32 * 40 - 35) / 32 / 5, 6)
    expect(value('host-us', 'submits')).toBeCloseTo((3 * STEPS) / (STEPS * KERNELS), 6)
    expect(metric('device-slowdown', 'one-pass')).toBeUndefined()
  })

  it('bound what a coarse clock may have moved: the interval holds the truth', () => {
    const { metric } = ran({ noise: [0, 0, 0], deviceStepNs: 65_536, params: { steps: 16 }, steps: 16 })
    const slower = metric('device-slowdown', 'submits')
    expect(slower?.low).toBeLessThan(7.9)
    expect(slower?.high).toBeGreaterThan(8)
  })

  it('by the host’s clock, hold what a late report may have moved, and nothing is told of a window that a report outlasts', () => {
    const long = ran({ stamped: false, steps: 256, params: { steps: 256 } })
    const slower = long.metric('slowdown', 'submits')
    expect(slower?.low).toBeLessThan(8)
    expect(slower?.high).toBeGreaterThan(8)
    const short = ran({ stamped: false })
    expect(short.value('slowdown', 'submits')).toBeNull()
    expect(short.metric('slowdown', 'submits')?.note).toContain('too seldom')
    expect(short.verdict).toMatchObject({ outcome: 'inconclusive', reason: 'nothing-to-compare' })
  })
})

describe('its verdict', () => {
  const base = {
    'device-slowdown submits': 8,
    'kernel-us one-pass': 5,
    'kernel-us passes': 7,
    'kernel-us command-buffers': 8,
    'kernel-us submits': 40,
    'host-us submits': 15,
  }
  const none = Object.fromEntries(Object.keys(base).map((key) => [key, null]))
  it.each([
    ['submits-cost', 'shown', {}],
    ['passes-cost-as-much', 'not-shown', { 'kernel-us command-buffers': [36, 40, 44] as const }],
    // That two intervals meet does not make them alike.
    ['which-of-them', 'inconclusive', { 'kernel-us command-buffers': [20, 30, 44] as const }],
    ['hardly-slower', 'not-shown', { 'device-slowdown submits': [0.9, 1.05, 1.2] as const }],
    ['intervals-overlap', 'inconclusive', { 'device-slowdown submits': [0.9, 2, 4] as const }],
    ['nothing-to-compare', 'inconclusive', none],
    ['nothing-to-compare', 'inconclusive', { ...none, 'step-ms submits': 100, 'step-ms one-pass': 100 }],
  ] as const)('%s is %s', (reason, outcome, over) => {
    const { verdict } = supposed({ ...base, ...over }, { derived: { calibratedKernelUs: 5 } })
    expect(verdict).toMatchObject({ reason, outcome })
  })

  it('is shown by a GPU, with the figures of the run', () => {
    const { verdict, text } = ran()
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'submits-cost' })
    expect(verdict.text).toMatch(
      /took 7\.\d+ times as long as in one pass\. The GPU started a kernel every 39(\.\d)? µs/,
    )
    expect(text).not.toContain('software')
    expect(ran({ software: true }).text).toContain('software adapter')
  })

  it('is not shown where launches cost nothing, nor where kernels are so long that they hide it', () => {
    expect(ran({ costs: FREE }).verdict).toMatchObject({ outcome: 'not-shown', reason: 'hardly-slower' })
    const long = ran({ kernelUs: 2000 })
    expect(long.verdict).toMatchObject({ outcome: 'not-shown', reason: 'hardly-slower' })
    expect(long.verdict.text).toContain('longer than its launch takes')
    const alike = ran({ costs: { ...COSTS, 'command-buffers': 35 } })
    expect(alike.verdict).toMatchObject({ outcome: 'not-shown', reason: 'passes-cost-as-much' })
  })

  it('without timestamps is the same, from the host alone, and speaks of no pass and no idle time', () => {
    const blind = ran({ stamped: false, steps: 256, params: { steps: 256 } })
    expect(blind.verdict).toMatchObject({ outcome: 'shown', reason: 'submits-cost' })
    expect(blind.verdict.text).toContain('by the host’s clock')
    expect(blind.text).not.toMatch(/\bidle\b|started/)
  })
})
