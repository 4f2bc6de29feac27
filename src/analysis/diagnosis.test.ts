import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KinetoFile } from '../formats/import/testing/kineto-file'
import { opened } from '../formats/import/testing/read-back'
import { placeTrace } from '../trace/place'
import { FRAME_CALLBACKS, RECORDED_PAGE, type Trace } from '../trace/schema'
import { summariseDevices } from './devices'
import { diagnose } from './diagnosis'
import { diagnosisText } from './diagnosis-words'
import { NAMED_SHARE, type Diagnosis } from './faults'
import { MS, Scene } from './testing/scene'

const diagnoseTrace = (trace: Trace): readonly Diagnosis[] => {
  const placed = placeTrace(trace)
  return diagnose(placed, summariseDevices(placed))
}
async function only(file: KinetoFile | Uint8Array): Promise<Diagnosis> {
  const [diagnosis, ...more] = diagnoseTrace(
    (await opened(file instanceof Uint8Array ? file : file.bytes())).trace,
  )
  if (!diagnosis || more.length > 0) throw new Error('not one device')
  return diagnosis
}
const faults = ({ findings }: Diagnosis) => findings.map(({ fault }) => fault)
const steps = Array.from({ length: 10 }, (_, step) => step)

/** Kernels of 800 µs, each read by `.item()`; the next is launched 200 µs after the last ended. */
function readInLoop(file = new KinetoFile(), withStack = true): KinetoFile {
  if (withStack) file.operator('train.py(12): <module>', [0, 10_200], 'python_function')
  for (const step of steps) {
    const at = step * 1000
    if (withStack) {
      file.operator('train.py(40): train_step', [at, at + 990], 'python_function')
      file.operator('torch/utils/_device.py(100): __torch_function__', [at + 29, at + 910], 'python_function')
      file.operator('<built-in method item of Tensor object at 0x7f>', [at + 30, at + 905], 'python_function')
    }
    file
      .call('cudaLaunchKernel', 10 * step + 1, [at, at + 10])
      .kernel('gemm', 10 * step + 1, [at + 20, at + 815])
      .operator('aten::item', [at + 30, at + 900])
      .operator('aten::_local_scalar_dense', [at + 31, at + 899])
      .call('cudaMemcpyAsync', 10 * step + 2, [at + 40, at + 50])
      .copy('DtoH (Device -> Pageable)', 10 * step + 2, [at + 818, at + 820], 4)
      .call('cudaStreamSynchronize', 10 * step + 3, [at + 55, at + 825])
  }
  return file
}

