import { describe, expect, it } from 'vitest'
import type { GapCause } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import type { Metric } from '../trace/report'
import { repeatTime, RunReplays, testPrediction, type RunGain } from './run-gains'
import { MS, Scene, type SceneOptions } from './testing/scene'

function without(placed: PlacedTrace, variant: string, cause: GapCause): RunGain {
  const found = new RunReplays(placed).without(variant, cause)
  if (found === null || typeof found === 'string') throw new Error(found ?? 'none')
  return found
}

/**
 * Steps of 1 ms on the device, each awaited: 0.1 to encode, 0.5 until it begins, 0.9 until the host
 * hears.
 */
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

describe('a repeat without a cause', () => {
  it('loses its waits, except the last, which closes it', () => {
    const { now, predicted } = without(stalled(4, 3).place(), 'stalled', 'host-waited')
    expect(now.value).toBeCloseTo(10, 6)
    // 0.1 + 0.5 + 4 · 1 + 0.9: the host is far ahead of the device. A pause in its queue takes 1
    // µs.
    expect(predicted.value).toBeCloseTo(5.503, 6)
    expect(predicted.n).toBe(3)
    expect(predicted.low).toBeGreaterThanOrEqual(4 - 1e-6)
    expect(predicted.high).toBeLessThan(10)
  })

  it('takes as long as its host’s own work where that then sets the pace', () => {
    const scene = new Scene({ boundMs: 0 })
    // 2 ms of work before each submit(): without the waits the device is still idle between steps.
    for (let step = 0; step < 4; step += 1) {
      const at = 10 + step * 6
      scene.onHost('host-work', 'prepare', at, at + 2)
      scene.submit(step + 1, at + 2, at + 2)
      scene.pass(step + 1, at + 2, at + 3)
      scene.onHost('host-wait', 'await', at + 2, at + 6, { submission: step + 1 })
    }
    scene.onHost('window', 'v', 10, 34)
    const placed = scene.place()
    // Four times 2 ms of the host, the last step, and 3 ms until it was reported.
    expect(without(placed, 'v', 'host-waited').predicted.value).toBeCloseTo(4 * 2 + 1 + 3, 6)
    // The waits are left.
    expect(without(placed, 'v', 'host-late').predicted.value).toBeCloseTo(4 * 4, 6)
  })

  it('is not known where it can’t be replayed, and of causes that no change takes away', () => {
    const why = (placed: PlacedTrace, variant = 'stalled') =>
      new RunReplays(placed).without(variant, 'host-waited')
    expect(why(stalled(3, 1, { boundMs: null }).place())).toContain('could not be tied')
    expect(why(new Scene().place(), 'v')).toContain('No counted repeat')
    const outside = new Scene({ boundMs: 0 })
    for (const [submission, at] of [10, 14, 22].entries()) {
      outside.submit(submission, at)
      outside.pass(submission, at + 1, at + 2)
    }
    outside.onHost('window', 'v', 10, 20)
    expect(why(outside.place(), 'v')).toContain('outside of the repeat')
    const replays = new RunReplays(stalled(3).place())
    expect(replays.without('stalled', 'unknown')).toBeNull()
    expect(replays.without('stalled', 'rank-waited')).toBeNull()
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
    ['not-decided', metric(25, 29, 31), 'outside'],
    ['not-decided', metric(60, 80, 91), 'overlap'],
    ['not-decided', metric(19, 21, 22, 2), 'too few'],
  ] as const)('%s', (outcome, measured, why) => {
    const tested = testPrediction({ now, predicted }, measured)
    expect(tested.outcome).toBe(outcome)
    expect(tested.why).toContain(why)
  })

  it('gives no credit to a prediction that would have agreed with anything', () => {
    const wide = testPrediction({ now, predicted: metric(10, 50, 95) }, metric(19, 21, 22))
    expect(wide.outcome).toBe('not-decided')
    expect(wide.why).toContain('no gain')
  })

  it('is in the units of the scene', () =>
    expect(repeatTime(stalled(2, 3).place(), 'stalled')).toMatchObject({ value: (5 * MS) / 1e6, n: 3 }))
})
