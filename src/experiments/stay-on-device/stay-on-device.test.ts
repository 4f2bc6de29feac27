/**
 * Checks what stay-on-device reads off runs with a known truth, what it concludes, and that it does
 * not where the effect is taken out.
 */
import { describe, expect, it } from 'vitest'
import { Machine } from '../../model/machine'
import { softwareCard, tripsAreFree, slowKernels, submitBlocks } from '../../model/testing/machines'
import { runOnModel } from '../../model/testing/run-on-model'
import { findMetric, type Report } from '../../trace/report'
import type { ParamValues } from '../experiment'
import { judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import { stayOnDevice as declared } from './meta'
import { rules } from './verdict.md'

const { experiment: stayOnDevice, supposed } = judging(declared, rules)
const VARIANTS = ['resident', 'scalar-back', 'round-trips']

const judged = (card = softwareCard, params: ParamValues = {}): Promise<Report> =>
  runOnModel(new Machine(card), declared.id, { matrixSize: 512, repeats: 3, ...params })

describe('its metrics', () => {
  const run = new FakeRun()
  for (const repeat of [0, 1, 2]) {
    const at = repeat * 100
    run.window('resident', repeat, at, at + 4).window('scalar-back', repeat, at + 10, at + 22)
    run.window('round-trips', repeat, at + 30, at + 54)
    for (const step of [0, 1, 2, 3]) {
      const from = at + 30 + 6 * step
      run.host('host-work', 'any name', 'round-trips', repeat, from, from + 1, 'write')
      run.pass('round-trips', repeat, step, from + 1, from + 2, 'any name', 1e9)
      run.host('host-wait', 'any name', 'round-trips', repeat, from + 1, from + 5, 'wait-map')
      run.host('host-work', 'any name', 'round-trips', repeat, from + 5, from + 6, 'read')
    }
  }
  const measured = (params: ParamValues = {}) =>
    stayOnDevice.measure(
      run.evidence({ params: { steps: 4, ...params }, derived: { matrixBytes: 100, steps: 4 } }),
    )
  const value = (name: string, variant: string, params: ParamValues = {}) =>
    findMetric(measured(params), name, variant)?.value

  it('are read off the trace, by role and not by name', () => {
    expect(value('step-ms', 'resident')).toBeCloseTo(1, 9)
    expect(value('slowdown', 'round-trips')).toBeCloseTo(6, 9)
    expect(value('slowdown', 'resident')).toBeUndefined()
    expect(value('write-ms', 'round-trips')).toBeCloseTo(1, 9)
    expect(value('stall-ms', 'round-trips')).toBeCloseTo(4, 9)
    expect(value('read-ms', 'round-trips')).toBeCloseTo(1, 9)
    // 8 of the 20 ms more than where results stay go with 4 bytes.
    expect(value('bytes-ratio', 'round-trips')).toBeCloseTo(0.6, 9)
    expect(value('bytes-ratio', 'round-trips', { when: 'end' })).toBeUndefined()
  })

  it.each([
    [{}, { held: [200, 200, 200], carried: [0, 16, 800] }],
    [{ keep: 'all' }, { held: [500, 500, 200], carried: [0, 16, 800] }],
    [{ when: 'end' }, { held: [200, 200, 200], carried: [0, 4, 800] }],
  ])('count bytes by what %j asks for', (params, { held, carried }) => {
    expect(VARIANTS.map((name) => value('held-bytes', name, params))).toEqual(held)
    expect(VARIANTS.map((name) => value('buffers', name, params))).toEqual(held.map((bytes) => bytes / 100))
    expect(VARIANTS.map((name) => value('carried-bytes', name, params))).toEqual(carried)
  })
})

describe('its verdict', () => {
  const base = {
    'step-ms resident': 1,
    'step-ms scalar-back': 3,
    'step-ms round-trips': 9,
    'slowdown scalar-back': 3,
    'slowdown round-trips': 9,
    'write-ms round-trips': 2,
    'stall-ms round-trips': 5,
    'read-ms round-trips': 1,
    'bytes-ratio round-trips': 0.75,
    'host-free-ratio resident': 0.95,
  }
  const baseWith = (over: Parameters<typeof supposed>[0]) =>
    supposed({ ...base, ...over }, { params: { steps: 8 } })
  const hidden = { 'step-ms round-trips': 1.1, 'slowdown round-trips': 1.1 }

  it.each([
    ['trips-dominate', 'shown', {}],
    ['layers-too-long', 'not-shown', hidden],
    ['host-bound', 'inconclusive', { 'host-free-ratio resident': 0.3 }],
    ['host-bound', 'inconclusive', { ...hidden, 'host-free-ratio resident': 0.3 }],
    ['not-the-trips', 'inconclusive', { 'write-ms round-trips': 0.1, 'stall-ms round-trips': 1 }],
    ['intervals-overlap', 'inconclusive', { 'step-ms round-trips': [0.9, 3, 9] as const }],
    ['intervals-overlap', 'inconclusive', { 'step-ms round-trips': 0.5, 'slowdown round-trips': 0.5 }],
    ['nothing-to-compare', 'inconclusive', { 'slowdown round-trips': null }],
    ['nothing-to-compare', 'inconclusive', { 'stall-ms round-trips': null }],
  ] as const)('%s is %s', (reason, outcome, over) =>
    expect(baseWith(over).verdict).toMatchObject({ reason, outcome }),
  )

  it('is not shown where trips cost nothing, nor where layers are long', async () => {
    expect((await judged(tripsAreFree)).verdict.outcome).not.toBe('shown')
    expect((await judged(slowKernels)).verdict).toMatchObject({
      outcome: 'not-shown',
      reason: 'layers-too-long',
    })
  })

  it('names the host where submit() blocks', async () => {
    expect((await judged(submitBlocks)).verdict).toMatchObject({
      outcome: 'inconclusive',
      reason: 'host-bound',
    })
  })

  it('tells the wait from the bytes only where the two are apart', () => {
    const text = (over: Parameters<typeof supposed>[0]) => baseWith(over).text
    expect(text({})).toContain('The bytes cost more than the wait')
    expect(text({ 'bytes-ratio round-trips': 0.2 })).toContain('The wait costs more than the bytes')
    const alike = text({ 'step-ms scalar-back': [8, 9, 10] as const })
    expect(alike).toContain('We can’t tell the bytes from the wait')
    expect(alike).not.toMatch(/more than the (wait|bytes)/)
    expect(text({ 'step-ms scalar-back': 12 })).not.toContain('the bytes from the wait')
  })
})