describe('diagnose: each fault', () => {
  it('a read in the loop, with the function and the call that the Python stacks show', async () => {
    const diagnosis = await only(readInLoop())
    expect(faults(diagnosis)).toEqual(['read-back'])
    const [finding] = diagnosis.findings
    expect(finding).toMatchObject({ count: 9, example: { type: 'gap' } })
    expect(finding?.us).toBeCloseTo(9 * 200, 6)
    expect(finding?.share).toBeCloseTo(1800 / 9800, 6)
    expect(finding?.source).toEqual({
      file: 'train.py',
      line: 40,
      name: 'train_step',
      method: 'item',
      share: 1,
    })
    expect(finding?.evidence).toContain('cudaStreamSynchronize() under aten::item')
    expect(diagnosis.sentence).toContain('18.4 % of the time')
  })

  it('the same without stacks: no line is made up', async () => {
    const diagnosis = await only(readInLoop(new KinetoFile(), false))
    expect(faults(diagnosis)).toEqual(['read-back'])
    expect(diagnosis.findings[0]?.source).toBeNull()
  })

  it('a wait that reads nothing', async () => {
    const file = new KinetoFile()
    for (const step of steps)
      file
        .call('cudaLaunchKernel', step + 1, [step * 1000, step * 1000 + 10])
        .kernel('gemm', step + 1, [step * 1000 + 20, step * 1000 + 800])
        .call('cudaDeviceSynchronize', step + 50, [step * 1000 + 30, step * 1000 + 810])
    expect(faults(await only(file))).toEqual(['synchronise'])
  })

  it('a next batch that is prepared after the wait', async () => {
    const file = new KinetoFile()
    for (const step of steps)
      file
        .call('cudaMemcpyAsync', 10 * step + 1, [step * 1000 + 300, step * 1000 + 305])
        .copy('HtoD (Pinned -> Device)', 10 * step + 1, [step * 1000 + 310, step * 1000 + 320], 4096)
        .call('cudaLaunchKernel', 10 * step + 2, [step * 1000 + 306, step * 1000 + 310])
        .kernel('gemm', 10 * step + 2, [step * 1000 + 321, step * 1000 + 990])
        .call('cudaEventSynchronize', 10 * step + 3, [step * 1000 + 330, step * 1000 + 995])
    const diagnosis = await only(file)
    expect(faults(diagnosis)).toEqual(['late-upload'])
    expect(diagnosis.minor.map(({ fault }) => fault)).toEqual([])
  })

  it('copies from pageable memory, with the gaps round them', async () => {
    const file = new KinetoFile()
    for (const step of steps)
      file
        .call('cudaMemcpyAsync', 10 * step + 1, [step * 1000, step * 1000 + 500])
        .copy('HtoD (Pageable -> Device)', 10 * step + 1, [step * 1000 + 20, step * 1000 + 490], 2 ** 20)
        .call('cudaLaunchKernel', 10 * step + 2, [step * 1000 + 540, step * 1000 + 550])
        .kernel('gemm', 10 * step + 2, [step * 1000 + 560, step * 1000 + 1010])
    const diagnosis = await only(file)
    expect(faults(diagnosis)).toEqual(['pageable-copies'])
    const [finding] = diagnosis.findings
    expect(finding).toMatchObject({ count: 10, example: { type: 'span' } })
    // 470 µs a copy, 70 from its end to the kernel, and 10 from that to the next copy, while the driver stages it.
    expect(finding?.us).toBeCloseTo(10 * 470 + 10 * 70 + 9 * 10, 6)
  })

  it('copies and kernels that take turns; what nothing could run beside does not count', async () => {
    const turns = new KinetoFile()
    const beside = new KinetoFile()
    for (const step of steps) {
      const at = step * 1000
      for (const [file, begin] of [
        [turns, at],
        // The next batch's copy, during this kernel; the first before any.
        [beside, step === 0 ? 0 : at - 600],
      ] as const)
        file
          .call('cudaMemcpyAsync', 10 * step + 1, [step, step + 0.2])
          .copy('HtoD (Pinned -> Device)', 10 * step + 1, [begin, begin + 300], 2 ** 20, 13)
          .call('cudaLaunchKernel', 10 * step + 2, [step + 0.4, step + 0.6])
          .kernel('gemm', 10 * step + 2, [at + 300, at + 999])
    }
    const diagnosis = await only(turns)
    expect(faults(diagnosis)).toEqual(['lone-copies'])
    expect(diagnosis.findings[0]?.us).toBeCloseTo(9 * 300, 6)
    expect((await only(beside)).findings.map(({ fault }) => fault)).not.toContain('lone-copies')
  })

  it('many kernels, each shorter than a launch', async () => {
    const file = new KinetoFile()
    for (let kernel = 0; kernel < 60; kernel += 1)
      file
        .call('cudaLaunchKernel', kernel + 1, [kernel * 10, kernel * 10 + 5])
        .kernel('add', kernel + 1, [kernel * 10 + 6, kernel * 10 + 9])
    const diagnosis = await only(file)
    expect(faults(diagnosis)).toEqual(['small-kernels'])
    expect(diagnosis.findings[0]?.evidence).toContain('A kernel takes 3 µs, a launch comes every 10 µs')
  })

  /** A kernel that is read, then `small` kernels of 3 µs, launched one every 10 µs from the end of the wait on; the wait is `waitedUs` long. */
  function readAndSmall(waitedUs: number, small: number): KinetoFile {
    const file = new KinetoFile()
    const length = waitedUs + 40 + 10 * small
    for (const step of steps) {
      const [at, id] = [step * length, step * 100]
      const waitedTo = at + 15 + waitedUs
      file
        .call('cudaLaunchKernel', id + 1, [at, at + 5])
        .kernel('gemm', id + 1, [at + 6, waitedTo - 4])
        .operator('aten::item', [at + 8, waitedTo + 1])
        .call('cudaMemcpyAsync', id + 2, [at + 9, at + 14])
        .copy('DtoH (Device -> Pageable)', id + 2, [waitedTo - 3, waitedTo - 1], 4)
        .call('cudaStreamSynchronize', id + 3, [at + 15, waitedTo])
      for (let kernel = 0; kernel < small; kernel += 1) {
        const launched = waitedTo + 10 + kernel * 10
        file
          .call('cudaLaunchKernel', id + 10 + kernel, [launched, launched + 5])
          .kernel('add', id + 10 + kernel, [launched + 6, launched + 9])
      }
    }
    return file
  }

  it('what follows a read is the read’s for as long as the wait was: the host had lost that lead', async () => {
    const diagnosis = await only(readAndSmall(400, 8))
    expect(faults(diagnosis)).toEqual(['read-back'])
    // One gap after each of 10 waits, and after each 7 more between small kernels; before the next read's kernel 9.
    expect(diagnosis.findings[0]?.evidence).toMatch(/10 gaps.* in 79 more gaps after them/)
    const idle = 1 - (diagnosis.busyRatio ?? 0)
    // All but the pause of 1 µs from each read kernel to its copy.
    expect(diagnosis.findings[0]?.share).toBeCloseTo(idle - 10 / diagnosis.spanUs, 6)
  })

  it('and no longer: kernels that are too small stay too small', async () => {
    const diagnosis = await only(readAndSmall(30, 60))
    expect(faults(diagnosis)[0]).toBe('small-kernels')
    const read = [...diagnosis.findings, ...diagnosis.minor].find(({ fault }) => fault === 'read-back')
    // Each wait gave 30 µs at most, and its own gap of 17 µs is among them.
    expect(read?.us).toBeLessThanOrEqual(10 * 30)
    expect(read?.us).toBeGreaterThanOrEqual(10 * 17)
  })

  it('short pauses between long kernels are the GPU’s own', async () => {
    const file = new KinetoFile()
    for (let kernel = 0; kernel < 60; kernel += 1)
      file
        .call('cudaLaunchKernel', kernel + 1, [kernel * 5, kernel * 5 + 4])
        .kernel('gemm', kernel + 1, [kernel * 20 + 6, kernel * 20 + 24])
    const diagnosis = await only(file)
    expect(diagnosis.excused.map(({ excuse }) => excuse)).toEqual(['between-kernels'])
    expect(faults(diagnosis)).toEqual([])
  })

  it('the host at other work: where, by the function it was in', async () => {
    const file = new KinetoFile()
    for (const step of steps) {
      const at = step * 1000
      file
        .operator('/home/me/augment.py(7): flip', [at + 505, at + 990], 'python_function')
        .call('cudaLaunchKernel', step + 1, [at, at + 10])
        .kernel('gemm', step + 1, [at + 20, at + 500])
    }
    const diagnosis = await only(file)
    expect(faults(diagnosis)).toEqual(['host-busy'])
    expect(diagnosis.findings[0]?.source).toMatchObject({
      file: '/home/me/augment.py',
      line: 7,
      name: 'flip',
    })
    expect(diagnosis.findings[0]?.evidence).toContain('/home/me/augment.py(7): flip')
  })

  it('the host loading data', async () => {
    const file = new KinetoFile()
    for (const step of steps) {
      const at = step * 1000
      file
        .operator('train.py(3): <module>', [at, at + 1000], 'python_function')
        .operator('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', [at + 505, at + 990])
        .call('cudaLaunchKernel', step + 1, [at + 1, at + 10])
        .kernel('gemm', step + 1, [at + 20, at + 500])
    }
    const diagnosis = await only(file)
    expect(faults(diagnosis)).toEqual(['data-loading'])
    expect(diagnosis.findings[0]?.source).toMatchObject({ file: 'train.py', name: '<module>' })
  })

  it('work that was queued and began late', async () => {
    const file = new KinetoFile()
    for (const step of steps)
      file
        .call('cudaLaunchKernel', step + 1, [step, step + 0.5])
        .kernel('gemm', step + 1, [step * 1000 + 20, step * 1000 + 500])
    expect(faults(await only(file))).toEqual(['slow-start'])
  })

  it('collectives with nothing beside them: waiting cannot be distinguished from moving', async () => {
    const file = new KinetoFile()
    for (const step of steps)
      file
        .call('cudaLaunchKernel', 10 * step + 1, [step, step + 0.2])
        .kernel('gemm', 10 * step + 1, [step * 1000, step * 1000 + 600])
        .call('cudaLaunchKernelExC', 10 * step + 2, [step + 0.3, step + 0.5])
        .kernel(
          'ncclDevKernel_AllReduce_Sum_f32_RING_LL',
          10 * step + 2,
          [step * 1000 + 500, step * 1000 + 999],
          24,
        )
    const diagnosis = await only(file)
    expect(faults(diagnosis)).toEqual(['collectives'])
    expect(diagnosis.findings[0]?.us).toBeCloseTo(10 * 399, 6)
    expect(diagnosis.parts.collectiveUs).toBeCloseTo(10 * 399, 6)
  })
})

