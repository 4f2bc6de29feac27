import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { opened } from '../../trace/formats/import/testing/read-back'
import { placeTrace } from '../../trace/place'
import { pageGains } from '../device-findings'
import { diagnosed, simulate, type Loop } from '../testing/training-loop'
import { replayPage, type DeviceReplay } from './device-replay'
import { packTrial, unpackTrial } from './packed-trial'
import { play } from './play'
import { WAIT } from './step-picture'
import { Trial } from './trial'
import { without, type Removed } from './without'
import type { Trace } from '../../trace/schema'
import type { Cause } from './causes'

vi.mock(import('./play'), async (original) => {
  const module = await original()
  return { ...module, play: vi.fn(module.play) }
})

const none = new Map<number, number>()
/** Parts of a step's picture: more than the loops have marks. */
const PARTS = 1e6

async function trialOf(loop: Loop, stepMs: number | null = null, parts = PARTS) {
  const { trace } = await opened(simulate(loop).file.bytes())
  const { diagnosis, replayed } = diagnosed(trace, { stepMs })
  const { replay } = replayed
  return { trial: new Trial(replay, trace.spans.kind, false, parts), replay, diagnosis }
}

/** A trial as the page has it, and how often it gave way to the page meanwhile. */
async function crossed(replayed: DeviceReplay, kind: Trace['spans']['kind']) {
  const { packed, transfer } = packTrial(replayed)
  const giveWay = vi.fn(async () => {})
  const trial = await unpackTrial(structuredClone(packed, { transfer: [...transfer] }), kind, giveWay)
  return { trial, gaveWay: giveWay.mock.calls.length }
}

const GONE: readonly Removed[] = [
  { cause: 'read-back', code: null },
  { cause: 'dispatch', code: null },
]

/** A read each step after kernels, host work that launches nothing, and two functions. */
const LOOP: Loop = {
  kernels: 20,
  kernelUs: 100,
  launchUs: 20,
  read: true,
  loaderUs: 1500,
  functions: { augment: 2000, log: 1000 },
}

