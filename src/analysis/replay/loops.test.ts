// Loops whose step is known (testing/training-loop.ts), and recorded loops that were recorded
// changed as well.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KinetoFile } from '../../trace/formats/import/testing/kineto-file'
import { opened } from '../../trace/formats/import/testing/read-back'
import { placeTrace } from '../../trace/place'
import { summariseDevices } from '../devices'
import { NAMED_GAIN, type Diagnosis } from '../findings'
import { analyseRanks } from '../ranks'
import { diagnosed, replayOf, simulate, simulateRanks, type Loop } from '../testing/training-loop'
import { play } from './play'

const causes = ({ findings }: Diagnosis) => findings.map(({ cause }) => cause)
const between = (min: number, max: number) => fc.integer({ min, max })

/** A loop, and the same without one cause. */
interface Pair {
  readonly cause: string
  readonly loop: Loop
  readonly mended: Loop
}
/** Kernels of 2 ms in all. */
const SMALL: Loop = { kernels: 100, kernelUs: 6, launchUs: 25 }
const GUILTY: Readonly<Record<string, Pair>> = {
  'a read before host work': {
    cause: 'read-back',
    loop: { read: true, hostUs: 1500 },
    mended: { hostUs: 1500 },
  },
  'a synchronize before host work': {
    cause: 'synchronize',
    loop: { synchronize: true, hostUs: 1500 },
    mended: { hostUs: 1500 },
  },
  'a loader': {
    cause: 'data-loading',
    loop: { loaderUs: 5000, synchronize: true },
    mended: { synchronize: true },
  },
  'an operator that launches nothing': {
    cause: 'host-code',
    loop: { hostUs: 5000, read: true },
    mended: { read: true },
  },
  'code that no record names, at the end of each step': {
    cause: 'host-code',
    loop: { unrecordedUs: 5000, read: true },
    mended: { read: true },
  },
  'the longer of two functions': {
    cause: 'host-code:log',
    loop: { functions: { augment: 2000, log: 4000 }, synchronize: true },
    mended: { functions: { augment: 2000 }, synchronize: true },
  },
  'many small kernels': { cause: 'dispatch', loop: SMALL, mended: { ...SMALL, graph: true } },
  'memory allocated in each step': {
    cause: 'allocation',
    loop: { allocationUs: 1000 },
    mended: {},
  },
  'a batch in pageable memory': {
    cause: 'pageable-copies',
    loop: { batch: 'pageable', batchBytes: 22_000_000 },
    mended: { batch: 'in-line', batchBytes: 22_000_000 },
  },
  'a copy in line with the kernels': {
    cause: 'copies-in-line',
    loop: { batch: 'in-line', batchBytes: 55_000_000 },
    mended: { batch: 'beside', batchBytes: 55_000_000 },
  },
  'weights kept on the host, copied in line with the kernels': {
    cause: 'copies-in-line',
    loop: { keptBytes: 55_000_000 },
    mended: {},
  },
  'a callback in a graph': {
    cause: 'host-callback',
    loop: { graph: true, callbackUs: 1000, synchronize: true },
    mended: { graph: true, synchronize: true },
  },
  'a collective on the kernels’ stream': {
    cause: 'collectives',
    loop: { collectiveUs: 500 },
    mended: {},
  },
  'a single pause': {
    cause: 'unknown',
    loop: { pauseUs: 250_000, synchronize: true },
    mended: { synchronize: true },
  },
}
/** Each has a suspect that gains nothing. */
const INNOCENT: Readonly<Record<string, Pair>> = {
  'a read after short kernels, before long host work': {
    cause: 'read-back',
    loop: { read: true, hostUs: 7700, kernels: 2, kernelUs: 50 },
    mended: { hostUs: 7700, kernels: 2, kernelUs: 50 },
  },
  'a read of long kernels, with nothing after it': {
    cause: 'read-back',
    loop: { read: true, kernelUs: 2000 },
    mended: { kernelUs: 2000 },
  },
  'a synchronize before a long loader': {
    cause: 'synchronize',
    loop: { synchronize: true, loaderUs: 30_000, kernelUs: 20 },
    mended: { loaderUs: 30_000, kernelUs: 20 },
  },
  'a loader beside long kernels': {
    cause: 'data-loading',
    loop: { loaderUs: 1000, kernelUs: 500 },
    mended: { kernelUs: 500 },
  },
  'host work beside long kernels': {
    cause: 'host-code',
    loop: { hostUs: 1500 },
    mended: {},
  },
  'a small copy from pageable memory': {
    cause: 'pageable-copies',
    loop: { batch: 'pageable', batchBytes: 20_000, hostUs: 8000 },
    mended: { hostUs: 8000 },
  },
  'the launches of long kernels': {
    cause: 'dispatch',
    loop: { kernels: 20, kernelUs: 500 },
    mended: { kernels: 20, kernelUs: 500, graph: true },
  },
}

