import { expect, it } from 'vitest'
import { openTraceFile } from '../../trace/formats/import/open-trace'
import { placeTrace } from '../../trace/place'
import { perStep, type TableKind } from './table'
import { Tables } from './tables'

type Event = Readonly<Record<string, unknown>>
const host = (cat: string, name: string, ts: number, dur: number, args: Event = {}): Event => {
  return { ph: 'X', pid: 1, tid: 1, cat, name, ts, dur, args }
}
const operator = (name: string, ts: number, dur: number) =>
  host('cpu_op', name, ts, dur, { 'External id': ts })
const launch = (ts: number, correlation: number) =>
  host('cuda_runtime', 'cudaLaunchKernel', ts, 1, { correlation })
const kernel = (name: string, ts: number, dur: number, correlation: number): Event => {
  const args = { device: 0, stream: 7, correlation }
  return { ph: 'X', pid: 0, tid: 7, cat: 'kernel', name, ts, dur, args }
}

async function tableOf(kind: TableKind, events: readonly Event[]) {
  const text = JSON.stringify({ deviceProperties: [{ id: 0, name: 'NVIDIA H200' }], traceEvents: events })
  const opened = await openTraceFile(new TextEncoder().encode(text))
  if (!opened.ok) throw new Error(opened.error.message)
  return new Tables(placeTrace(opened.value.trace)).table(kind)
}

// Two steps of 10 µs on the host, each with 50 µs of the GPU, which still has 60 µs from before.
const QUEUED = [
  host('user_annotation', 'ProfilerStep#1', 100, 10),
  host('user_annotation', 'ProfilerStep#2', 110, 10),
  operator('aten::mm', 102, 4),
  launch(103, 1),
  operator('aten::mm', 112, 4),
  launch(113, 2),
  kernel('gemm', 101, 60, 99),
  kernel('gemm', 161, 50, 1),
  kernel('gemm', 211, 50, 2),
]

it('takes a step as long as its work where the host runs ahead', async () => {
  const table = await tableOf('kernels', QUEUED)
  expect([table.steps, table.stepNs]).toEqual([2, 50_000])
  expect(table.rows[0]?.cells).toMatchObject({ calls: 3, device: 160_000, share: 1, tensor: '' })
})

it('counts in a step what its steps launched', async () => {
  const kernels = perStep(await tableOf('kernels', QUEUED))
  expect(kernels.rows[0]?.cells).toMatchObject({ calls: 1, device: 50_000 })
  const [row] = perStep(await tableOf('operators', QUEUED)).rows
  expect(row?.cells).toMatchObject({ calls: 1, selfDevice: 50_000, host: 4000, selfHost: 3000 })
})

it('holds f32 on AMD’s matrix cores against f32, and on tensor cores against TF32', async () => {
  const sizes = { 'Input Dims': [Array(2).fill(4096), Array(2).fill(4096)], 'Input type': ['float', 'float'] }
  const boundOf = async (name: string) => {
    const product = host('cpu_op', 'aten::mm', 0, 9, sizes)
    const { rows } = await tableOf('kernels', [product, launch(2, 1), kernel(name, 9, 4000, 1)])
    return [rows[0]?.cells['tensor'], Number(rows[0]?.cells['bound'])]
  }
  const ns = 2 * 4096 ** 3
  expect(await boundOf('Cijk_Alik_Bljk_S_B_Bias_MT64x64x32_MI16x16x1')).toEqual(['yes', ns / 67e3 / 4e6])
  expect(await boundOf('cutlass_80_tensorop_s1688gemm_128x128')).toEqual(['yes', ns / 495e3 / 4e6])
})

it('counts operators whose names begin as Python’s do', async () => {
  const { rows } = await tableOf('operators', [operator('<backward op>', 0, 9), operator('aten::mm', 1, 4)])
  expect(rows.map(({ cells }) => [cells['name'], cells['selfHost']])).toEqual([
    ['<backward op>', 5000],
    ['aten::mm', 4000],
  ])
})

it('counts a function that calls itself once', async () => {
  const call = (ts: number, dur: number) => host('python_function', 'model.py(3): walk', ts, dur)
  const { rows } = await tableOf('lines', [call(0, 90), call(10, 60), call(20, 5), call(30, 30)])
  expect(rows[0]?.cells).toMatchObject({ calls: 4, host: 90_000, selfHost: 90_000 })
})

it('adds the backward pass of what a module ran', async () => {
  const arrow = (ph: string, tid: number, ts: number): Event => {
    return { ph, id: 1, pid: 1, tid, ts, cat: 'fwdbwd', name: 'fwdbwd', bp: 'e' }
  }
  const onThread = (event: Event): Event => Object.assign({}, event, { tid: 2 })
  const module = (name: string, ts: number, dur: number) =>
    host('python_function', `nn.Module: ${name}`, ts, dur)
  const { rows } = await tableOf('modules', [
    module('Net_0', 0, 50),
    module('Linear_0', 5, 20),
    operator('aten::addmm', 10, 8),
    launch(12, 1),
    kernel('gemm', 20, 5, 1),
    onThread(operator('autograd::engine::evaluate_function: AddmmBackward0', 60, 30)),
    onThread(operator('AddmmBackward0', 65, 20)),
    onThread(launch(70, 2)),
    kernel('gemm', 75, 9, 2),
    arrow('s', 1, 10),
    arrow('f', 2, 65),
  ])
  expect(rows.map(({ cells }) => [cells['name'], cells['device'], cells['backward']])).toEqual([
    ['Net_0', 5000, 9000],
    ['Linear_0', 5000, 9000],
  ])
})