describe('diagnose: no fault', () => {
  it('a device that always has work is said to be well fed', async () => {
    const file = new KinetoFile()
    for (const step of steps)
      file
        .call('cudaLaunchKernel', step + 1, [step, step + 0.5])
        .kernel('gemm', step + 1, [step * 100 + 20, step * 100 + 119])
    const diagnosis = await only(file)
    expect(diagnosis).toMatchObject({ verdict: 'well-fed', findings: [] })
    expect(diagnosis.sentence).toContain('99.1 % of the time')
  })

  it('waits before the first work and after the last are none', async () => {
    const file = new KinetoFile()
      .call('cudaDeviceSynchronize', 90, [-5000, -10])
      .call('cudaLaunchKernel', 1, [0, 5])
      .kernel('gemm', 1, [10, 500])
      .call('cudaDeviceSynchronize', 91, [600, 9000])
    expect(await only(file)).toMatchObject({ verdict: 'well-fed', spanUs: 490 })
  })

  it('the profiler’s own time is not the program’s', async () => {
    const file = new KinetoFile()
    for (const step of steps)
      file
        .call('cudaLaunchKernel', step + 1, [step * 1000, step * 1000 + 10])
        .kernel('gemm', step + 1, [step * 1000 + 20, step * 1000 + 500])
        .add({
          ph: 'X',
          cat: 'overhead',
          name: 'Buffer Flush',
          pid: -1,
          tid: 0,
          ts: 1_700_000_000_000_000 + step * 1000 + 510,
          dur: 480,
        })
    const diagnosis = await only(file)
    expect(diagnosis.verdict).toBe('excused')
    expect(diagnosis.excused.map(({ excuse }) => excuse)).toEqual(['profiler'])
    expect(diagnosis.sentence).toContain('profiler')
  })

  it('the first step’s warm-up is not the program’s, nor does it hide what is', async () => {
    const stepped = (file: KinetoFile, firstUs: number): KinetoFile => {
      for (const step of steps) {
        const from = step === 0 ? 0 : firstUs + (step - 1) * 1000
        const to = firstUs + step * 1000
        file.operator(`ProfilerStep#${String(step + 3)}`, [from, to], 'user_annotation')
        for (const [half, begin] of [from, to - 500].entries())
          file
            .call('cudaLaunchKernel', 10 * step + half + 1, [begin, begin + 5])
            .kernel('gemm', 10 * step + half + 1, [begin + 6, begin + 490])
      }
      return file
    }
    const warm = await only(stepped(new KinetoFile(), 9000))
    expect(warm).toMatchObject({ verdict: 'excused', excused: [{ excuse: 'first-step' }] })
    const even = await only(stepped(new KinetoFile(), 1000))
    expect(even.excused).not.toContainEqual(expect.objectContaining({ excuse: 'first-step' }))
  })

  it('names no cause where the file names no calls, or the clocks are not tied', async () => {
    const uncalled = new KinetoFile()
    for (const step of steps) uncalled.kernel('gemm', step + 1, [step * 1000, step * 1000 + 500])
    expect(await only(uncalled)).toMatchObject({ verdict: 'unexplained', findings: [] })

    const scene = new Scene({ boundMs: null })
    for (const step of steps) {
      scene.submit(step, 10 * step, 10 * step + 1)
      scene.pass(step, 10 * step + 2, 10 * step + 5)
    }
    const { trace } = scene.place()
    const [diagnosis] = diagnoseTrace({ ...trace, info: { ...trace.info, experiment: '' } })
    expect(diagnosis).toMatchObject({ verdict: 'unexplained', findings: [] })
    expect(diagnosis?.note).toContain('could not be tied')
  })

  it('says nothing of a run of the lab’s, nor of a file without a device', async () => {
    const { trace } = await opened(readFileSync('public/recordings/sync-stalls.hdl.gz'))
    expect(diagnoseTrace(trace)).toMatchObject([{ verdict: 'lab-run', findings: [] }])
    expect(
      diagnoseTrace((await opened(new KinetoFile().operator('aten::add', [0, 1]).bytes())).trace),
    ).toEqual([])
  })

  it('WebGPU: a read awaited in the loop, by its role', () => {
    const scene = new Scene()
    for (const step of steps) {
      const at = 10 * step
      scene.submit(step, at, at + 1)
      scene.pass(step, at + 1, at + 6)
      scene.onHost('host-wait', 'mapAsync()', at + 1, at + 9, { role: 'wait-map', submission: step })
    }
    const { trace } = scene.place()
    const [diagnosis] = diagnoseTrace({ ...trace, info: { ...trace.info, experiment: '' } })
    expect(diagnosis?.findings.map(({ fault }) => fault)).toEqual(['read-back'])
    const [ofPage] = diagnoseTrace({ ...trace, info: { ...trace.info, experiment: RECORDED_PAGE } })
    expect(ofPage?.findings.map(({ fault }) => fault)).toEqual(['read-back'])
    expect(ofPage?.findings[0]?.mend).toContain('mapAsync()')
  })

  describe('a page with frames of 16 ms', () => {
    /** Each: callbacks, then a pass of 2 ms right after the submit; `more`: what the host does besides. */
    const framed = (callbacksMs: number, submitMs: number, more?: (scene: Scene, at: number) => void) => {
      const scene = new Scene()
      const counter = scene.builder.addCounter({ name: FRAME_CALLBACKS, unit: 'ns', lane: scene.host })
      for (const step of steps) {
        const at = 1000 + 16 * step
        scene.tag = { variant: 'frames', repeat: step, step: -1 }
        scene.onHost('window', 'frame', at, at + 16)
        scene.builder.addCounterSample(counter, at * MS, callbacksMs * MS)
        scene.onHost('encode', 'encode', at + submitMs - 0.2, at + submitMs)
        scene.submit(step, at + submitMs, at + submitMs + 0.05)
        scene.pass(step, at + submitMs + 0.1, at + submitMs + 2.1)
        more?.(scene, at)
      }
      const { trace } = scene.place()
      const [diagnosis] = diagnoseTrace({ ...trace, info: { ...trace.info, experiment: RECORDED_PAGE } })
      return diagnosis
    }

    it('that does little waits for the next one: nobody’s fault', () => {
      const waiting = framed(1, 0.9)
      expect(waiting?.findings).toEqual([])
      expect(waiting?.verdict).toBe('excused')
      expect(waiting?.excused.map(({ excuse }) => excuse)).toEqual(['between-frames'])
      expect(waiting?.sentence).toContain('between frames, while the page waited for the next one')
    })

    it('whose callbacks take the frame is busy', () => {
      expect(framed(15.5, 15)?.findings.map(({ fault }) => fault)).toEqual(['host-busy'])
      // Encoded in what follows a callback that only resolves a promise: until its last call it is at work.
      expect(framed(0, 15)?.findings.map(({ fault }) => fault)).toEqual(['host-busy'])
    })

    it('that awaits a result for most of it waits for that', () => {
      const reading = framed(1, 0.9, (scene, at) => {
        scene.onHost('host-wait', 'mapAsync()', at + 1, at + 14, { role: 'wait-map' })
      })
      expect(reading?.findings.map(({ fault }) => fault)).toEqual(['read-back'])
    })
  })
})

