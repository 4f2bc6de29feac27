// Made-up files that the replay must not take for a loop, or must read with care.
import { describe, expect, it } from 'vitest'
import { KinetoFile } from '../../trace/formats/import/testing/kineto-file'
import { opened } from '../../trace/formats/import/testing/read-back'
import type { Trace } from '../../trace/schema'
import { placeTrace } from '../../trace/place'
import { analyse } from '../diagnosis'
import type { Diagnosis } from '../findings'
import { diagnosed, simulate, type Loop } from '../testing/training-loop'

const causes = ({ findings }: Diagnosis) => findings.map(({ cause }) => cause)

describe('replay of files that are not a loop on one device', () => {
  type Event = ReturnType<typeof simulate>['file']['events'][number]
  const argsOf = ({ args }: Event) => args as Readonly<Record<string, number>>
  const changed = async (loop: Loop, change: (event: Event, index: number) => Event) => {
    const { file } = simulate(loop)
    for (const [index, event] of file.events.entries()) file.events[index] = change(event, index)
    return (await opened(file.bytes())).trace
  }
  const problem = (trace: Trace) => {
    const { reasons, devices } = analyse(placeTrace(trace))
    return reasons?.replayOf(devices[0]?.id ?? '')
  }
  const isKernel = ({ cat }: Event) => cat === 'kernel'

  it('nothing is predicted where the process drives two devices', async () => {
    const second = { pid: 1, args: { device: 1, stream: 7 } }
    const onSecond = (event: Event, index: number): Event =>
      isKernel(event) && index % 4 === 2
        ? { ...event, pid: second.pid, args: { ...argsOf(event), ...second.args } }
        : event
    expect(problem(await changed({ read: true }, onSecond))).toMatch(/several devices/)
  })

  it('nor where each launch waits for its kernel', async () => {
    const { file } = simulate({ kernels: 20 })
    const endOf = ({ ts, dur }: Event) => Number(ts) + Number(dur)
    const ends = new Map(
      file.events.filter(isKernel).map((event) => [argsOf(event)['correlation'], endOf(event)]),
    )
    const blocked = (event: Event): Event =>
      event.name === 'cudaLaunchKernel'
        ? { ...event, dur: (ends.get(argsOf(event)['correlation']) ?? 0) + 1 - Number(event.ts) }
        : event
    expect(problem(await changed({ kernels: 20 }, blocked))).toMatch(/CUDA_LAUNCH_BLOCKING/)
  })

  it('nor where launches are captured into a graph', async () => {
    const { file } = simulate({ kernels: 4 })
    const [first] = file.events.filter(({ name }) => name === 'cudaLaunchKernel')
    const at = Number(first?.ts) + 10
    const call = (name: string, correlation: number, ts: number) =>
      file.add({ ...first, name, ts, dur: 1, args: { correlation } })
    call('cudaStreamBeginCapture', 90_000, at)
    for (let each = 1; each < 1000; each += 1) call('cudaLaunchKernel', 90_000 + each, at + each)
    call('cudaStreamEndCapture', 99_000, at + 1001)
    expect(problem((await opened(file.bytes())).trace)).toMatch(/capture kernels into a graph/)
  })

  it('nor where nothing repeats and no record names most of the time', async () => {
    const paused = (lastUs: number) =>
      new KinetoFile({ originUs: 5e9 })
        .operator('aten::mm', [0, 6])
        .call('cudaLaunchKernel', 1, [0, 5])
        .kernel('gemm', 1, [10, 500])
        .call('cudaLaunchKernel', 2, [lastUs, lastUs + 5])
        .kernel('gemm', 2, [lastUs + 10, lastUs + 500])
        .call('cudaDeviceSynchronize', 3, [lastUs + 20, lastUs + 510])
    const problemOf = async (lastUs: number) => problem((await opened(paused(lastUs).bytes())).trace)
    expect(await problemOf(5000)).toMatch(/recording itself/)
    expect(await problemOf(300)).not.toBeTypeOf('string')
  })

  /** 20 products once, each dispatched in 10 µs and computed in 100, and a wait at the end. */
  const once = (within: (file: KinetoFile) => KinetoFile = (file) => file) => {
    const file = within(new KinetoFile({ originUs: 5e9 }))
    for (let at = 0; at < 20; at += 1)
      file
        .call('cudaLaunchKernel', 1 + at, [10 * at + 2, 10 * at + 7])
        .kernel(`gemm${String(at)}`, 1 + at, [10 + 100 * at, 110 + 100 * at])
    return file.call('cudaDeviceSynchronize', 99, [220, 2015])
  }
  const operators = (file: KinetoFile) => {
    for (let at = 0; at < 20; at += 1) file.operator('aten::mm', [10 * at, 10 * at + 9])
    return file
  }

  it('a wait at the end of a file in which nothing repeats holds no loop up', async () => {
    const { diagnosis } = diagnosed((await opened(once(operators).bytes())).trace)
    expect(diagnosis).toMatchObject({ verdict: 'well-fed', findings: [], steps: { from: 'extent' } })
  })

  it('the profiler’s own time in a first launch is no part of the step', async () => {
    const step = (askedUs: number) => {
      const file = new KinetoFile({ originUs: 5e9 })
      for (let at = 0; at < 20; at += 1) {
        const from = 100 * at + (at > 0 ? askedUs : 0)
        file
          .operator('aten::mm', [from, from + 90 + (at > 0 ? 0 : askedUs)])
          .call('cudaLaunchKernel', 1 + at, [from + 20, from + 80 + (at > 0 ? 0 : askedUs)])
          .kernel(`gemm${String(at)}`, 1 + at, [100 * at + 70 + askedUs, 100 * at + 90 + askedUs])
      }
      const asked = { name: 'Activity Buffer Request', ts: 5e9 + 30, dur: askedUs }
      return askedUs > 0 ? file.add({ ph: 'X', cat: 'overhead', pid: -1, tid: 0, ...asked }) : file
    }
    const stepsOf = async (askedUs: number) =>
      diagnosed((await opened(step(askedUs).bytes())).trace).diagnosis
    const [plain, asking] = [await stepsOf(0), await stepsOf(3000)]
    expect(asking.steps).toMatchObject({ profilerUs: 3000, replayedUs: plain.steps?.replayedUs })
    expect(asking.findings[0]?.without).toEqual(plain.findings[0]?.without)
  })

  it('a device that is idle where no change gains anything is not called well fed', async () => {
    const file = new KinetoFile({ originUs: 5e9 })
    // Three threads, each kept as long by something else.
    const LOADER = 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__'
    for (let step = 0; step < 4; step += 1) {
      const at = 10_000 * step
      file.operator(`ProfilerStep#${String(step)}`, [at, at + 10_000], 'user_annotation')
      for (const [thread, name] of ['aten::mul', 'cudaFree', LOADER].entries()) {
        const [id, tid, from] = [3 * step + thread + 1, file.pid + thread, at + 9910 + thread]
        file
          .add({ ph: 'X', cat: 'cpu_op', name, pid: file.pid, tid, ts: 5e9 + at + 10, dur: 9890 })
          .call('cudaLaunchKernel', id, [from, from + 20], tid)
          .kernel(`gemm${String(thread)}`, id, [at + 9935 + 20 * thread, at + 9945 + 20 * thread])
      }
    }
    const { diagnosis } = diagnosed((await opened(file.bytes())).trace)
    expect(diagnosis).toMatchObject({ verdict: 'unexplained', findings: [] })
  })

  it('Python’s garbage collector is named where the file has it', async () => {
    const file = new KinetoFile({ originUs: 5e9 })
    for (let step = 0; step < 4; step += 1) {
      const at = 10_000 * step
      file
        .operator(`ProfilerStep#${String(step)}`, [at, at + 10_000], 'user_annotation')
        .operator('train.py(12): step', [at, at + 9900], 'python_function')
        .operator('Python GC', [at + 500, at + 9500], 'python_function')
        .operator('aten::mm', [at + 9600, at + 9700])
        .call('cudaLaunchKernel', step + 1, [at + 9650, at + 9660])
        .kernel('gemm', step + 1, [at + 9670, at + 10_500])
    }
    const { diagnosis } = diagnosed((await opened(file.bytes())).trace)
    expect(diagnosis.sentence).toContain('Without Python’s garbage collector')
    expect(diagnosis.findings[0]?.mend).toContain('gc.freeze()')
  })

  it('a loop that launches graphs is not told to use them', async () => {
    const file = new KinetoFile({ originUs: 5e9 })
    for (let step = 0; step < 6; step += 1) {
      const at = 2000 * step
      file.operator(`ProfilerStep#${String(step)}`, [at, at + 2000], 'user_annotation')
      for (let launch = 0; launch < 40; launch += 1) {
        const [id, from] = [100 * step + launch + 1, at + 45 * launch]
        const call = launch === 0 ? 'cudaGraphLaunch' : 'cudaLaunchKernel'
        file
          .operator('aten::add', [from, from + 44])
          .call(call, id, [from + 30, from + 40])
          .kernel('add', id, [from + 42, from + 45])
      }
    }
    const { diagnosis } = diagnosed((await opened(file.bytes())).trace)
    const [first] = diagnosis.findings
    expect(first).toMatchObject({ cause: 'dispatch' })
    expect(first?.mend).toMatch(/^The step already launches graphs/)
  })

  it('code of a module or a cell is no function: its operator or its range is named', async () => {
    const nameOf = async (inside: (file: KinetoFile, at: number) => KinetoFile) => {
      const file = new KinetoFile({ originUs: 5e9 })
      file.operator('train.py(1): <module>', [0, 36_000], 'python_function')
      for (let step = 0; step < 6; step += 1) {
        const at = 6000 * step
        file.operator(`ProfilerStep#${String(step)}`, [at, at + 6000], 'user_annotation')
        inside(file, at)
          .call('cudaLaunchKernel', step + 1, [at + 4980, at + 4990])
          .kernel('conv', step + 1, [at + 4995, at + 5995])
      }
      const [first] = diagnosed((await opened(file.bytes())).trace).diagnosis.findings
      return { what: first?.what, title: first?.title, sentence: first?.sentence }
    }
    const operator = await nameOf((file, at) => file.operator('aten::normal_', [at + 50, at + 4900]))
    expect(operator).toMatchObject({ what: 'aten::normal_', title: 'An operator keeps the host busy' })
    expect(operator.sentence).not.toContain('<module>')
    const range = await nameOf((file, at) =>
      file.operator('augment', [at + 50, at + 4900], 'user_annotation'),
    )
    expect(range).toMatchObject({ what: 'augment', title: 'The program’s own code holds the GPU up' })
  })

  it('a long operator is no code of the program’s own', async () => {
    const file = new KinetoFile({ originUs: 5e9 })
    for (let step = 0; step < 6; step += 1) {
      const at = 6000 * step
      file
        .operator(`ProfilerStep#${String(step)}`, [at, at + 6000], 'user_annotation')
        .operator('aten::cudnn_convolution', [at + 100, at + 5000])
        .call('cudaLaunchKernel', step + 1, [at + 4980, at + 4990])
        .kernel('conv', step + 1, [at + 4995, at + 5995])
    }
    const { diagnosis } = diagnosed((await opened(file.bytes())).trace)
    expect(diagnosis.findings[0]).toMatchObject({
      cause: 'host-code',
      what: 'aten::cudnn_convolution',
      title: 'An operator keeps the host busy',
    })
  })

  it('nor does a file of driver calls alone say what came between them', async () => {
    expect(problem((await opened(once().bytes())).trace)).toMatch(/ProfilerActivity\.CPU/)
  })

  it('layers that one call of forward() holds are no steps', async () => {
    const { file } = simulate({ kernels: 30, kernelUs: 60, launchUs: 10, synchronize: true })
    const plain = new KinetoFile({ originUs: 5e9 })
    const marks = file.events.filter(({ name }) => String(name).startsWith('ProfilerStep'))
    for (const event of file.events) if (!marks.includes(event)) plain.add(event)
    const edges = marks.flatMap(({ ts, dur }) => [Number(ts), Number(ts) + Number(dur)])
    const steps = async (name: string) => {
      const [first] = marks
      const range = { ...first, name, ts: Math.min(...edges), dur: Math.max(...edges) - Math.min(...edges) }
      const held = new KinetoFile({ originUs: 5e9 })
      for (const event of [...plain.events, range as Event]) held.add(event)
      return diagnosed((await opened(held.bytes())).trace).diagnosis.steps?.from
    }
    expect(await steps('train')).toBe('period')
    expect(await steps('Model_Forward')).not.toBe('period')
  })

  /**
   * One step: it waits for work from before the file, launches 40 kernels, and waits for none of
   * them.
   */
  const afterBacklog = () => {
    const file = new KinetoFile({ originUs: 5e9 })
      .operator('ProfilerStep#6', [0, 5000], 'user_annotation')
      .call('cudaDeviceSynchronize', 1, [200, 3000])
      .kernel('gemm', 2, [0, 2995])
    for (let at = 0; at < 40; at += 1)
      file
        .call('cudaLaunchKernel', 10 + at, [3000 + 50 * at, 3005 + 50 * at])
        .kernel('gemm', 10 + at, [3010 + 60 * at, 3070 + 60 * at])
    return file
  }

  it('a wait for what was launched before the file waits for the step’s own work', async () => {
    const replay = problem((await opened(afterBacklog().bytes())).trace)
    if (!replay || typeof replay === 'string') throw new Error(replay)
    // The device ends 410 µs after the host, which waits for that at the start of the next step.
    expect(replay.replay.recordedNs / 1e3).toBeCloseTo(2415, 0)
    expect(replay.replay.replayedNs / replay.replay.recordedNs).toBeCloseTo(1, 2)
  })

  it('work from before the file that outlasts another stream’s is no lost launch', async () => {
    const file = afterBacklog()
      .call('cudaLaunchKernel', 3, [100, 105])
      .kernel('copy', 3, [110, 120], 9)
      .kernel('gemm', 4, [2995, 2998])
    expect(problem((await opened(file.bytes())).trace)).not.toBeTypeOf('string')
  })

  it('a range with :: in its name round another thread’s backward is no operator', async () => {
    const loop: Loop = { loaderUs: 2000, kernels: 60, kernelUs: 10, launchUs: 50 }
    const isBackward = ({ name }: Event) => name === 'aten::mm' || name === 'cudaLaunchKernel'
    const { file } = simulate(loop)
    const ranges = file.events
      .filter(({ name }) => String(name).startsWith('ProfilerStep'))
      .map((step) => ({
        ...step,
        name: 'Trainer::train_step',
        ts: Number(step.ts) + 2000,
        dur: Number(step.dur) - 2000,
      }))
    for (const [index, event] of file.events.entries())
      if (isBackward(event)) file.events[index] = { ...event, tid: 99 }
    for (const range of ranges) file.add(range)
    const { diagnosis } = diagnosed((await opened(file.bytes())).trace)
    expect(causes(diagnosis)).toEqual(['data-loading', 'dispatch'])
  })

  it('another thread’s pauses, in which nothing is recorded, are nobody’s code', async () => {
    const { file } = simulate({ kernels: 20, kernelUs: 30, launchUs: 100, synchronize: true })
    const marks = file.events.filter(({ name }) => String(name).startsWith('ProfilerStep'))
    const [first] = file.events.filter(isKernel)
    for (const [step, { ts }] of marks.entries()) {
      const args = { ...argsOf(first ?? {}), correlation: 9_000 + step, stream: 9 }
      const call = { ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: file.pid, tid: 99, args }
      file.add({ ...call, ts: Number(ts) + 1500, dur: 300 })
      file.add({ ...first, ts: Number(ts) + 1850, dur: 100, args })
    }
    const { diagnosis, replayed } = diagnosed((await opened(file.bytes())).trace)
    const idle = replayed.read.program.stretches.filter(({ thread, span }) => thread > 0 && span < 0)
    expect(idle.length).toBeGreaterThan(marks.length / 2)
    expect(new Set(idle.map(({ cause }) => cause))).toEqual(new Set([null]))
    expect(causes(diagnosis)).not.toContain('host-code')
  })
})
