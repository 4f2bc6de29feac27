import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { edgeBoundNs, placeTrace } from '../../place'
import { KinetoFile } from './testing/kineto-file'
import { flowsOf, opened, rows } from './testing/read-back'
import { decodeRun, encodeRun } from '../../codec'
import type { Trace } from '../../schema'

const RECORDINGS = 'public/recordings'
const recordings = readdirSync(RECORDINGS)
const bytesOf = (name: string) => readFileSync(`${RECORDINGS}/${name}`)

interface FileEvent {
  readonly ph: string
  readonly cat?: string
  readonly name: string
  readonly ts: number
  readonly dur: number
  readonly args?: {
    readonly correlation?: number
    readonly bytes?: number
    readonly 'Collective name'?: string
  }
}

describe('torch.profiler files', () => {
  const ofCpu = readdirSync(`${RECORDINGS}/cpu`).map((name) => `cpu/${name}`)
  const files = [...recordings, ...ofCpu].filter((name) => /(?:^|\/)torch-.*\.json\.gz$/.test(name))
  it('are among the recordings', () => expect(files.length).toBeGreaterThan(0))

  it.each(files)('%s: every event is where the file says, every launch joined', async (name) => {
    const parsed = JSON.parse(gunzipSync(bytesOf(name)).toString()) as { traceEvents: FileEvent[] }
    const { trace, format, skipped } = await opened(bytesOf(name))
    expect(format).toBe('torch-profiler')
    expect(skipped).toEqual([])
    const complete = parsed.traceEvents.filter(({ ph }) => ph === 'X')
    const all = rows(trace)
    expect(all).toHaveLength(complete.length)
    const firstUs = Math.floor(
      Math.min(...parsed.traceEvents.filter(({ ph }) => ph !== 'M').map(({ ts }) => ts)),
    )
    for (const [index, event] of complete.entries()) {
      // A kernel's name can be longer than the page keeps.
      const name = all[index]?.name ?? ''
      if (name.endsWith('…')) expect(event.name.startsWith(name.slice(0, -1)), name).toBe(true)
      else expect(name).toBe(event.name)
      expect(all[index]?.start).toBeCloseTo((event.ts - firstUs) * 1e3, -1)
      expect((all[index]?.end ?? 0) - (all[index]?.start ?? 0)).toBeCloseTo(event.dur * 1e3, 0)
    }
    const kernels = complete.filter(({ cat }) => cat === 'kernel')
    const copies = complete.filter(({ cat }) => cat === 'gpu_memcpy' || cat === 'gpu_memset')
    const onDevice = all.filter(({ laneKind }) => laneKind === 'device')
    const collectives = kernels.filter(({ args }) => args?.['Collective name'] !== undefined)
    expect(onDevice.filter(({ kind }) => kind === 'collective')).toHaveLength(collectives.length)
    expect(onDevice.filter(({ kind }) => kind === 'compute')).toHaveLength(
      kernels.length - collectives.length,
    )
    expect(onDevice.filter(({ kind }) => kind === 'transfer').map(({ bytes }) => bytes)).toEqual(
      copies.map(({ args }) => args?.bytes),
    )
    expect(flowsOf(trace).filter(([kind]) => kind === 'submit')).toHaveLength(kernels.length + copies.length)
    for (const event of [...kernels, ...copies])
      expect(onDevice.some(({ submission }) => submission === event.args?.correlation)).toBe(true)
  })

  it('tie a wait to the last work of what it waited for, and to none that had ended before', async () => {
    const kineto = new KinetoFile()
      .call('cudaLaunchKernel', 1, [10, 12])
      .kernel('first', 1, [15, 100], 7)
      .call('cudaLaunchKernel', 2, [20, 22])
      .kernel('second', 2, [25, 60], 13)
      .call('cudaStreamSynchronize', 3, [30, 62])
      .deviceSync('Stream Sync', 3, [30, 62], { stream: 13 })
      .call('cudaDeviceSynchronize', 4, [70, 102])
      .call('cudaDeviceSynchronize', 5, [110, 112])
    const { trace } = await opened(kineto.bytes())
    expect(flowsOf(trace).filter(([kind]) => kind === 'sync')).toEqual([
      ['sync', 'second', 'cudaStreamSynchronize'],
      ['sync', 'first', 'cudaDeviceSynchronize'],
    ])
  })

  it('leave a stream wait untied where the file names no stream and there are several', async () => {
    const kineto = new KinetoFile()
      .call('cudaLaunchKernel', 1, [10, 12])
      .kernel('first', 1, [15, 100], 7)
      .call('cudaLaunchKernel', 2, [20, 22])
      .kernel('second', 2, [25, 60], 13)
      .call('cudaStreamSynchronize', 3, [30, 62])
    const { trace } = await opened(kineto.bytes())
    expect(flowsOf(trace).filter(([kind]) => kind === 'sync')).toEqual([])
  })

  it('keep devices apart: streams of one number, and waits that do not say of which device', async () => {
    const work = (kineto: KinetoFile, device: number, end: number) =>
      kineto.add({
        ph: 'X',
        cat: 'kernel',
        name: `on ${String(device)}`,
        pid: device,
        tid: 7,
        ts: 1.7e15,
        dur: end,
      })
    const two = (said: boolean) => {
      const kineto = work(work(new KinetoFile(), 0, 30), 1, 50).call('cudaStreamSynchronize', 3, [10, 60])
      return said ? kineto.deviceSync('Stream Sync', 3, [10, 60], { stream: 7 }) : kineto
    }
    const syncs = async (said: boolean) => flowsOf((await opened(two(said).bytes())).trace)
    expect(await syncs(true)).toEqual([['sync', 'on 0', 'cudaStreamSynchronize']])
    expect(await syncs(false)).toEqual([])
  })

  it('take an event wait for what was launched before the event was recorded', async () => {
    const kineto = new KinetoFile()
      .call('cudaLaunchKernel', 1, [10, 12])
      .kernel('before', 1, [15, 40])
      .call('cudaEventRecord', 2, [13, 14])
      .call('cudaLaunchKernel', 3, [15, 17])
      .kernel('after', 3, [40, 41])
      .call('cudaEventSynchronize', 4, [18, 45])
      .deviceSync('Event Sync', 4, [18, 45], { wait_on_stream: 7, wait_on_cuda_event_record_corr_id: 2 })
    const { trace } = await opened(kineto.bytes())
    expect(flowsOf(trace).filter(([kind]) => kind === 'sync')).toEqual([
      ['sync', 'before', 'cudaEventSynchronize'],
    ])
  })

  it('have steps, blocking copies that wait, memsets, and no lane for a device without events', async () => {
    const kineto = new KinetoFile()
      .operator('ProfilerStep#7', [0, 50], 'user_annotation')
      .call('cudaMemcpy', 1, [5, 30])
      .copy('HtoD (Pageable -> Device)', 1, [10, 28], 4096)
      .call('cudaMemsetAsync', 2, [31, 33])
      .memset(2, [60, 61], 512)
    const { trace } = await opened(kineto.bytes())
    expect(rows(trace).map(({ name, kind, step, bytes }) => [name, kind, step, bytes])).toEqual([
      ['ProfilerStep#7', 'window', 7, Number.NaN],
      ['cudaMemcpy', 'host-wait', 7, Number.NaN],
      ['Memcpy HtoD (Pageable -> Device)', 'transfer', 7, 4096],
      ['cudaMemsetAsync', 'submit', 7, Number.NaN],
      ['Memset (Device)', 'transfer', 7, 512],
    ])
    expect(flowsOf(trace).filter(([kind]) => kind === 'sync')).toHaveLength(1)
    expect(trace.lanes.filter(({ kind }) => kind === 'device')).toHaveLength(1)
  })

  it('of 2021 have steps among the operators, and streams that are named in words', async () => {
    const file = new KinetoFile()
      .operator('ProfilerStep#7', [0, 50], 'Operator')
      .call('cudaLaunchKernel', 1, [5, 9])
    for (const event of new KinetoFile().kernel('gemm', 1, [12, 20]).events)
      file.add({ ...event, tid: 'stream 7' })
    const { trace } = await opened(file.bytes())
    expect(rows(trace)[0]).toMatchObject({ kind: 'window', step: 7 })
    expect(trace.lanes.map(({ name }) => name)).toContain('stream 7')
  })

  it('of a CPU alone are known by their operators, also where another program has written them', async () => {
    const events = new KinetoFile()
      .operator('ProfilerStep#7', [0, 50], 'user_annotation')
      .operator('aten::mm', [5, 9]).events
    const { trace, format } = await opened(JSON.stringify(events))
    expect(format).toBe('torch-profiler')
    expect(rows(trace).map(({ kind, step }) => [kind, step])).toEqual([
      ['window', 7],
      ['host-work', 7],
    ])
  })

  it('have no Python of a thread on a device, whatever number the file gives its process', async () => {
    const file = new KinetoFile()
      .call('cudaLaunchKernel', 1, [5, 9])
      .kernel('gemm', 1, [12, 20])
      .add({ ph: 'X', cat: 'python_function', name: 'tqdm.py(60): run', pid: 0, tid: 0, ts: 17e14, dur: 99 })
    const { lanes } = (await opened(file.bytes())).trace
    expect(lanes.map(({ kind }) => kind).sort()).toEqual(['device', 'host', 'host'])
  })

  it('say by how much the device leads its calls, and bound its times by that', async () => {
    const kineto = new KinetoFile().call('cudaLaunchKernel', 1, [10, 12]).kernel('early', 1, [6, 20])
    const { trace, notes } = await opened(kineto.bytes())
    expect(notes[0]).toContain('4 µs')
    const placed = placeTrace(trace)
    expect(edgeBoundNs(placed, 1, 'start')).toEqual([4000, 4000])
  })
})