describe('diagnose: the recordings', () => {
  const RECORDED: Readonly<Record<string, readonly string[]>> = {
    'async-submission-awaited': [],
    'async-submission-queued': [],
    'overlapped-uploads-overlapped': [],
    'overlapped-uploads-pageable': ['pageable-copies'],
    'overlapped-uploads-pinned': ['lone-copies'],
    'overlapped-uploads-ring-1': ['late-upload'],
    'overlapped-uploads-ring-2': [],
    'overlapped-uploads-ring-3': [],
    'overlapped-uploads-serial': ['late-upload'],
    'sync-stalls-mended': [],
    'sync-stalls-stalled': ['read-back'],
  }
  it.each(Object.entries(RECORDED))('%s: %j', async (name, expected) => {
    const diagnosis = await only(readFileSync(`public/recordings/torch-${name}.json.gz`))
    expect(faults(diagnosis)).toEqual(expected)
    expect(diagnosis.verdict).toBe(expected.length > 0 ? 'faults' : 'well-fed')
    const { workUs, copyUs, collectiveUs, idleUs } = diagnosis.parts
    expect(workUs + copyUs + collectiveUs + idleUs).toBeCloseTo(diagnosis.spanUs, 3)
    expect(diagnosisText(diagnosis, () => null)).toContain(diagnosis.sentence)
  })
})