describe('a trial', () => {
  it('gives for each single cause what the finding says', async () => {
    const { trial, replay, diagnosis } = await trialOf(LOOP)
    expect(diagnosis.findings.length).toBeGreaterThan(1)
    for (const { cause, without } of diagnosis.findings) {
      const { predicted } = trial.tried([cause], none)
      expect(predicted.stepNs / 1e3).toBeCloseTo(without?.stepUs ?? Number.NaN, 6)
      expect(predicted.stepNs).toBeLessThanOrEqual(replay.replayedNs)
    }
  })

  it('gives what the loop without several causes takes', async () => {
    const { trial } = await trialOf(LOOP)
    const { replay: mended } = await trialOf({ ...LOOP, read: false, loaderUs: 0 })
    const { predicted, picture } = trial.tried(['read-back', 'data-loading'], none)
    expect(Math.abs(predicted.stepNs / mended.replayedNs - 1)).toBeLessThan(0.02)
    expect(picture.lengthNs).toBeCloseTo(predicted.stepNs, -3)
  })

  it('adds up as the graph says: two of which neither gains alone gain together', async () => {
    // The host needs 2 ms, and so does the device.
    const { trial, replay } = await trialOf({
      hostUs: 1890,
      batch: 'in-line',
      batchBytes: 55_000_000,
      kernels: 5,
    })
    const saved = (...causes: readonly Cause[]) =>
      replay.replayedNs - trial.tried(causes, none).predicted.stepNs
    const both = saved('host-code', 'copies-in-line')
    expect(both).toBeGreaterThan(10 * (saved('host-code') + saved('copies-in-line')))
    expect(both).toBeGreaterThan(1e6)
  })

  it('shortens one function, as a loop in which it takes half as long', async () => {
    const { trial, replay } = await trialOf(LOOP)
    const { replay: halved } = await trialOf({ ...LOOP, functions: { augment: 1000, log: 1000 } })
    const augment = trial.blocks.findIndex(({ name }) => name === 'augment')
    expect(trial.blocks[augment]?.nsPerStep).toBeCloseTo(2e6, -4)
    const { predicted } = trial.tried([], new Map([[augment, 0.5]]))
    expect(Math.abs(predicted.stepNs / halved.replayedNs - 1)).toBeLessThan(0.02)
    expect(predicted.lowNs).toBeLessThan(predicted.stepNs)
    expect(predicted.highNs).toBeGreaterThan(predicted.stepNs)
    expect(predicted.highNs).toBeLessThanOrEqual(replay.replayedNs)
  })

  it('shortens what a removal leaves', async () => {
    const { trial } = await trialOf(LOOP)
    const augment = trial.blocks.findIndex(({ name }) => name === 'augment')
    const without = trial.tried(['data-loading'], none).predicted.stepNs
    const shorter = trial.tried(['data-loading'], new Map([[augment, 0.5]])).predicted.stepNs
    expect(without - shorter).toBeCloseTo(1e6, -4)
  })

  it('draws nothing that begins or ends outside of the step, and loses none of its work', async () => {
    const { trial } = await trialOf(LOOP)
    const { picture, predicted } = trial.tried([], none)
    for (const { startNs, endNs } of [...picture.threads, ...picture.streams]) {
      expect(Math.min(...startNs)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...endNs)).toBeLessThanOrEqual(picture.lengthNs + 1e-6)
      for (const [at, start] of startNs.entries()) expect(start).toBeGreaterThanOrEqual(endNs[at - 1] ?? 0)
    }
    expect(picture.lengthNs).toBeCloseTo(predicted.stepNs, -3)
    // 20 kernels of 100 µs, and the read's copy.
    expect(picture.busyNs).toBeGreaterThanOrEqual(2e6)
    expect(picture.busyNs).toBeLessThan(2.1e6)
    expect(picture.threads[0]?.of).toContain(WAIT)
  })

  it('draws the step without the profiler where its time is known', async () => {
    const { trial, replay } = await trialOf(LOOP, 4)
    expect(replay.replayedNs).toBeCloseTo(4e6, 0)
    expect(trial.tried([], none).picture.lengthNs).toBeCloseTo(4e6, -4)
  })

  it('makes one mark of what is too short to be told apart', async () => {
    const { trial } = await trialOf(LOOP, null, 10)
    const { picture } = trial.tried([], none)
    expect(picture.streams[0]?.of.length).toBeLessThanOrEqual(12)
    const share = picture.streams[0]?.share ?? []
    expect(Math.min(...share)).toBeGreaterThan(0)
    expect(Math.max(...share)).toBeLessThanOrEqual(1)
  })

  it('is the same of a program that crossed threads', async () => {
    const { trace } = await opened(simulate(LOOP).file.bytes())
    const { replayed } = diagnosed(trace)
    const { program } = replayed.read
    const { trial } = await crossed(replayed, trace.spans.kind)
    const { replay } = trial
    expect(program).toMatchObject(replay.program)
    expect(play(replay.program, without(replay.program, GONE, 'most'))).toEqual(
      play(program, without(program, GONE, 'most')),
    )
    expect(trial.now).toEqual(trial.tried([], none))
  })

  it.each([null, 4])('does not hold the page up that takes it over: step of %s ms', async (stepMs) => {
    const { trace } = await opened(simulate({ ...LOOP, steps: 40 }).file.bytes())
    const { replayed } = diagnosed(trace, { stepMs })
    vi.mocked(play).mockClear()
    const { trial, gaveWay } = await crossed(replayed, trace.spans.kind)
    // Once for its picture, not to calibrate it anew.
    expect(play).toHaveBeenCalledTimes(1)
    expect(gaveWay).toBeGreaterThan(trial.replay.program.stretches.length / 2000)
    expect(trial.replay.replayedNs).toBe(replayed.replay.replayedNs)
  })
})

describe('a trial of a recorded page', () => {
  it.each(['jax', 'playcanvas', 'tensorflow', 'three'])('%s: gives what each finding says', async (name) => {
    const { trace } = await opened(readFileSync(`public/recordings/libraries/${name}.hdl.gz`))
    const placed = placeTrace(trace)
    const device = trace.lanes.find(({ kind }) => kind === 'device')?.group ?? ''
    const { replay, problem } = replayPage(placed, device)
    if (!replay) throw new Error(problem)
    const { trial } = await crossed(replay, trace.spans.kind)
    const findings = pageGains(placed, replay, [])
    expect(findings.length).toBeGreaterThan(0)
    for (const { cause, what, without: gain } of findings) {
      const { predicted, picture } = trial.tried([cause === 'host-code' ? `${cause}:${what}` : cause], none)
      expect(predicted.stepNs / 1e3).toBeCloseTo(gain?.stepUs ?? Number.NaN, 6)
      expect(predicted.highNs / 1e3).toBeCloseTo(gain?.high ?? Number.NaN, 6)
      expect(picture.lengthNs).toBeGreaterThan(0)
    }
  })
})
