import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { simulate } from './testing/training-loop'
import { KinetoFile } from '../trace/formats/import/testing/kineto-file'
import { opened } from '../trace/formats/import/testing/read-back'
import { placeTrace } from '../trace/place'
import { FRAME_CALLBACKS, RECORDED_PAGE, type Trace } from '../trace/schema'
import { analyse } from './diagnosis'
import { diagnosisText } from './diagnosis-words'
import { MINOR_SHARE, NAMED_GAIN, type Diagnosis } from './findings'
import { MS, Scene } from './testing/scene'

const diagnoseTrace = (trace: Trace): readonly Diagnosis[] => analyse(placeTrace(trace)).diagnoses
async function only(file: KinetoFile | Uint8Array): Promise<Diagnosis> {
  const [diagnosis, ...more] = diagnoseTrace(
    (await opened(file instanceof Uint8Array ? file : file.bytes())).trace,
  )
  if (!diagnosis || more.length > 0) throw new Error('not one device')
  return diagnosis
}
const causes = ({ findings }: Diagnosis) => findings.map(({ cause }) => cause)
const steps = Array.from({ length: 10 }, (_, step) => step)

describe('diagnose: what a finding says', () => {
  /**
   * Kernels of 800 µs, each read by `.item()`; the next is launched 200 µs after the last ended.
   */
  function readInLoop(withStack: boolean): KinetoFile {
    const file = new KinetoFile({ originUs: 5e9 })
    if (withStack) file.operator('train.py(12): <module>', [0, 10_200], 'python_function')
    for (const step of steps) {
      const at = step * 1000
      file.operator(`ProfilerStep#${String(step + 3)}`, [at, at + 1000], 'user_annotation')
      if (withStack)
        file
          .operator('train.py(40): train_step', [at + 1, at + 990], 'python_function')
          .operator('torch/utils/_device.py(100): __torch_function__', [at + 29, at + 910], 'python_function')
          .operator('<built-in method item of Tensor object at 0x7f>', [at + 30, at + 905], 'python_function')
      file
        .call('cudaLaunchKernel', 10 * step + 1, [at + 2, at + 10])
        .kernel('gemm', 10 * step + 1, [at + 20, at + 815])
        .operator('aten::item', [at + 31, at + 900])
        .operator('aten::_local_scalar_dense', [at + 32, at + 899])
        .call('cudaMemcpyAsync', 10 * step + 2, [at + 40, at + 50])
        .copy('DtoH (Device -> Pageable)', 10 * step + 2, [at + 818, at + 820], 4)
        .call('cudaStreamSynchronize', 10 * step + 3, [at + 55, at + 825])
    }
    return file
  }

  it('has the function and the call that the Python stacks show, and the gap in the timeline', async () => {
    const diagnosis = await only(readInLoop(true))
    const [first] = diagnosis.findings
    expect(first).toMatchObject({ cause: 'read-back', what: 'aten::_local_scalar_dense' })
    expect(first?.line).toMatchObject({ file: 'train.py', line: 40, name: 'train_step', method: 'item' })
    expect(first?.line?.share).toBeCloseTo(1, 6)
    expect(first?.example?.type).toBe('gap')
    expect(diagnosis.sentence).toBe(first?.sentence)
    const text = diagnosisText(diagnosis, (mends) => (mends === 'read-back' ? 'sync-stalls' : null))
    expect(text).toContain(`${diagnosis.sentence} `.trim())
    expect(text).toContain('In train.py(40): train_step, .item()')
    expect(text).toContain('Lesson: sync-stalls.')
    expect(text).toContain('The file holds 10 steps, taken from the profiler’s marks')
  })

  it('makes up no line where there are no stacks', async () => {
    const [first] = (await only(readInLoop(false))).findings
    expect(first).toMatchObject({ cause: 'read-back', line: null })
  })
})

