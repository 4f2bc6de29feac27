/**
 * Checks what staging-buffers reads off runs with a known truth, what it concludes, and that it
 * does not where the effect is taken out.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { openFakeContext } from '../../gpu/testing/fake-device'
import { findMetric } from '../../trace/report'
import { judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import { stubWebGpu } from '../testing/tiny'
import { stagingBuffers as declared } from './meta'
import { mostSteps, sizeBatch } from './sizes'
import { rules } from './verdict.md'
import { windowMs } from './prepare'

const { experiment: stagingBuffers, judged, supposed } = judging(declared, rules)
const STEPS = 4
const BYTES = 4096

beforeEach(stubWebGpu)

interface Timed {
  /** Time of a batch by variant, ms. */
  readonly batchMs: Readonly<Record<string, number>>
  readonly spread?: number
}
/**
 * Three repeats; of each batch the host fills for 1 ms, waits for 2, and the buffer is in flight
 * for 3.
 */
function measured({ batchMs, spread = 0.01 }: Timed, over: Parameters<FakeRun['evidence']>[0] = {}) {
  const run = new FakeRun()
  let at = 0
  for (const repeat of [0, 1, 2])
    for (const [name, ms] of Object.entries(batchMs)) {
      const until = at + STEPS * ms * (1 + repeat * spread)
      run.window(name, repeat, at, until)
      for (let step = 0; step < STEPS; step += 1) {
        const begun = at + step * ms
        if (name === 'write-buffer')
          run.host('host-work', 'any', name, repeat, begun, begun + 0.5, 'write', BYTES)
        else run.host('host-work', 'any', name, repeat, begun, begun + 0.25, 'fill', BYTES)
        if (name === 'mapped-at-creation')
          run.host('host-work', 'any', name, repeat, begun, begun + 0.125, 'create', BYTES)
        if (name !== 'write-buffer')
          run.host('staging-in-flight', 'any', name, repeat, begun + 0.25, begun + 0.75, 'none', BYTES)
        if (name === 'reused')
          run.host('host-wait', 'any', name, repeat, begun, begun + 0.125, 'wait-staging')
      }
      at = until + 1
    }
  return judged(
    run.evidence({
      params: stagingBuffers.valuesOf({ steps: STEPS }),
      derived: { batchBytes: BYTES, roundTripMs: 0.1, steps: STEPS },
      ...over,
    }),
  )
}
const GPU = { 'write-buffer': 4, 'mapped-at-creation': 5, reused: 2, 'ring-2': 1 }

describe('its metrics', () => {
  const { metrics } = measured({ batchMs: GPU, spread: 0 })
  it.each([
    ['speedup', 'ring-2', 4],
    ['speedup', 'mapped-at-creation', 0.8],
    ['step-ms', 'write-buffer', 4],
    ['create-ms', 'mapped-at-creation', 0.125],
    ['fill-ms', 'reused', 0.25],
    ['stall-ms', 'reused', 0.125],
    ['flight-ms', 'ring-2', 0.5],
    ['copies', 'write-buffer', 1],
    ['copies', 'ring-2', 2],
    ['hidden-copies', 'write-buffer', 2],
    ['hidden-copies', 'reused', 1],
    ['batch-bytes', '', BYTES],
  ])('%s of %s is read off the trace, by role and not by name', (name, variant, value) =>
    expect(findMetric(metrics, name, variant)?.value).toBeCloseTo(value, 9),
  )

  it('say of the copies that nobody counted that they are inferred, and a bound', () => {
    expect(findMetric(metrics, 'hidden-copies', 'ring-2')?.note).toMatch(/^up to; inferred/)
    const unrecorded = stagingBuffers.measure({
      ...new FakeRun().window('write-buffer', 0, 0, 4).evidence({ derived: { batchBytes: BYTES } }),
    })
    expect(findMetric(unrecorded, 'copies', 'write-buffer')).toMatchObject({ value: null })
  })

  it('are those of the variants that were asked for', () => {
    expect(stagingBuffers.variants({ rings: ['4', '8'] }).slice(4)).toEqual(['ring-4', 'ring-8'])
    expect(findMetric(metrics, 'speedup', 'write-buffer')).toBeUndefined()
    expect(findMetric(metrics, 'loader-ms', 'ring-2')?.note).toBe('this did not happen in the run')
  })
})