describe('replay of loops whose step is known', () => {
  it.each(Object.entries(GUILTY))('%s is named first, and its gain', async (_, { cause, loop, mended }) => {
    const { diagnosis, replayed, without } = await replayOf(loop)
    const [own] = cause.split(':')
    expect(replayed.replay.replayedNs / 1e3).toBeCloseTo(simulate(loop).stepUs, 3)
    const afterUs = simulate(mended).stepUs
    expect(Math.abs(without(cause) - afterUs)).toBeLessThan(0.01 * simulate(loop).stepUs)
    expect(causes(diagnosis)[0]).toBe(own)
    const [first] = diagnosis.findings
    expect(first?.without?.low).toBeLessThanOrEqual(afterUs)
    if (own === cause) expect(first?.without?.high).toBeGreaterThanOrEqual(afterUs)
  })

  it('a function is not given the gain of all of them', async () => {
    const { diagnosis } = await replayOf({ functions: { augment: 2000, log: 4000 }, synchronize: true })
    expect(diagnosis.sentence).toMatch(/^Without log\(\) and other code, /)
    expect(diagnosis.findings[0]?.evidence).toMatch(/^The host is in log\(\) and other code for 6 ms /)
    expect(diagnosis.findings[0]?.evidence).toContain('Without log() alone')
  })

  it('a function that takes little of the host’s code is not named', async () => {
    const { diagnosis } = await replayOf({ functions: { augment: 100 }, hostUs: 4000, synchronize: true })
    expect(diagnosis.findings[0]).toMatchObject({ cause: 'host-code', line: null })
    expect(diagnosis.sentence).not.toContain('augment')
  })

  it.each(Object.entries(INNOCENT))('%s is not named', async (_, { cause, loop, mended }) => {
    const { diagnosis, without } = await replayOf(loop)
    const nowUs = simulate(loop).stepUs
    expect(nowUs / simulate(mended).stepUs).toBeLessThan(NAMED_GAIN)
    expect(nowUs / without(cause)).toBeLessThan(NAMED_GAIN)
    expect(causes(diagnosis)).not.toContain(cause)
  })

  const loops: fc.Arbitrary<Loop> = fc.record(
    {
      steps: between(4, 8),
      kernels: between(2, 20),
      kernelUs: between(3, 500),
      launchUs: between(10, 60),
      hostUs: between(0, 3000),
      loaderUs: between(0, 3000),
      collectiveUs: between(10, 500),
      allocationUs: between(1, 500).map((half) => 2 * half),
      read: fc.boolean(),
      synchronize: fc.boolean(),
      batch: fc.constantFrom('pageable', 'in-line', 'beside'),
      functions: fc.record({ augment: between(10, 2000), log: between(10, 2000) }),
    },
    { requiredKeys: [] },
  )

  it('played unchanged, everything begins and ends as recorded', async () => {
    await fc.assert(
      fc.asyncProperty(loops, async (loop) => {
        const { replayed } = await replayOf(loop)
        const { program } = replayed.read
        const { workStartNs, workEndNs } = play(program, {}, 1)
        for (const [index, { startNs, lengthNs }] of program.work.entries()) {
          expect(workStartNs[index]).toBeCloseTo(startNs - program.startNs, 0)
          expect(workEndNs[index]).toBeCloseTo(startNs + lengthNs - program.startNs, 0)
        }
        expect(replayed.replay.recordedNs / 1e3).toBeCloseTo(simulate(loop).stepUs, 3)
        expect(replayed.replay.replayedNs / 1e3).toBeCloseTo(simulate(loop).stepUs, 0)
      }),
      { numRuns: 60 },
    )
  })

  const EDITS: Readonly<Record<string, (loop: Loop) => readonly [Loop, Loop]>> = {
    'read-back': (loop) => [{ ...loop, read: true }, loop],
    synchronize: (loop) => [{ ...loop, synchronize: true }, loop],
    'data-loading': (loop) => [{ ...loop, loaderUs: 2000 }, loop],
  }
  it.each(Object.entries(EDITS))('without %s: over host work and kernels', async (cause, edit) => {
    const base = fc.record({
      steps: fc.constant(8),
      hostUs: between(0, 5000),
      kernels: between(2, 10),
      kernelUs: between(5, 1000),
    })
    await fc.assert(
      fc.asyncProperty(base, async (base) => {
        const [loop, mended] = edit(base)
        const { without, replayed } = await replayOf(loop)
        const offUs = Math.abs(without(cause) - simulate(mended).stepUs)
        expect(offUs).toBeLessThan(0.01 * simulate(loop).stepUs)
        expect(replayed.replay.replayedNs / 1e3).toBeCloseTo(simulate(loop).stepUs, 0)
      }),
      { numRuns: 40 },
    )
  })

  it('a read before a synchronize leaves that its wait', async () => {
    const { without } = await replayOf({ read: true, synchronize: true, hostUs: 1500 })
    const afterUs = simulate({ synchronize: true, hostUs: 1500 }).stepUs
    expect(without('read-back') / afterUs).toBeCloseTo(1, 2)
  })

  it('a host that is slower than in its profile is slower in dispatch, too, but less', async () => {
    const loop: Loop = { kernels: 50, kernelUs: 5, functions: { log: 1000 }, synchronize: true }
    const { file, stepUs } = simulate(loop)
    const { trace } = await opened(file.bytes())
    const { without } = diagnosed(trace, { stepMs: stepUs / 1e3 })
    // 50 operators take 1000 µs in the profile and 520 without it, the code 1000. Both are slowed
    // until they take the step's 2000: the code by 0.4 a spread, dispatch by 0.1.
    const spreads = 0.92
    const [dispatchUs, codeUs] = [520 * Math.exp(0.1 * spreads), 1000 * Math.exp(0.4 * spreads)]
    expect((dispatchUs + codeUs) / stepUs).toBeCloseTo(1, 1)
    expect(without('host-code') / stepUs).toBeCloseTo(dispatchUs / stepUs, 1)
  })

  it('a step that nobody timed is estimated by what torch.profiler usually adds', async () => {
    const { file, stepUs } = simulate({
      kernels: 50,
      kernelUs: 5,
      functions: { log: 1000 },
      synchronize: true,
    })
    // 50 operators take 1000 µs in the profile and 520 without it, the code as long as in it.
    const { steps } = diagnosed((await opened(file.bytes())).trace).diagnosis
    expect((steps?.estimatedUs ?? 0) / (stepUs - 480)).toBeCloseTo(1, 2)
    expect(steps?.errorsOf).toBe('alone')
    const taken = diagnosed((await opened(file.bytes())).trace, { stepMs: (steps?.estimatedUs ?? 0) / 1e3 })
    expect(taken.diagnosis.steps).toMatchObject({ estimatedUs: null, errorsOf: 'estimated' })
    const timed = diagnosed((await opened(file.bytes())).trace, { stepMs: 1 })
    expect(timed.diagnosis.steps).toMatchObject({ estimatedUs: null, errorsOf: 'timed' })
    // Other profilers were not measured.
    const others = file.events.map((event) => ({
      ...event,
      name: String(event.name).replace('aten::', 'op_'),
    }))
    file.events.splice(0, Infinity, ...others)
    expect(diagnosed((await opened(file.bytes())).trace).diagnosis.steps?.estimatedUs).toBeNull()
  })

  it('what is removed as well makes no step longer', async () => {
    const all = ['read-back', 'synchronize', 'host-code', 'dispatch', 'allocation', 'data-loading']
    const subset = fc.subarray(all, { minLength: 2 })
    await fc.assert(
      fc.asyncProperty(loops, subset, async (loop, [first = '', ...more]) => {
        const { without } = await replayOf(loop)
        expect(without(first, ...more)).toBeLessThanOrEqual(without(first) + 1e-6)
      }),
      { numRuns: 40 },
    )
  })

  it('so are two waits, of which each leaves the other, beside what gains alone', async () => {
    const { diagnosis } = await replayOf({ read: true, synchronize: true, functions: { log: 4000 } })
    expect(diagnosis.findings.map(({ cause, together }) => [cause, together?.cause])).toEqual([
      ['host-code', undefined],
      ['read-back', 'synchronize'],
      ['synchronize', 'read-back'],
    ])
  })

  it('two causes of which neither gains anything alone are named as a pair', async () => {
    // The host needs 2 ms, and so does the device.
    const loop: Loop = { hostUs: 1890, batch: 'in-line', batchBytes: 55_000_000, kernels: 5 }
    const { diagnosis, without } = await replayOf(loop)
    for (const cause of ['host-code', 'copies-in-line'])
      expect(simulate(loop).stepUs / without(cause)).toBeLessThan(NAMED_GAIN)
    const mendedUs = simulate({ ...loop, hostUs: 0, batch: 'beside' }).stepUs
    expect(without('host-code', 'copies-in-line')).toBeCloseTo(mendedUs, -1)
    expect(diagnosis.findings.map(({ cause, together }) => [cause, together?.cause])).toEqual([
      ['host-code', 'copies-in-line'],
      ['copies-in-line', 'host-code'],
    ])
    expect(diagnosis.sentence).toContain('Neither gains anything alone')
  })

  it('without the read of a size, the operator is gone with its kernels', async () => {
    const file = new KinetoFile({ originUs: 5e9 })
    for (let step = 0; step < 4; step += 1) {
      const at = 1000 * step
      file
        .operator(`ProfilerStep#${String(step + 3)}`, [at, at + 1000], 'user_annotation')
        .operator('aten::nonzero', [at + 10, at + 500])
        .call('cudaLaunchKernel', 10 * step + 1, [at + 20, at + 25])
        .kernel('DeviceSelect', 10 * step + 1, [at + 30, at + 330])
        .call('cudaMemcpyAsync', 10 * step + 2, [at + 335, at + 340])
        .copy('DtoH (Device -> Pageable)', 10 * step + 2, [at + 345, at + 347], 4)
        .call('cudaStreamSynchronize', 10 * step + 3, [at + 341, at + 350])
        .operator('aten::mm', [at + 510, at + 560])
        .call('cudaLaunchKernel', 10 * step + 4, [at + 520, at + 525])
        .kernel('gemm', 10 * step + 4, [at + 530, at + 700])
        .operator('aten::index', [at + 560, at + 1000])
    }
    const { without } = diagnosed((await opened(file.bytes())).trace)
    expect(without('read-back')).toBeCloseTo(510, -1)
  })

  it('a copy of HIP that returns with its bytes waits, whatever memory it is of', async () => {
    const file = new KinetoFile({ originUs: 5e9 })
    for (let step = 0; step < 4; step += 1) {
      const at = 1000 * step
      file
        .operator(`ProfilerStep#${String(step + 3)}`, [at, at + 1000], 'user_annotation')
        .call('hipLaunchKernel', 10 * step + 1, [at + 20, at + 25])
        .kernel('gemm', 10 * step + 1, [at + 30, at + 800])
        .call('hipMemcpyWithStream', 10 * step + 2, [at + 30, at + 815])
        .copy('HtoD (Host -> Device)', 10 * step + 2, [at + 805, at + 810], 64)
        .operator('aten::index', [at + 820, at + 1000])
    }
    const { replayed } = diagnosed((await opened(file.bytes())).trace)
    const waits = replayed.read.program.stretches.filter(({ awaits }) => awaits.length > 0)
    expect(waits.map(({ cause }) => cause)).toEqual(Array(4).fill('pageable-copies'))
  })

  it('what a function calls that launches nothing is its own, though the code is PyTorch’s', async () => {
    const file = new KinetoFile({ originUs: 5e9 })
    for (let step = 0; step < 4; step += 1) {
      const at = 1000 * step
      file
        .operator(`ProfilerStep#${String(step + 3)}`, [at, at + 1000], 'user_annotation')
        .operator('hooks.py(9): reset', [at + 10, at + 700], 'python_function')
        .operator('torch/nn/modules/module.py(2868): named_modules', [at + 20, at + 690], 'python_function')
        .call('cudaLaunchKernel', 10 * step + 1, [at + 720, at + 725])
        .kernel('gemm', 10 * step + 1, [at + 730, at + 990])
    }
    const { diagnosis } = diagnosed((await opened(file.bytes())).trace)
    expect(diagnosis.findings[0]).toMatchObject({ cause: 'host-code', what: 'reset()' })
  })

  it('a gap that two causes share has the larger one', async () => {
    const loop: Loop = { loaderUs: 2000, hostUs: 1990, launchUs: 60, read: true, kernels: 2 }
    const placed = placeTrace((await opened(simulate(loop).file.bytes())).trace)
    const [device] = summariseDevices(placed)
    const long = (device?.gaps ?? []).filter(({ durationNs }) => durationNs > 1e6)
    expect(new Set(long.map(({ cause }) => cause))).toEqual(new Set(['data-loading']))
  })

  it('one rank’s file says that another may set the pace', async () => {
    const { diagnosis } = await replayOf({ collectiveUs: 500, loaderUs: 3000, synchronize: true })
    expect(diagnosis.note).toMatch(/^One rank’s file/)
    expect(diagnosis.sentence).toContain('It may gain nothing')
  })

  it('batches of other processes come no faster, whatever else is removed', async () => {
    const loop: Loop = { workerUs: 5000, read: true }
    const { without } = await replayOf(loop)
    expect(without('data-loading')).toBeLessThan(simulate({ read: true }).stepUs * 1.01)
    expect(without('read-back')).toBeCloseTo(simulate({ workerUs: 5000 }).stepUs, 0)
  })

  it('a loader that nearly keeps up is ahead once the program waits less', async () => {
    const loop: Loop = { kernels: 100, kernelUs: 90, launchUs: 90, hostUs: 3000 }
    const slow = { ...loop, read: true }
    const { without } = await replayOf({ ...slow, workerUs: simulate(slow).stepUs + 150 })
    expect(without('read-back') / simulate(loop).stepUs).toBeCloseTo(1, 1)
  })

  describe('of two ranks', () => {
    const loop: Loop = { collectiveUs: 300, read: true }
    const joined = async () => {
      const both = simulateRanks(loop, { loaderUs: 2000 })
      const inputs = both.map(async ({ file }, rank) => ({
        file: `rank${String(rank)}.json`,
        trace: (await opened(file.bytes())).trace,
      }))
      const analysis = analyseRanks(await Promise.all(inputs))
      if (!analysis.joined) throw new Error('not joined')
      return { analysis, ...diagnosed(analysis.joined), nowUs: both[0].stepUs }
    }

    it('without the late one a step is as long as that of a rank on time', async () => {
      const { analysis, without, diagnosis } = await joined()
      expect(analysis.late?.rank).toBe(1)
      expect(without('late-rank')).toBeCloseTo(simulate(loop).stepUs, -1)
      expect(causes(diagnosis)).toContain('late-rank')
    })

    it('the late one comes no sooner when this rank reads nothing', async () => {
      const { without, nowUs } = await joined()
      expect(without('read-back')).toBeCloseTo(nowUs, -1)
    })

    it('it is late for what it does, not for the wait that its gap begins in', async () => {
      const { analysis } = await joined()
      expect(analysis.verdict.sentence).not.toContain('waits for results')
    })
  })
})

