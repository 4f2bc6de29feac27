/**
 * Checks what tensor-residence reads off runs with a known truth, how it sizes them, and that it
 * concludes nothing where the effect is taken out.
 */
import { describe, expect, it } from 'vitest'
import { GATHER_WORDS, gatherPosition } from '../../gpu/kernels/data/gather'
import { randomWord } from '../../gpu/kernels/pcg'
import { keptWord, wrongWords } from '../../lab/random-tensor'
import { findMetric } from '../../trace/report'
import type { ParamValues } from '../experiment'
import { MAX_QUEUED_MS } from '../sizing'
import { judging } from '../testing/explained-by'
import { FakeRun } from '../testing/fake-evidence'
import { tensorResidence as declared } from './meta'
import { hostWordMs, mostWords, tensorWords } from './sizes'
import { rules } from './verdict.md'
import { windowMs } from './prepare'

const { experiment: tensorResidence, judged, supposed } = judging(declared, rules)
const STEPS = 4
const DERIVED = { tensorBytes: 4096, steps: STEPS }
const ASKED = { ask: ['shape', 'data'] } as const

/**
 * Three repeats: a tensor takes 1 ms on the device, 6 ms from the host (3 to make, 2 to send), 4 ms
 * with a question for a value.
 */
function measured(params: ParamValues = ASKED) {
  const run = new FakeRun()
  for (const repeat of [0, 1, 2]) {
    const at = repeat * 100
    run.window('on-device', repeat, at, at + 4).window('upload', repeat, at + 10, at + 34)
    run.window('shape', repeat, at + 40, at + 44).window('data', repeat, at + 50, at + 66)
    for (const [name, from, until] of [
      ['on-device', 0, 4],
      ['upload', 10, 34],
      ['shape', 40, 44],
    ] as const)
      run.host('host-wait', 'any name', name, repeat, at + from + 2, at + until, 'wait-done')
    for (const step of [0, 1, 2, 3]) {
      const [there, sent, data] = [at + step * 0.4, at + 10 + 5 * step, at + 50 + 4 * step]
      run.host('host-work', 'any name', 'on-device', repeat, there, there + 0.1, 'write', 4)
      run.host('host-work', 'any name', 'upload', repeat, sent, sent + 3, 'compute')
      run.host('host-work', 'any name', 'upload', repeat, sent + 3, sent + 5, 'write', 4096)
      run.host('host-wait', 'any name', 'data', repeat, data + 0.5, data + 3.5, 'wait-map')
      run.pass('on-device', repeat, step, there + 0.1, there + 0.3, 'any name', 0)
      // It uses the tensor, and makes none.
      run.pass('on-device', repeat, step, there + 0.3, there + 0.31, 'use')
    }
  }
  return judged(
    run.evidence({
      params: tensorResidence.valuesOf({ steps: STEPS, ...params }),
      derived: DERIVED,
    }),
  )
}

describe('its metrics', () => {
  const { metrics } = measured()
  it.each([
    ['step-ms', 'on-device', 1],
    ['step-ms', 'upload', 6],
    ['slowdown', 'upload', 6],
    ['slowdown', 'data', 4],
    ['generate-ms', 'upload', 3],
    ['write-ms', 'upload', 2],
    ['kernel-ms', 'on-device', 0.2],
    ['end-wait-ms', 'on-device', 0.5],
    ['uploaded-bytes', 'upload', 4096],
    ['uploaded-bytes', 'on-device', 4],
    ['tensor-bytes', '', 4096],
  ])('%s of %s is read off the trace, by role and not by name', (name, variant, value) =>
    expect(findMetric(metrics, name, variant)?.value).toBeCloseTo(value, 9),
  )

  it('are those of what was asked for', () => {
    expect(findMetric(metrics, 'slowdown', 'on-device')).toBeUndefined()
    const atHand = measured({ ...ASKED, source: 'at-hand' }).metrics
    expect(findMetric(atHand, 'generate-ms', 'upload')).toBeUndefined()
    expect(tensorResidence.variants({})).toEqual(['on-device', 'upload'])
    expect(tensorResidence.variants(ASKED)).toEqual(['on-device', 'upload', 'shape', 'data'])
  })
})