describe('its verdict', () => {
  it('is not shown where every way takes as long, or the ring longer', () => {
    const same = { 'write-buffer': 4, 'mapped-at-creation': 4, reused: 4, 'ring-2': 4 }
    expect(measured({ batchMs: same }).verdict).toMatchObject({
      outcome: 'not-shown',
      reason: 'no-difference',
    })
    const slow = measured({ batchMs: { ...GPU, 'ring-2': 8 } })
    expect(slow.verdict).toMatchObject({ outcome: 'not-shown', reason: 'written-faster' })
  })

  it('says the two times that it compares where a third was not measured', () => {
    const { verdict } = measured({ batchMs: { 'write-buffer': 4, reused: 2, 'ring-2': 1 } })
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'ring-pays' })
    expect(verdict.text).toMatch(
      /A batch took 4.04 ms with writeBuffer\(\), and 1.01 ms through a ring of two\.$/,
    )
  })

  it('tells the ring from one buffer that is used again', () => {
    const ring = measured({ batchMs: GPU })
    expect(ring.verdict).toMatchObject({ outcome: 'shown', reason: 'ring-pays' })
    expect(ring.verdict.text).toMatch(
      /^A ring of two was 4(\.0)? times as fast as writeBuffer\(\)\. A batch took 4\.04 ms with/,
    )
    expect(ring.text).toContain('because one is filled while the other is on its way')
    const one = measured({ batchMs: { ...GPU, 'ring-2': 2 } }, { isSoftware: true })
    expect(one.verdict).toMatchObject({ outcome: 'shown', reason: 'reuse-pays' })
    expect(one.text).toContain('share the cores of one CPU')
  })

  it('concludes nothing where the report of an end takes as long as two batches', () => {
    const derived = { batchBytes: BYTES, steps: STEPS, roundTripMs: 100 }
    const late = measured(
      { batchMs: { ...GPU, 'write-buffer': 100, reused: 100, 'ring-2': 50 } },
      { derived },
    )
    expect(late.verdict).toMatchObject({ outcome: 'inconclusive', reason: 'reported-late' })
    const small = measured({ batchMs: { ...GPU, reused: 100, 'ring-2': 50 } }, { derived })
    expect(small.verdict).toMatchObject({ outcome: 'not-shown', reason: 'written-faster' })
    expect(small.verdict.text).toContain('a ring waits for that')
  })

  const base = { 'step-ms write-buffer': 4, 'step-ms reused': 2, 'step-ms ring-2': 1, 'speedup ring-2': 4 }
  const baseWith = (over: Parameters<typeof supposed>[0]) =>
    supposed({ ...base, ...over }, { derived: { roundTripMs: 0.1 } })
  it.each([
    ['ring-pays', 'shown', {}],
    [
      'intervals-overlap',
      'inconclusive',
      { 'speedup ring-2': [0.5, 2, 5] as const, 'step-ms ring-2': [0.9, 2, 6] as const },
    ],
    ['intervals-overlap', 'inconclusive', { 'step-ms reused': [0.5, 2, 5] as const }],
    ['nothing-to-compare', 'inconclusive', { 'speedup ring-2': null, 'step-ms ring-2': null }],
  ] as const)('%s is %s', (reason, outcome, over) => {
    expect(baseWith(over).verdict).toMatchObject({ reason, outcome })
  })

  it.each([
    ['whether keeping a buffer or adding the second one did it', { 'step-ms reused': [0.5, 2, 5] }],
    [
      'by less than we count as a gain',
      { 'speedup ring-2': [1.05, 1.1, 1.2], 'step-ms ring-2': [3.5, 3.6, 3.7] },
    ],
    ['tell the ring from writeBuffer()', { 'speedup ring-2': [0.5, 2, 5], 'step-ms ring-2': [0.9, 2, 6] }],
  ] as const)('says of what is undecided only what the intervals leave open: %s', (words, over) => {
    const { reason, text } = baseWith(over).verdict
    expect(reason).toBe('intervals-overlap')
    expect(text).toContain(words)
  })

  it.each([
    ['filling took as long as in a kept buffer', [4, 4.65, 5], [4, 4.5, 5]],
    ['maps in each page at its first touch', [8, 9, 10], [4, 4.5, 5]],
  ] as const)('says what new memory costs: %s', (words, fresh, used) => {
    const over = {
      'step-ms mapped-at-creation': 12,
      'create-ms mapped-at-creation': 3,
      'fill-ms mapped-at-creation': fresh,
      'fill-ms reused': used,
    }
    expect(baseWith(over).text).toContain(words)
  })

  it.each([
    [[0.5, 0.5, 0.5], 'faster still'],
    [[0.9, 1, 1.2], 'showed no gain'],
    [[2, 2, 2], 'was slower'],
  ] as const)('says whether a deeper ring helped: %j', (deeper, words) => {
    expect(baseWith({ 'step-ms ring-8': deeper }).text).toContain(words)
  })
})

describe('its sizes', () => {
  it('bound what is queued, and count the wait for a buffer', () => {
    expect(mostSteps(12, 2 ** 25)).toBe(12)
    expect(mostSteps(12, 2 ** 30)).toBe(2)
    const times = { writeMs: 4, loaderMs: 1, roundTripMs: 100 }
    expect(['write-buffer', 'reused', 'ring-2'].map((name) => windowMs(name, 10, times))).toEqual([
      150, 1140, 620,
    ])
  })

  it('grow until a write takes long, and not beyond the device', async () => {
    const { context } = openFakeContext()
    const { batchBytes } = await context.use(() => sizeBatch(context, 0))
    expect(batchBytes).toBeGreaterThanOrEqual(2 ** 20)
    expect(batchBytes).toBeLessThanOrEqual(2 ** 25)
  })
})
