// What jax.profiler wrote on an H200 in JAX 0.11.2, in small: steps, graphs, launches by their
// kernels' names.
import { expect, it } from 'vitest'
import { opened, rows } from './testing/read-back'

const HOST = { pid: 701, tid: 48 }
const GPU = { pid: 1, tid: 14 }
const meta = (name: string, pid: number, tid: number | undefined, value: string) => ({
  ph: 'M',
  name,
  pid,
  tid,
  args: { name: value },
})
const slice = (where: typeof HOST, name: string, ts: number, dur: number, args?: object) => ({
  ph: 'X',
  ...where,
  name,
  ts,
  dur,
  args,
})
const EVENTS = [
  meta('process_name', 1, undefined, '/device:GPU:0'),
  meta('process_name', 701, undefined, '/host:CPU'),
  meta('thread_name', 1, 14, 'Stream #14(Compute,MemcpyD2H)'),
  meta('thread_name', 1, 900, 'XLA Modules'),
  meta('thread_name', 701, 48, 'python3'),
  slice(HOST, 'train', 0, 100, { step_num: '0' }),
  slice(HOST, 'train', 100, 100, { step_num: '1' }),
  slice(HOST, '$train.py:68 step', 101, 40),
  slice(HOST, '$builtins len', 141, 1),
  slice(HOST, 'cuGraphLaunch (CudaGraph:12)', 102, 8, { correlation_id: '3' }),
  slice(HOST, 'fusion.7', 112, 2, { correlation_id: '4' }),
  slice(HOST, 'gemm', 115, 2, { correlation_id: '99' }),
  slice(HOST, '$array.py:629 _value', 142, 50),
  slice(HOST, 'MemcpyD2H', 150, 4, { correlation_id: '5' }),
  slice(GPU, 'gemm', 111, 20, { correlation_id: '3' }),
  slice(GPU, 'tanh', 131, 5, { correlation_id: '3' }),
  slice(GPU, 'fusion.7', 136, 5, { correlation_id: '4' }),
  slice(GPU, 'MemcpyD2H', 155, 2, {
    correlation_id: '5',
    memcpy_details: 'kind_src:device kind_dst:pinned size:4 dest:0 async:1',
  }),
  slice({ pid: 1, tid: 900 }, 'jit_update', 111, 30),
  {},
]

it('JAX: devices by their process, steps, calls and functions by what stands beside them', async () => {
  const { trace, format, skipped, notes } = await opened(JSON.stringify({ traceEvents: EVENTS }))
  expect([format, skipped, notes]).toEqual(['xla-profiler', [], []])
  const said = rows(trace)
  const of = (name: string) => said.filter((row) => row.name === name)
  expect(of('train')).toMatchObject([{ kind: 'window' }, { kind: 'window' }])
  expect(of('train.py(68): step')).toMatchObject([{ kind: 'host-work', laneKind: 'host' }])
  expect(of('<built-in function len>')).toHaveLength(1)
  expect(of('cuGraphLaunch')).toMatchObject([{ kind: 'submit', role: 'launch', step: 1 }])
  expect(of('cuLaunchKernel')).toMatchObject([{ kind: 'submit', role: 'launch' }])
  expect(of('cuMemcpyAsync')).toMatchObject([{ kind: 'submit', role: 'launch' }])
  expect(of('array.py(629): _value')).toMatchObject([{ kind: 'host-wait' }])
  // A launch within a capture: of no record, and not counted as lost.
  expect(of('gemm')).toMatchObject([
    { laneKind: 'host', kind: 'host-work' },
    { laneKind: 'device', kind: 'compute', step: 1 },
  ])
  expect(of('Memcpy DtoH (Device -> Pinned)')).toMatchObject([{ kind: 'transfer', bytes: 4 }])
  expect(of('jit_update')[0]?.laneKind).not.toBe('device')
  expect(trace.lanes.filter(({ kind }) => kind === 'device').map(({ group }) => group)).toEqual(['device 0'])
})