describe('two processes in one file', () => {
  /** A call each 100 µs, and a kernel 10 µs later. */
  const rank = (pid: number, device: number, from: number, ids = 5) =>
    Array.from({ length: ids }, (_, id) => {
      const common = { ph: 'X', args: { correlation: id }, ts: from + 100 * id }
      const name = `${String(pid)} ${String(id)}`
      return [
        { ...common, cat: 'cuda_runtime', name: `cudaLaunchKernel ${name}`, pid, tid: pid, dur: 5 },
        { ...common, cat: 'kernel', name, pid: device, tid: 7, ts: common.ts + 10, dur: 50 },
      ]
    }).flat()
  const pairs = async (...events: readonly unknown[]) =>
    flowsOf((await opened(JSON.stringify(events))).trace).map(([, from, to]) => [
      from,
      `cudaLaunchKernel ${to}`,
    ])

  it.each([3, 37, 99, 450, 1e6])('%d µs apart, of the same ids, each have their own work', async (apart) => {
    const [first, second] = [rank(10, 0, 0), rank(11, 1000, apart)]
    for (const events of [
      [...first, ...second],
      [...second, ...first],
      [...first, ...second].sort((a, b) => b.ts - a.ts),
    ]) {
      const found = await pairs(...events)
      expect(found).toHaveLength(10)
      for (const [from, to] of found) expect(from).toBe(to)
    }
  })

  it('may have devices both of one', async () => {
    const first = rank(10, 0, 0).map((event, at) =>
      at > 4 && event.cat === 'kernel' ? { ...event, pid: 1 } : event,
    )
    const found = await pairs(...first, ...rank(11, 2, 0, 1).slice(0, 1))
    expect(found).toHaveLength(5)
    for (const [from, to] of found) expect(from).toBe(to)
  })
})