describe('diagnose: of any trace', () => {
  const step = fc.record({
    before: fc.integer({ min: 0, max: 400 }),
    runs: fc.integer({ min: 1, max: 500 }),
    what: fc.constantFrom(
      'gemm',
      'HtoD (Pageable -> Device)',
      'HtoD (Pinned -> Device)',
      'DtoH (Device -> Pinned)',
      'ncclDevKernel_AllReduce',
    ),
    stream: fc.constantFrom(7, 13),
    waits: fc.boolean(),
    overlaps: fc.boolean(),
  })
  const made = fc.array(step, { minLength: 2, maxLength: 40 })
  /** `tids`: of the streams and the thread, so that lanes come in another order. */
  function build(
    all: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
    reversed: boolean,
  ): KinetoFile {
    const file = new KinetoFile()
    let clock = 0
    const adds = all.map(({ before, runs, what, stream, waits, overlaps }, index) => {
      const calledAt = clock + before + index / 128
      const begin = overlaps ? Math.max(0, calledAt - 50) : calledAt + 5
      clock = begin + runs
      return () => {
        file.call(what.includes('Device') ? 'cudaMemcpyAsync' : 'cudaLaunchKernel', index + 1, [
          Math.min(calledAt, begin),
          Math.min(calledAt, begin) + 1,
        ])
        if (what.includes('Device')) file.copy(what, index + 1, [begin, begin + runs], 2 ** 20, stream)
        else file.kernel(what, index + 1, [begin, begin + runs], stream)
        if (waits) file.call('cudaStreamSynchronize', 1000 + index, [begin, begin + runs + 1])
      }
    })
    for (const add of reversed ? adds.reverse() : adds) add()
    return file
  }

  it('shares are of disjoint time: they never sum over 1, and the parts are the extent', async () => {
    await fc.assert(
      fc.asyncProperty(made, async (all) => {
        const diagnosis = await only(build(all, false))
        const { findings, minor, excused, parts, spanUs } = diagnosis
        const shares = [...findings, ...minor, ...excused].map(({ share }) => share)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9)
        expect(shares.every((share) => share >= 0)).toBe(true)
        expect(parts.workUs + parts.copyUs + parts.collectiveUs + parts.idleUs).toBeCloseTo(spanUs, 3)
        for (const { share } of minor) expect(share).toBeLessThan(NAMED_SHARE)
        const us = findings.map((finding) => finding.us)
        expect(us).toEqual([...us].sort((a, b) => b - a))
      }),
      { numRuns: 60 },
    )
  })

  it('the order of events and lanes in the file changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(made, async (all) => {
        const plain = ({ findings, minor, sentence, parts }: Diagnosis) => ({
          sentence,
          parts: Object.values(parts).map((part) => Math.round(part * 100)),
          found: [...findings, ...minor].map(({ fault, us, count }) => [fault, Math.round(us * 100), count]),
        })
        expect(plain(await only(build(all, true)))).toEqual(plain(await only(build(all, false))))
      }),
      { numRuns: 60 },
    )
  })
})
