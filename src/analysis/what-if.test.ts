import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { decodeRun } from '../trace/codec'
import { placeTrace, type PlacedTrace } from '../trace/place'
import type { Metric } from '../trace/report'
import { plainGap } from './testing/plain-gap'
import { findGaps } from './gaps'
import { MS, Scene, type SceneOptions } from './testing/scene'
import { repeatTime, testPrediction, type Prediction, type WhatIf } from './what-if'
import { whatIf } from './testing/what-if'

async function recording(id: string): Promise<PlacedTrace> {
  const decoded = await decodeRun(await readFile(`public/recordings/${id}.hdl.gz`))
  if (!decoded.ok) throw new Error(decoded.error.message)
  return placeTrace(decoded.value.trace)
}

function predictionOf(found: WhatIf): Prediction {
  if (found.state !== 'predicted') throw new Error(found.why)
  return found.prediction
}

/** Steps of 1 ms on the device, each awaited: 0.1 to encode, 0.5 until it begins, 0.9 until the host hears. */
function stalled(steps: number, repeats = 1, options: SceneOptions = {}): Scene {
  const scene = new Scene({ boundMs: 0, ...options })
  let [at, submission] = [10, 1]
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const begin = at
    scene.tag = { variant: 'stalled', repeat }
    for (let step = 0; step < steps; step += 1, submission += 1) {
      scene.onHost('encode', 'encode', at, at + 0.05)
      scene.submit(submission, at + 0.05, at + 0.1)
      const pass = scene.pass(submission, at + 0.6, at + 1.6, { step })
      const wait = scene.onHost('host-wait', 'await mapAsync(): readback', at + 0.1, at + 2.5, { submission })
      scene.builder.addFlow(pass, wait, 'sync')
      at += 2.5
    }
    scene.onHost('window', 'stalled', begin, at)
    at += 1
  }
  return scene
}

describe('whatIf', () => {
  it('takes the waits away that made the gaps, and leaves the last, which closes the repeat', () => {
    const placed = stalled(4, 3).place()
    const found = predictionOf(whatIf(placed, findGaps(placed), 'stalled', 'host-waited'))
    expect(found.now.value).toBeCloseTo(10, 6)
    expect(found.waits).toBe(3)
    // 0.1 + 0.5 + 4 · 1 + 0.9: the host is far ahead of the device.
    expect(found.predicted.value).toBeCloseTo(5.5, 6)
    expect(found.predicted.n).toBe(3)
    expect(found.lessIdleMs).toBeCloseTo(5.5, 6)
    expect(found.limits.deviceMs).toBeCloseTo(4, 6)
    expect(found.limits.hostMs).toBeCloseTo(0.4, 6)
  })

  it('does not take the gaps off the time where the host’s own work then sets the pace', () => {
    const scene = new Scene({ boundMs: 0 })
    // 2 ms of work before each submit(): without the waits the device is still idle between steps.
    for (let step = 0; step < 4; step += 1) {
      const at = 10 + step * 6
      scene.onHost('host-work', 'prepare', at, at + 2)
      scene.submit(step + 1, at + 2, at + 2)
      const pass = scene.pass(step + 1, at + 2, at + 3)
      const wait = scene.onHost('host-wait', 'await', at + 2, at + 6, { submission: step + 1 })
      scene.builder.addFlow(pass, wait, 'sync')
    }
    scene.onHost('window', 'v', 10, 34)
    const placed = scene.place()
    const gaps = findGaps(placed)
    expect(gaps.map(({ cause }) => cause)).toEqual(['host-waited', 'host-waited', 'host-waited'])
    const found = predictionOf(whatIf(placed, gaps, 'v', 'host-waited'))
    // Four times 2 ms of the host, the last step, and 3 ms until it was reported.
    expect(found.predicted.value).toBeCloseTo(4 * 2 + 1 + 3, 6)
    expect(found.lessIdleMs).toBeCloseTo(24 - 15, 6)
    expect(found.limits.hostMs).toBeCloseTo(8, 6)
  })

  it('host-late: the host’s work in the gap delays the device no more', () => {
    const scene = new Scene({ boundMs: 0 })
    for (let step = 0; step < 3; step += 1) {
      const at = 10 + step * 5
      scene.onHost('host-work', 'prepare', at, at + 4.9)
      scene.submit(step + 1, at + 4.9, at + 5)
      scene.pass(step + 1, at + 5, at + 6)
    }
    const wait = scene.onHost('host-wait', 'await', 25, 26, { submission: 3 })
    scene.builder.addFlow(wait - 1, wait, 'sync')
    scene.onHost('window', 'v', 10, 26)
    const placed = scene.place()
    const found = predictionOf(whatIf(placed, findGaps(placed), 'v', 'host-late'))
    expect(found.now.value).toBeCloseTo(16, 6)
    // The first 5 ms stay: no gap comes before the first pass. What the host did while the device worked stays too.
    expect(found.predicted.value).toBeCloseTo(8, 2)
  })

  it('says why where it cannot tell', () => {
    const why = (found: WhatIf) => (found.state === 'predicted' ? 'predicted' : found.why)
    const unplaced = stalled(3, 1, { boundMs: null }).place()
    expect(why(whatIf(unplaced, findGaps(unplaced), 'stalled', 'unknown'))).toContain('does not decide')
    const asked = findGaps(unplaced).map((gap) => ({ ...plainGap(gap), cause: 'host-waited' as const }))
    expect(why(whatIf(unplaced, asked, 'stalled', 'host-waited'))).toContain('could not be tied')
    const blind = new Scene()
    blind.onHost('window', 'v', 0, 1)
    expect(why(whatIf(blind.place(), [], 'v', 'host-waited'))).toContain('No device times')
    const noWindow = new Scene()
    noWindow.submit(1, 1)
    noWindow.pass(1, 2, 3)
    noWindow.onHost('host-wait', 'await mapAsync(): readback', 1.1, 4)
    noWindow.submit(2, 4)
    noWindow.pass(2, 5, 6)
    const placed = noWindow.place()
    expect(why(whatIf(placed, findGaps(placed), 'v', 'host-waited'))).toContain('began and ended')
    expect(why(whatIf(placed, findGaps(placed), 'v', 'launch-overhead'))).toContain('No gap of this cause')
  })
})