describe('work without a correlation', () => {
  const arrow = (ph: string, cat: string, [pid, tid]: readonly number[], ts: number) => ({
    ph,
    cat,
    name: cat,
    id: `${cat} 1`,
    pid,
    tid,
    ts,
  })
  const at = (name: string, pid: number, tid: number, [ts, end]: readonly [number, number], more = {}) => ({
    ph: 'X',
    name,
    pid,
    tid,
    ts,
    dur: end - ts,
    ...more,
  })
  const named = (pid: number, name: string, tid?: number) => ({
    ph: 'M',
    name: tid === undefined ? 'process_name' : 'thread_name',
    pid,
    tid,
    args: { name },
  })

  it('is of the call that its arrow starts in, as Ascend writes it', async () => {
    const { trace, skipped } = await opened(
      JSON.stringify([
        named(8, 'Ascend Hardware'),
        named(8, 'Stream 3', 3),
        at('aten::mm', 1, 1, [0, 9], { cat: 'cpu_op' }),
        at('AscendCL@aclnnMm', 2, 1, [2, 8]),
        at('AscendCL@Mm_Tiling', 2, 1, [3, 4]),
        at('Cast', 8, 3, [10, 12]),
        at('MatMul', 8, 3, [12, 20]),
        arrow('s', 'HostToDevice', [2, 1], 5),
        arrow('f', 'HostToDevice', [8, 3], 10),
        arrow('s', 'async_npu', [1, 1], 0),
        arrow('f', 'async_npu', [8, 3], 10),
      ]),
    )
    expect(skipped).toEqual([])
    expect(flowsOf(trace)).toEqual([['submit', 'AscendCL@aclnnMm', 'Cast']])
    expect(rows(trace).map(({ name, kind }) => [name, kind])).toContainEqual(['AscendCL@aclnnMm', 'submit'])
  })

  it.each(['ac2g', 'async_gpu', 'async_cpu_to_gpu'])('and arrows of the category %s', async (cat) => {
    const events = [
      at('cudaLaunchKernel', 1, 1, [2, 8], { cat: 'Runtime' }),
      at('gemm', 0, 7, [10, 12], { cat: 'Kernel' }),
      arrow('s', cat, [1, 1], 2),
      arrow('f', cat, [0, 7], 10),
    ]
    const { trace, skipped } = await opened(JSON.stringify(events))
    expect(flowsOf(trace)).toEqual([['submit', 'cudaLaunchKernel', 'gemm']])
    expect(skipped).toEqual([])
  })
})