describe('diagnose: no fault', () => {
  it.each([
    ['transformer-fp32', /^Float32 matmuls run .* for 80.1 % of the time. In TF32, .* 2.2 times as/],
    ['optimizer-innocent', /^Float32 matmuls .* In TF32, a step would take .* 3.9 times as fast/],
    ['copies-in-line', /^With copies on their own stream/],
  ])('%s: float32 comes first where the first change may gain nothing', async (loop, sentence) => {
    const diagnosis = await only(readFileSync(`bench/interventions/profiles/${loop}.json.gz`))
    expect(diagnosis.sentence).toMatch(sentence)
    expect(diagnosis.note).toContain('allows TF32')
  })

  it.each([
    ['ampere_sgemm_128x64_nn', 'NVIDIA H200', true],
    ['ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_nn', 'NVIDIA H200', false],
    ['ampere_sgemm_128x64_nn', 'NVIDIA GeForce GTX 1080', false],
  ])('%s on %s: float32 off the tensor cores is named: %s', async (kernel, deviceName, isNamed) => {
    const file = new KinetoFile({ deviceName })
    for (const step of steps)
      file
        .call('cudaLaunchKernel', step + 1, [step, step + 0.5])
        .kernel(kernel, step + 1, [step * 100 + 20, step * 100 + 119])
    expect((await only(file)).note.includes('run without tensor cores for 99.1 % of the time')).toBe(isNamed)
  })

  it.each([
    ['matmuls that keep the GPU busy', 'ampere_sgemm_128x64_nn', {}, { isFirst: true }],
    ['matmuls that wait for the host', 'ampere_sgemm_128x64_nn', { hostUs: 4000 }, null],
    [
      'convolutions, which may use TF32 already',
      'void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>',
      {},
      { without: null },
    ],
  ])('float32 %s: what TF32 would gain', async (_, kernel, loop, said) => {
    const { file } = simulate({ kernel, device: 'NVIDIA H200', ...loop })
    const { float32 } = await only(file)
    if (said === null) expect(float32).toBeNull()
    else expect(float32).toMatchObject(said)
  })

  it('json-logging: what the profiler alone made idle is said to be under it', async () => {
    const { sentence, note } = await only(readFileSync('bench/interventions/profiles/json-logging.json.gz'))
    expect(sentence).toMatch(/^Nothing on the host .* busy 44.6 % of the time under the profiler, and/)
    expect(note).toMatch(/A step took .* under the profiler, and 6.59 ms without it\./)
  })

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

  it('the profiler’s own time is not the program’s', async () => {
    const file = new KinetoFile()
    for (const step of steps) {
      const [at, ts] = [step * 1000, 1_700_000_000_000_000 + step * 1000 + 12]
      file
        .call('cudaLaunchKernel', step + 1, [at, at + 10])
        .kernel('gemm', step + 1, [at + 20, at + 500])
        .add({ ph: 'X', cat: 'overhead', name: 'Buffer Flush', pid: -1, tid: 0, ts, dur: 985 })
    }
    const diagnosis = await only(file)
    expect(causes(diagnosis)).not.toContain('host-code')
    expect(diagnosis.excused.map(({ excuse }) => excuse)).toEqual(['profiler'])
  })

  it('the first step’s warm-up changes nothing of what is found', async () => {
    const stepped = (firstUs: number): KinetoFile => {
      const file = new KinetoFile({ originUs: 5e9 })
      for (const step of steps) {
        const from = step === 0 ? 0 : firstUs + (step - 1) * 1000
        const to = firstUs + step * 1000
        file
          .operator(`ProfilerStep#${String(step + 3)}`, [from, to], 'user_annotation')
          .call('cudaLaunchKernel', step + 1, [to - 600, to - 595])
          .kernel('gemm', step + 1, [to - 592, to - 100])
          .call('cudaDeviceSynchronize', step + 50, [to - 594, to - 98])
      }
      return file
    }
    const [warm, even] = [await only(stepped(9000)), await only(stepped(1000))]
    expect(causes(warm)).toEqual(causes(even))
    expect(warm.steps?.medianUs).toBeCloseTo(even.steps?.medianUs ?? 0, 3)
    for (const [index, { without }] of warm.findings.entries())
      expect(without?.gain).toBeCloseTo(even.findings[index]?.without?.gain ?? 0, 2)
  })

  it('names no cause where the file names no calls, or the clocks are not tied', async () => {
    const uncalled = new KinetoFile()
    for (const step of steps) uncalled.kernel('gemm', step + 1, [step * 1000, step * 1000 + 500])
    expect(await only(uncalled)).toMatchObject({ verdict: 'unexplained', findings: [], steps: null })

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
    expect(diagnosis?.findings.map(({ cause }) => cause)).toEqual(['read-back'])
    const [ofPage] = diagnoseTrace({ ...trace, info: { ...trace.info, experiment: RECORDED_PAGE } })
    expect(ofPage?.findings.map(({ cause }) => cause)).toEqual(['read-back'])
    expect(ofPage?.findings[0]?.mend).toContain('mapAsync()')
  })

  describe('a page with frames', () => {
    /**
     * Each: callbacks, then a pass of 2 ms right after the submit; `more`: what the host does
     * besides.
     */
    const framed = (
      callbacksMs: number,
      submitMs: number,
      more?: (scene: Scene, at: number) => void,
      everyMs = 16,
    ) => {
      const scene = new Scene()
      const counter = scene.builder.addCounter({ name: FRAME_CALLBACKS, unit: 'ns', lane: scene.host })
      for (const step of steps) {
        const at = 1000 + everyMs * step
        scene.tag = { variant: 'frames', repeat: step, step: -1 }
        scene.onHost('window', 'frame', at, at + everyMs)
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

    it('whose callbacks take several frames of the display would be as fast as it without them', () => {
      const slow = framed(40, 39, undefined, 48)
      expect(slow?.findings.map(({ cause }) => cause)).toEqual(['host-code'])
      expect(slow?.sentence).toMatch(
        /^Without the script’s other work, a frame would take 16(?:\.\d)? ms instead of 48 ms, 3 /,
      )
      expect(slow?.findings[0]?.evidence).toContain('runs for 39.8 ms of a frame')
      // In time for each of them it holds nothing up.
      expect(framed(15.5, 15)?.findings).toEqual([])
      // Encoded in what follows a callback that only resolves a promise: nobody saw what it did
      // until then.
      const unseen = framed(0, 15)
      expect([unseen?.findings, unseen?.verdict]).toEqual([[], 'unexplained'])
    })

    it('that is late for a result in each frame gains what it waits, in whole frames', () => {
      const late = framed(
        1,
        0.9,
        (scene, at) => {
          scene.onHost('host-wait', 'mapAsync()', at + 1, at + 40, {
            role: 'wait-map',
            submission: Math.round((at - 1000) / 48),
          })
        },
        48,
      )
      expect(late?.sentence).toMatch(
        /^Without reading results back, a frame would take 16(?:\.\d)? ms instead of 48 ms/,
      )
    })

    it('that reads results, and begins its frames in time all the same, waits for frames', () => {
      const reading = framed(1, 0.9, (scene, at) =>
        scene.onHost('host-wait', 'mapAsync()', at + 1, at + 14, { role: 'wait-map' }),
      )
      expect(reading?.findings).toEqual([])
      expect(reading?.excused.map(({ excuse }) => excuse)).toEqual(['between-frames'])
    })
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
    const file = new KinetoFile({ originUs: 5e9 })
    let clock = 0
    let free = 0
    const adds = all.map(({ before, runs, what, stream, waits, overlaps }, index) => {
      const calledAt = clock + before
      // A thread makes one call after the other.
      const begin = Math.max(free + 2, overlaps ? calledAt - 50 : calledAt + 5)
      const call = Math.max(free, Math.min(calledAt, begin - 2))
      const end = begin + runs
      clock = end
      free = waits ? end + 1 : call + 1
      return () => {
        const name = what.includes('Device') ? 'cudaMemcpyAsync' : 'cudaLaunchKernel'
        file.call(name, index + 1, [call, call + 1])
        if (what.includes('Device')) file.copy(what, index + 1, [begin, end], 2 ** 20, stream)
        else file.kernel(what, index + 1, [begin, end], stream)
        if (waits) file.call('cudaStreamSynchronize', 1000 + index, [call + 1, end + 1])
      }
    })
    for (const add of reversed ? adds.reverse() : adds) add()
    return file
  }

  it('a prediction lies in its range, gains, and the parts are the extent', async () => {
    await fc.assert(
      fc.asyncProperty(made, async (all) => {
        const diagnosis = await only(build(all, false))
        const { findings, minor, parts, spanUs, steps: found } = diagnosis
        const sum = parts.workUs + parts.copyUs + parts.collectiveUs + parts.idleUs
        expect(sum).toBeCloseTo(spanUs, 3)
        for (const { share, without, together } of [...findings, ...minor]) {
          expect(share).toBeGreaterThanOrEqual(MINOR_SHARE)
          expect(share).toBeLessThanOrEqual(1)
          if (!found) continue
          const { low = 0, stepUs = 0, high = 0, gain = 0 } = together?.gain ?? without ?? {}
          expect(low).toBeLessThanOrEqual(stepUs)
          expect(stepUs).toBeLessThanOrEqual(high)
          expect(high).toBeLessThanOrEqual(found.replayedUs + 1e-6)
          expect(gain * stepUs).toBeCloseTo(found.replayedUs, 3)
        }
        for (const { without } of minor) expect(without?.gain ?? 1).toBeLessThan(NAMED_GAIN)
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
          found: [...findings, ...minor].map(({ cause, usPerStep }) => [cause, Math.round(usPerStep * 100)]),
        })
        expect(plain(await only(build(all, true)))).toEqual(plain(await only(build(all, false))))
      }),
      { numRuns: 60 },
    )
  })
})