describe('its verdict', () => {
  const base = {
    'step-ms on-device': 1,
    'step-ms upload': 6,
    'slowdown upload': 6,
    'generate-ms upload': 3,
    'write-ms upload': 2,
  }
  const baseWith = (over: Parameters<typeof supposed>[0], params: ParamValues = {}) =>
    supposed({ ...base, ...over }, { params: tensorResidence.valuesOf({ steps: STEPS, ...params }) })
  it.each([
    ['made-there', 'shown', {}],
    ['made-there', 'shown', { 'generate-ms upload': null, 'write-ms upload': 4 }],
    // The end waits for what the call did not wait for.
    [
      'made-there',
      'shown',
      {
        'generate-ms upload': null,
        'write-ms upload': 1,
        'end-wait-ms upload': 3,
        'end-wait-ms on-device': 0.4,
      },
    ],
    ['not-the-numbers', 'inconclusive', { 'generate-ms upload': 1, 'write-ms upload': 1 }],
    ['hidden', 'not-shown', { 'step-ms upload': 1.1, 'slowdown upload': 1.1 }],
    ['device-slower', 'not-shown', { 'step-ms upload': 0.5, 'slowdown upload': 0.5 }],
    ['intervals-overlap', 'inconclusive', { 'slowdown upload': [0.9, 6, 9] as const }],
    ['nothing-to-compare', 'inconclusive', { 'step-ms upload': null, 'slowdown upload': null }],
    ['nothing-to-compare', 'inconclusive', { 'write-ms upload': null }],
  ] as const)('%s is %s', (reason, outcome, over) =>
    expect(baseWith(over).verdict).toMatchObject({ reason, outcome }),
  )

  it('quotes the run, and speaks of no making where the numbers were at hand', () => {
    const run = measured()
    expect(run.verdict.text).toMatch(/^Making the numbers on the device was [\d.]+ times as fast\. A tensor/)
    expect(run.text).toContain('making numbers and')
    const atHand = baseWith({ 'generate-ms upload': null, 'write-ms upload': 4 }, { source: 'at-hand' })
    expect(atHand.text).not.toContain('making numbers and')
  })

  it('tells the shape from the data where both were asked for and differ', () => {
    expect(measured().text).toContain('The shape is on the host, the values are on the device.')
    expect(baseWith({}).text).not.toContain('one value')
    const alike = baseWith({ 'step-ms shape': 1, 'step-ms data': [0.5, 1.5, 4] as const }, ASKED)
    expect(alike.text).toContain('We can’t tell what asking costs here.')
  })

  it('names the wait at the end where it is most of the time, and not the kernels that are waited for', () => {
    const text = (waitMs: number, kernelMs: number | null) =>
      baseWith({ 'end-wait-ms on-device': waitMs, 'kernel-ms on-device': kernelMs }).text
    expect(text(0.9, 0.05)).toContain('is one shared wait')
    for (const [waitMs, kernelMs] of [
      [0.1, 0.05],
      [0.9, 0.8],
      [0.9, null],
    ] as const)
      expect(text(waitMs, kernelMs)).not.toContain('is one shared wait')
  })
})

describe('its sizes', () => {
  it('follow from the time at hand, within bounds', () => {
    expect(tensorWords(4, 1e-6, 2 ** 23)).toBe(3 * 2 ** 20)
    expect(tensorWords(1e-6, 1, 2 ** 23)).toBe(2 ** 14)
    expect(tensorWords(1e9, 1e-6, 2 ** 23)).toBe(2 ** 23)
    expect(tensorWords(1e9, 1e-6, 3_000_000)).toBe(2 ** 21)
  })

  it('let the device make all of them within what the lab queues', () => {
    const words = mostWords(2 ** 20, 100, 8)
    expect((8 * 100 * words) / 2 ** 20).toBeLessThan(MAX_QUEUED_MS)
    expect(mostWords(2 ** 20, 0, 8)).toBeGreaterThan(2 ** 23)
  })

  it('believe no clock that stands still', () => {
    expect(hostWordMs(() => 5)).toBeGreaterThan(0)
    let now = 0
    expect(hostWordMs(() => (now += 1))).toBeCloseTo(1 / 2 ** 16, 12)
  })

  it('count what each way does', () => {
    const times = { hostMs: 3, uploadMs: 2, kernelMs: 0.5, roundTripMs: 10 }
    expect(['on-device', 'shape', 'upload', 'data'].map((name) => windowMs(name, 4, times))).toEqual([
      12, 12, 30, 52,
    ])
  })
})

it('finds each word that is not of its tensor', () => {
  const words = Uint32Array.from({ length: 1000 }, (_, index) => randomWord(index, 7))
  expect(wrongWords(words, 7)).toEqual({ count: 0, first: -1 })
  words[999] = (words[999] ?? 0) ^ 1
  expect(wrongWords(words, 7)).toEqual({ count: 1, first: 999 })
  expect(wrongWords(words, 8).count).toBeGreaterThan(990)
  const at = { step: 2, seed: 5, words: 1000, tensorSeed: 7 }
  for (let i = 0; i < GATHER_WORDS; i += 1)
    expect(keptWord(i, at)).toBe(randomWord(gatherPosition(i, 7, 1000), 7))
})
