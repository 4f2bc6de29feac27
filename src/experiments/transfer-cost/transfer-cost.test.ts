/**
 * Checks what transfer-cost reads off runs with a known truth, what it concludes, and that it does
 * not where the effect is taken out.
 */
import { describe, expect, it } from 'vitest'
import { fitLine, withoutEach, worstError } from '../../base/line-fit'
import type { ParamValues } from '../experiment'
import { judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import { transferCost as declared } from './meta'
import { planTransfers } from './plan'
import { transferOf } from './variants'
import { rules } from './verdict.md'

const { experiment: transferCost, judged, supposed } = judging(declared, rules)
const MIB = 2 ** 20

describe('the line', () => {
  const sizes = [4096, 65_536, MIB, 16 * MIB, 64 * MIB]
  const on = (alphaNs: number, nsPerByte: number) =>
    sizes.map((bytes) => ({ bytes, ns: alphaNs + nsPerByte * bytes }))

  it('is found again from points that lie on it, whatever their scale', () => {
    for (const [alphaNs, nsPerByte] of [
      [2e5, 0.4],
      [1e8, 0.4],
      [10, 1e-4],
    ] as const) {
      const line = fitLine(on(alphaNs, nsPerByte))
      expect(line?.alphaNs).toBeCloseTo(alphaNs, -Math.log10(alphaNs) + 4)
      expect((line?.nsPerByte ?? 0) / nsPerByte).toBeCloseTo(1, 6)
      expect(line && worstError(line, on(alphaNs, nsPerByte))).toBeLessThan(1e-6)
    }
  })

  it('is as near to a small size as to a large one, by their own times', () => {
    const points = on(2e5, 0.4).map((point, at) => ({ ...point, ns: point.ns * (at % 2 === 0 ? 1.1 : 0.9) }))
    const line = fitLine(points)
    expect(line && worstError(line, points)).toBeLessThan(0.25)
    expect(withoutEach(points)).toHaveLength(points.length)
  })

  it('is none through one size, or through a time of nothing', () => {
    expect(fitLine([{ bytes: 1, ns: 1 }])).toBeNull()
    expect(fitLine(Array.from({ length: 3 }, () => ({ bytes: 4096, ns: 10 })))).toBeNull()
    expect(fitLine([...on(1, 1), { bytes: 8, ns: 0 }])).toBeNull()
  })
})

describe('the plan', () => {
  const asked = {
    sizes: ['64m', '4k', '1m', '64k', '16m', '4m'],
    pieces: 64,
    pieceBytes: 16_384,
    repeats: 5,
    seconds: 5,
  }

  it('is what was asked for where a wait is short, small transfers several times in a window', () => {
    const plan = planTransfers(asked, 0.2, 3, 2 ** 30)
    expect(plan).toMatchObject({
      pieces: 64,
      repeats: 5,
      sizes: ['4k', '64k', '1m', '4m', '16m', '64m'],
    })
    expect([...plan.transfers.values()].every((count) => count >= 1 && count <= 16)).toBe(true)
    expect(plan.transfers.get('up-4k')).toBe(16)
    expect(plan.transfers.get('down-64m')).toBe(1)
  })

  it('has fewer pieces where each wait takes 100 ms', () => {
    const plan = planTransfers(asked, 100, 8, 2 ** 30)
    expect(plan.pieces).toBeLessThanOrEqual(8)
    expect(plan.sizes).toHaveLength(asked.sizes.length)
    expect(plan.transfers.get('up-4k')).toBe(1)
  })

  it('leaves out what no buffer can hold', () => {
    const plan = planTransfers(asked, 0.2, 3, 8 * MIB)
    expect(plan.sizes).toEqual(['4k', '64k', '1m', '4m'])
    expect(planTransfers(asked, 0.2, 3, 1024).sizes).toEqual([])
    expect(planTransfers({ ...asked, pieceBytes: MIB }, 0.2, 3, 8 * MIB).pieces).toBe(8)
  })
})

interface Costs {
  readonly alphaMs: number
  readonly msPerMib: number
  /** ms of a piece that nobody waits for. */
  readonly pieceMs: number
  readonly noise: readonly number[]
  /** The time of a variant besides α and bytes. */
  readonly more: (variant: string) => number
}
const GPU: Costs = { alphaMs: 0.2, msPerMib: 0.4, pieceMs: 0.005, noise: [0, 0.01, 0.02], more: () => 0 }
const PIECES = 64

/** A run whose transfers take just as long as α, B and the size say. */
function evidenceOf(machine: Partial<Costs> = {}, params: ParamValues = {}, over: object = {}) {
  const { alphaMs, msPerMib, pieceMs, noise, more } = { ...GPU, ...machine }
  const values = transferCost.valuesOf(params)
  const run = new FakeRun()
  const allMib = (PIECES * values.pieceKiB) / 1024
  const msOf = (variant: string): number => {
    const bytes = transferOf(variant)?.bytes
    if (bytes !== undefined) return alphaMs + (bytes / MIB) * msPerMib
    if (variant === 'whole') return alphaMs + allMib * msPerMib
    const each = variant === 'pieces' ? pieceMs : alphaMs
    return allMib * msPerMib + PIECES * each + (variant === 'pieces' ? alphaMs : 0)
  }
  let now = 1
  noise.forEach((extra, repeat) => {
    for (const variant of transferCost.variants(values)) {
      const count = variant === 'up-4k' ? 10 : 1
      const took = count * (msOf(variant) + more(variant)) * (1 + extra)
      const waits = variant === 'pieces-awaited' ? PIECES * alphaMs : alphaMs
      run.host('host-work', 'any name', variant, repeat, now, now + took - waits * count, 'write')
      run.host('host-wait', 'any name', variant, repeat, now + took - waits * count, now + took, 'wait-done')
      run.window(variant, repeat, now, now + took)
      now += took + 1
    }
  })
  return run.evidence({
    params: values,
    derived: { pieces: PIECES, transfers: 'up-4k=10 up-64k=1' },
    deviceStepNs: null,
    ...over,
  })
}
const ran = (...machine: Parameters<typeof evidenceOf>) => judged(evidenceOf(...machine))

describe('its metrics', () => {
  const { value } = ran({ noise: [0, 0, 0] })

  it('are times and rates of one transfer, however many make a window', () => {
    expect(value('time-ms', 'up-4k')).toBeCloseTo(0.2 + 0.4 / 256, 6)
    expect(value('gb-per-s', 'up-64m')).toBeCloseTo((64 * MIB) / (0.2 + 64 * 0.4) / 1e6, 6)
    expect(value('rate-ratio', 'up-4k')).toBeCloseTo((0.2 + 64 * 0.4) / (0.2 + 0.4 / 256) / 16_384, 9)
    expect(value('rate-ratio', 'down-64m')).toBeNull()
    expect(value('time-ms', 'whole')).toBeCloseTo(0.6, 6)
    expect(value('slowdown', 'pieces-awaited')).toBeCloseTo(13.2 / 0.6, 6)
    expect(value('call-us', 'pieces-awaited')).toBeCloseTo(13.2e3 / 64, 3)
    expect(value('write-ms', 'up-4k')).toBeCloseTo(0.4 / 256, 6)
  })

  it('hold α and B of a run that has both', () => {
    for (const way of ['up', 'down']) {
      expect(value('latency-us', way)).toBeCloseTo(200, 3)
      expect(value('fitted-gb-per-s', way)).toBeCloseTo(MIB / 0.4 / 1e6, 5)
      expect(value('half-bytes', way)).toBeCloseTo(MIB / 2, -2)
      expect(value('line-error-ratio', way)).toBeLessThan(1e-6)
    }
  })
})

describe('the interval of the line', () => {
  const of = (name: string, ...run: Parameters<typeof ran>) => ran(...run).metric(name, 'up')

  it('holds what leaving one size out would give, however alike the repeats are', () => {
    const bent = { noise: [0, 0, 0], more: (variant: string) => (variant === 'up-1m' ? 0.2 : 0) }
    const alpha = of('latency-us', bent)
    expect(alpha?.low).toBeLessThan((alpha?.value ?? 0) * 0.99)
    const rate = of('fitted-gb-per-s', bent)
    expect(rate?.high).toBeGreaterThan(rate?.low ?? 0)
  })

  it('is none where the sizes lie on no line, or are too few, and says why', () => {
    expect(of('latency-us', { more: (variant) => (variant === 'up-4m' ? 30 : 0) })).toMatchObject({
      value: null,
      note: expect.stringContaining('do not lie on a line') as string,
    })
    expect(of('fitted-gb-per-s', {}, { sizes: ['4k', '1m', '64m'] })).toMatchObject({
      value: null,
      note: expect.stringContaining('fewer than 4 sizes') as string,
    })
  })

  it('gives no rate where ends are reported on a grid that hides it, and a wide one where it shows a little', () => {
    const grid = { alphaMs: 100, msPerMib: 1 }
    const over = { completionLatencyMs: 100 }
    expect(of('fitted-gb-per-s', grid, {}, over)).toMatchObject({
      value: null,
      note: expect.stringContaining('by what this browser reports') as string,
    })
    const wide = of('fitted-gb-per-s', { ...grid, msPerMib: 4 }, {}, over)
    expect(wide?.value).toBeGreaterThan(0)
    expect((wide?.high ?? 0) / (wide?.low ?? 1)).toBeGreaterThan(1.5)
  })
})

describe('its verdict', () => {
  it('is shown by a GPU, with the figures of the run', () => {
    const run = ran()
    expect(run.verdict).toMatchObject({ outcome: 'shown', reason: 'latency-decides' })
    expect(run.text).toContain('Without waits the pieces still took')
    expect(run.text).toContain('α = ⟨latency-us up⟩')
  })

  it('is not shown where a transfer costs nothing but its bytes', () => {
    expect(ran({ alphaMs: 1e-6, pieceMs: 0 }).verdict).toMatchObject({
      outcome: 'not-shown',
      reason: 'small-is-fast',
    })
  })

  it('is not shown where pieces are so large that waits do not matter', () => {
    expect(ran({}, { pieceKiB: 4096 }).verdict).toMatchObject({
      outcome: 'not-shown',
      reason: 'waits-cost-nothing',
    })
  })

  it('speaks of no line where there is none', () => {
    const text = ran({ more: (variant) => (variant === 'up-4m' ? 30 : 0) }).text
    expect(text).toContain('No single line fits the transfers to the device')
    expect(text).not.toContain('One line fits')
    expect(ran({}, {}, { isSoftware: true }).text).toContain('no bus is crossed')
  })

  const base = {
    'rate-ratio up-4k': 0.02,
    'time-ms whole': 1,
    'time-ms pieces': 1.2,
    'time-ms pieces-awaited': 10,
    'slowdown pieces-awaited': 10,
    'with-waits pieces-awaited': 8.3,
  }
  it.each([
    ['latency-decides', 'shown', {}],
    ['waits-cost-nothing', 'not-shown', { 'slowdown pieces-awaited': 1.1, 'time-ms pieces-awaited': 1.1 }],
    ['small-is-fast', 'not-shown', { 'rate-ratio up-4k': 0.7 }],
    [
      'pieces-not-waits',
      'not-shown',
      { 'time-ms pieces': [9, 9.8, 11] as const, 'with-waits pieces-awaited': [0.98, 1.02, 1.1] as const },
    ],
    ['pieces-cost', 'inconclusive', { 'time-ms pieces': [1, 10, 12] as const }],
    ['intervals-overlap', 'inconclusive', { 'rate-ratio up-4k': [0.1, 0.4, 0.8] as const }],
    ['intervals-overlap', 'inconclusive', { 'time-ms pieces-awaited': [0.9, 10, 12] as const }],
    ['nothing-to-compare', 'inconclusive', { 'rate-ratio up-4k': null }],
    ['nothing-to-compare', 'inconclusive', { 'slowdown pieces-awaited': null }],
  ] as const)('%s is %s', (reason, outcome, over) => {
    expect(supposed({ ...base, ...over }).verdict).toMatchObject({ reason, outcome })
  })
})