describe('whatIf on real recordings', () => {
  // What was predicted from the stalled variant alone, against the mended variant as it was measured in the same run.
  it.each([
    ['sync-stalls/longer', 'every-step', 'host-waited', 'never'],
    ['sync-stalls/longer', 'every-4', 'host-waited', 'never'],
    ['async-submission', 'await-each', 'host-waited', 'queued'],
    ['overlapped-uploads', 'serial', 'upload-not-ready', 'ring-2'],
    ['overlapped-uploads', 'ring-1', 'upload-not-ready', 'ring-2'],
    ['overlapped-uploads/deeper', 'serial', 'upload-not-ready', 'ring-3'],
  ] as const)('%s: %s without ‘%s’ takes what %s takes', async (id, variant, cause, mended) => {
    const placed = await recording(id)
    const prediction = predictionOf(whatIf(placed, findGaps(placed), variant, cause))
    const { now, predicted, limits } = prediction
    const measured = repeatTime(placed, mended)
    const [predictedMs, measuredMs] = [predicted.value ?? Number.NaN, measured.value ?? Number.NaN]
    expect(predictedMs / measuredMs).toBeGreaterThan(0.8)
    expect(predictedMs / measuredMs).toBeLessThan(1.25)
    expect(predicted.low).toBeLessThanOrEqual(predictedMs)
    expect(predicted.high).toBeGreaterThanOrEqual(predictedMs)
    expect(predictedMs).toBeGreaterThanOrEqual(limits.deviceMs)
    expect(predictedMs).toBeLessThan((now.value ?? 0) * 0.75)
    expect(testPrediction(prediction, measured).outcome).toBe('as-predicted')
  })

  it('does better than the time less the gaps where the host then sets the pace', async () => {
    const placed = await recording('overlapped-uploads')
    const found = predictionOf(whatIf(placed, findGaps(placed), 'upload-only', 'upload-not-ready'))
    // Filling alone takes the host several times as long as the naive figure leaves for everything.
    expect(found.lessIdleMs).toBeLessThan(found.limits.hostMs)
    expect(found.predicted.value).toBeGreaterThan(found.limits.hostMs)
  })
})

describe('testPrediction', () => {
  const metric = (low: number, value: number, high: number, n = 5): Metric => ({
    name: 'repeat-ms',
    variant: 'v',
    unit: 'ms',
    origin: 'host-clock',
    low,
    value,
    high,
    n,
  })
  const now = metric(90, 100, 110)
  const predicted = metric(18, 20, 30)
  it.each([
    ['as-predicted', metric(19, 21, 22), ''],
    ['faster', metric(10, 11, 12), ''],
    ['slower', metric(40, 41, 42), ''],
    ['no-gain', metric(111, 120, 130), ''],
    ['not-decided', metric(25, 29, 31), 'not within'],
    ['not-decided', metric(60, 80, 91), 'with the cause and without'],
    ['not-decided', metric(19, 21, 22, 2), 'too few'],
  ] as const)('%s', (outcome, measured, why) => {
    const tested = testPrediction({ now, predicted }, measured)
    expect(tested.outcome).toBe(outcome)
    expect(tested.why).toContain(why)
    expect(tested.ratio).toBeCloseTo((measured.value ?? 0) / 20, 12)
  })

  it('gives no credit to a prediction that would have agreed with anything', () => {
    const wide = testPrediction({ now, predicted: metric(10, 50, 95) }, metric(19, 21, 22))
    expect(wide.outcome).toBe('not-decided')
    expect(wide.why).toContain('would agree')
  })

  it('is in the units of the scene', () => {
    expect(repeatTime(stalled(2, 3).place(), 'stalled')).toMatchObject({ value: (5 * MS) / 1e6, n: 3 })
  })
})