describe('replay of recorded loops', () => {
  const read = async (name: string) =>
    diagnosed((await opened(readFileSync(`public/recordings/torch-${name}.json.gz`))).trace)

  /** A recording, the cause to leave out, and the recording of the loop that was changed so. */
  const CHANGED: readonly (readonly [string, string, string])[] = [
    ['async-submission-awaited', 'synchronize', 'async-submission-queued'],
    ['overlapped-uploads-pageable', 'pageable-copies', 'overlapped-uploads-pinned'],
    ['overlapped-uploads-pinned', 'copies-in-line', 'overlapped-uploads-overlapped'],
    ['overlapped-uploads-serial', 'synchronize', 'overlapped-uploads-ring-2'],
    ['staging-buffers-pageable', 'pageable-copies', 'staging-buffers-ring'],
    ['stay-on-device-one-number', 'read-back', 'stay-on-device-nothing'],
    ['sync-stalls-stalled', 'read-back', 'sync-stalls-mended'],
  ]
  it.each(CHANGED)('%s without %s is as long as %s', async (name, cause, changed) => {
    const found = await read(name)
    const afterUs = (await read(changed)).replayed.replay.recordedNs / 1e3
    expect(causes(found.diagnosis)[0]).toBe(cause)
    expect(Math.abs(found.without(cause) / afterUs - 1)).toBeLessThan(0.02)
  })

  const MENDED = [
    'async-submission-queued',
    'overlapped-uploads-overlapped',
    'stay-on-device-nothing',
    'sync-stalls-late',
    'sync-stalls-mended',
    'tensor-residence-on-device',
  ]
  it.each(MENDED)('%s: no change gains anything', async (name) =>
    expect((await read(name)).diagnosis).toMatchObject({ verdict: 'well-fed', findings: [] }),
  )
})
