/**
 * Checks what pipeline-bubble reads off runs with a known truth, what it concludes, and that it
 * does not where the effect is taken out.
 */
import { describe, expect, it } from 'vitest'
import type { ParamValues } from '../experiment'
import type { Evidence } from '../run-types'
import { judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import { pipelineBubble as declared } from './meta'
import { bubbleOf, GPIPE, keptKey, layersOf, slotsOf, scheduledOf } from './variants'
import { rules } from './verdict.md'

const { experiment: pipelineBubble, judged } = judging(declared, rules)
const BUSY_MS = 20

interface Machine {
  /** Idle share, instead of the model's. */
  readonly idle: (variant: NonNullable<ReturnType<typeof scheduledOf>>, model: number) => number
  readonly noise: readonly number[]
  readonly params: ParamValues
  readonly derived: Evidence['derived']
}

/** A run whose ranks are each busy for 20 ms in each window. */
function ran(machine: Partial<Machine> = {}) {
  const { idle, noise, params, derived }: Machine = {
    idle: (_, model) => model,
    noise: [0, 0.005, 0.01],
    params: {},
    derived: {},
    ...machine,
  }
  const values = pipelineBubble.valuesOf(params)
  const { ranks, stages } = values
  const layers = layersOf(stages, ranks)
  const run = new FakeRun()
  const counts: Record<string, string> = {}
  let now = 1
  noise.forEach((extra, repeat) => {
    for (const name of pipelineBubble.variants(values)) {
      const variant = scheduledOf(name)
      if (!variant) throw new Error(name)
      const { schedule, microBatches } = variant
      const took = BUSY_MS / (1 - idle(variant, bubbleOf(schedule, layers, microBatches)) - extra)
      for (let rank = 0; rank < ranks; rank += 1)
        run.host('host-work', 'any name', name, repeat, now, now + BUSY_MS, 'compute')
      run.host('collective', 'any name', name, repeat, now, now + 1, 'recv')
      run.window(name, repeat, now, now + took)
      const kept = layers.map((_, rank) =>
        schedule === GPIPE ? microBatches : Math.min(microBatches, ranks - rank),
      )
      counts[keptKey(name)] = kept.join(' ')
      now += took + 1
    }
  })
  return judged(
    run.evidence({
      params: values,
      hostStepNs: 100,
      derived: {
        cores: 16,
        ranksStarted: ranks,
        sharesMemory: 1,
        rankClockBoundUs: 0.1,
        ...counts,
        ...derived,
      },
    }),
  )
}

describe('its metrics', () => {
  it('hold the idle share of all ranks, beside the model’s', () => {
    const { metric } = ran({ noise: [0, 0, 0] })
    for (const [variant, share] of [
      ['gpipe-1', 3 / 4],
      ['1f1b-8', 3 / 11],
      ['gpipe-32', 3 / 35],
    ] as const) {
      expect(metric('bubble-ratio', variant)?.value).toBeCloseTo(share, 9)
      expect(metric('predicted-ratio', variant)?.value).toBeCloseTo(share, 9)
      expect(metric('step-ms', variant)?.value).toBeCloseTo(BUSY_MS / (1 - share), 6)
    }
  })

  it('hold what the rank keeps that keeps most', () => {
    const { metric } = ran()
    expect(metric('kept', 'gpipe-32')?.value).toBe(32)
    expect(metric('kept', '1f1b-32')?.value).toBe(4)
  })

  it('have no bubble where ranks share too few cores, and say why', () => {
    const bubble = (cores: number) => ran({ derived: { cores } }).metric('bubble-ratio', 'gpipe-8')
    expect(bubble(5)?.value).not.toBeNull()
    expect(bubble(4)).toMatchObject({ value: null, note: 'the ranks share too few cores' })
  })
})

describe('its verdict', () => {
  it('is shown where the share falls as the model says, and names what each schedule keeps', () => {
    const { verdict, text } = ran()
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'bubble-shrinks' })
    expect(verdict.text).toContain('of the step with 1 micro-batch')
    expect(text).toContain('1F1B keeps fewer activations. Its wait shows no difference.')
    expect(text).not.toContain('Cutting too fine')
  })

  it('says where cutting finer stopped helping', () => {
    const { verdict, text } = ran({
      idle: ({ microBatches }, model) => model + 0.01 * microBatches,
    })
    expect(verdict.reason).toBe('bubble-shrinks')
    expect(text).toMatch(/step was shortest with 16 micro-batches/)
  })

  it('is shown with uneven stages too', () =>
    expect(ran({ params: { stages: 'uneven' } }).verdict.outcome).toBe('shown'))

  it.each([
    ['too-few-cores', 'inconclusive', { derived: { cores: 2 } }],
    ['no-ranks', 'inconclusive', { derived: { ranksStarted: 0, noRanks: 'refused' } }],
    // The effect is taken out: nobody waits, or all wait for as long, whatever the batch is cut
    // into.
    ['too-noisy', 'inconclusive', { idle: () => 0.02 }],
    ['too-noisy', 'inconclusive', { idle: () => 0.5 }],
    ['too-noisy', 'inconclusive', { noise: [0, 0.1, -0.6], idle: () => 0.4 }],
    ['bubble-grows', 'not-shown', { idle: ({ microBatches }) => 0.2 + microBatches / 64 }],
    ['off-model', 'not-shown', { idle: (_, model) => model / 2 }],
    ['nothing-to-compare', 'inconclusive', { params: { microBatches: ['4'] } }],
  ] as const satisfies readonly (readonly [string, string, Partial<Machine>])[])(
    '%s is %s',
    (reason, outcome, machine) => {
      const { verdict, text } = ran(machine)
      expect(verdict).toMatchObject({ outcome, reason })
      expect(text).not.toMatch(/undefined|NaN|\[object/)
      if (reason === 'no-ranks') expect(verdict.text).toContain('refused')
      if (reason === 'too-few-cores') {
        expect(verdict.text).toMatch(/^4 ranks need 5 logical cores/)
        expect(text).toContain('1F1B keeps fewer activations')
      }
    },
  )
})

it('counts the slots of any order of passes, and none where a pass comes before what it needs', () => {
  const [forward, back] = [
    { isBack: false, index: 0 },
    { isBack: true, index: 0 },
  ]
  const right = [forward, back]
  expect(slotsOf([right, right])).toBe(2)
  expect(slotsOf([right.toReversed(), right])).toBeNull()
})
