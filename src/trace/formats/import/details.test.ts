import { expect, it } from 'vitest'
import { decodeRun, encodeRun } from '../../codec'
import type { Trace } from '../../schema'
import { openTraceFile } from './open-trace'

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

async function opened(): Promise<Trace> {
  const bytes = new TextEncoder().encode(JSON.stringify({ schemaVersion: 1, traceEvents: EVENTS }))
  const read = await openTraceFile(bytes)
  if (!read.ok) throw new Error(read.error.message)
  return read.value.trace
}

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
  expect(rowsOf(await opened())).toEqual(ROWS))

it('keeps them in a saved run', async () => {
  const saved = await decodeRun(encodeRun({ trace: await opened(), report: null }))
  if (!saved.ok) throw new Error(saved.error.message)
  expect(rowsOf(saved.value.trace)).toEqual(ROWS)
})