const EVENTS = [
  {
    name: 'aten::mm',
    cat: 'cpu_op',
    ts: 0,
    dur: 9,
    tid: 1,
    args: {
      'External id': 1,
      'Input Dims': [
        [8, 64],
        [64, 4],
      ],
      'Input type': ['float', 'float'],
      'Concrete Inputs': ['', ''],
    },
  },
  { name: 'cudaLaunchKernel', cat: 'cuda_runtime', ts: 1, dur: 2, tid: 1, args: { correlation: 7 } },
  {
    name: 'gemm',
    cat: 'kernel',
    ts: 5,
    dur: 3,
    pid: 0,
    tid: 7,
    args: { correlation: 7, grid: [4, 1, 1], block: [128, 1, 1] },
  },
  {
    name: 'aten::conv2d',
    cat: 'cpu_op',
    ts: 20,
    dur: 9,
    tid: 1,
    args: { 'Input Dims': [[1, 3, 8, 8]], 'Input type': ['float'], 'Concrete Inputs': ['', '[1, 1]'] },
  },
  { name: 'aten::mm', cat: 'cpu_op', ts: 40, dur: 9, tid: 1, args: { 'External id': 9 } },
].map((event) => ({ ph: 'X', pid: 1, ...event }))

const withDetails = async (): Promise<Trace> =>
  (await opened(JSON.stringify({ schemaVersion: 1, traceEvents: EVENTS }))).trace

const rowsOf = ({ details, spans, strings }: Trace) =>
  Array.from({ length: details.length }, (_, row) => {
    const text = (index = -1) => strings[index] ?? ''
    return [
      text(spans.name[details.span[row] ?? -1]),
      text(details.shape[row]),
      text(details.form[row]),
      text(details.values[row]),
    ]
  })

const ROWS = [
  ['aten::mm', '[[8,64],[64,4]]', '["float","float"]', ''],
  ['gemm', '[4,1,1]', '[128,1,1]', ''],
  ['aten::conv2d', '[[1,3,8,8]]', '["float"]', '["","[1, 1]"]'],
]

it('keeps sizes and types of inputs, and grid and block', async () =>
  expect(rowsOf(await withDetails())).toEqual(ROWS))

it('keeps them in a saved run', async () => {
  const saved = await decodeRun(encodeRun({ trace: await withDetails(), report: null }))
  if (!saved.ok) throw new Error(saved.error.message)
  expect(rowsOf(saved.value.trace)).toEqual(ROWS)
})
