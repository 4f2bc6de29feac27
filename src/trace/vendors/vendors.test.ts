// Each row of each vendor's table, by a name or category that real files have.
import { describe, expect, it } from 'vitest'
import {
  callRowOf,
  callUseOf,
  CALL,
  classOfCategory,
  classOfWork,
  COPY,
  copyNameOf,
  DEVICE_RANGE,
  DEVICE_SYNC,
  isCall,
  isLaunchArrow,
  KERNEL,
  MEMSET,
  NAMED_WORK,
  OPERATOR,
  OTHER,
  processOf,
  USER_RANGE,
} from '.'
import { ascend } from './ascend'
import { cuda } from './cuda'
import { jax } from './jax'
import { mtia } from './mtia'
import { rocm } from './rocm'
import { xpu } from './xpu'

const VENDORS = [cuda, rocm, xpu, mtia, ascend, jax]

const CATEGORIES: Readonly<Record<string, number>> = {
  kernel: KERNEL,
  Kernel: KERNEL,
  gpu_memcpy: COPY,
  Memcpy: COPY,
  gpu_memset: MEMSET,
  memset: MEMSET,
  cuda_sync: DEVICE_SYNC,
  cuda_event: DEVICE_SYNC,
  gpu_user_annotation: DEVICE_RANGE,
  cuda_runtime: CALL,
  cuda_driver: CALL,
  Runtime: CALL,
  xpu_runtime: CALL,
  xpu_driver: CALL,
  mtia_runtime: CALL,
  mtia_ccp_events: NAMED_WORK,
  privateuse1_runtime: CALL,
  privateuse1_driver: CALL,
  cpu_op: OPERATOR,
  operator: OPERATOR,
  python_function: OPERATOR,
  user_annotation: USER_RANGE,
  overhead: OTHER,
  constructor: OTHER,
}

/** One name at least for each row, by vendor in the order of its rows. */
const CALLS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  CUDA: [
    ['cudaDeviceSynchronize', 'wait-device'],
    ['cuStreamSynchronize', 'wait-stream'],
    ['cudaEventSynchronize', 'wait-event'],
    ['cudaMemcpy', 'blocking-copy one'],
    ['cudaLaunchHostFunc', 'launch'],
    ['cudaGraphLaunch', 'launch many'],
    ['cuLaunchKernelEx', 'launch one'],
    ['cudaMemcpyAsync', 'other one'],
    ['cudaHostUnregister', 'free'],
    ['cuMemAddressReserve', 'allocation'],
    ['cudaEventRecordWithFlags', 'record-event'],
    ['cudaStreamBeginCapture', 'capture-begin'],
    ['cudaStreamEndCapture', 'capture-end'],
  ],
  ROCm: [
    ['hipDeviceSynchronize', 'wait-device'],
    ['hipStreamSynchronize', 'wait-stream'],
    ['hipEventSynchronize', 'wait-event'],
    ['hipMemcpyWithStream', 'blocking-copy one'],
    ['hipLaunchHostFunc', 'launch'],
    ['hipGraphLaunch', 'launch many'],
    ['hipExtModuleLaunchKernel', 'launch one'],
    ['hipMemsetAsync', 'other one'],
    ['hipFree', 'free'],
    ['hipHostMalloc', 'allocation'],
    ['hipEventRecord', 'record-event'],
    ['hipStreamBeginCapture', 'capture-begin'],
    ['hipStreamEndCapture', 'capture-end'],
  ],
  XPU: [
    ['urEventWait', 'wait-event'],
    ['urQueueFinish', 'wait-stream'],
    ['urEnqueueKernelLaunchWithArgsExp', 'launch one'],
    ['urEnqueueUSMMemcpy', 'other one'],
    ['zeCommandListAppendLaunchKernel', 'launch'],
    ['urUSMFree', 'free'],
    ['urUSMDeviceAlloc', 'allocation'],
  ],
  MTIA: [
    ['synchronizeStream', 'wait-stream'],
    ['synchronize', 'wait-device'],
    ['runFunction - job_prep_and_submit_for_execution', 'launch'],
    ['recordEvent', 'record-event'],
  ],
  Ascend: [
    ['AscendCL@aclrtSynchronizeDevice', 'wait-device'],
    ['AscendCL@aclrtSynchronizeStreamWithTimeout', 'wait-stream'],
    ['aclrtSynchronizeEvent', 'wait-event'],
    ['AscendCL@aclrtMemcpy', 'blocking-copy'],
    ['Node@launch', 'launch'],
    ['AscendCL@aclrtFree', 'free'],
    ['AscendCL@aclrtMalloc', 'allocation'],
    ['AscendCL@aclrtRecordEvent', 'record-event'],
  ],
  JAX: [['array.py(629): _value', 'wait-stream']],
}

describe('tables of vendors', () => {
  it.each(Object.entries(CATEGORIES))('category %s', (category, group) =>
    expect(classOfCategory(category)).toBe(group),
  )

  it('have no category that is not asked above', () => {
    const asked = new Set(Object.keys(CATEGORIES))
    expect(
      VENDORS.flatMap(({ categories }) => Object.keys(categories)).filter(
        (each) => !asked.has(each) && each !== 'memcpy' && each !== 'runtime',
      ),
    ).toEqual([])
  })

  describe.each(VENDORS)('$name', ({ name, calls }) => {
    it('each row says what a call does, and is found first', () => {
      const rows = CALLS[name] ?? []
      expect(rows.map(([call]) => calls.findIndex((row) => row.name.test(call)))).toEqual(
        calls.map((_, index) => index),
      )
      for (const [call, said] of rows) {
        const { use, brings } = callRowOf(call) ?? {}
        expect([use, brings].filter(Boolean).join(' '), call).toBe(said)
      }
    })
  })

  it('know a call by its name, and nothing else by it', () => {
    for (const [call] of Object.values(CALLS).flat())
      if (call !== 'synchronize') expect(isCall(call), call).toBe(true)
    for (const name of [
      'aten::mul',
      'synchronize gradients',
      'train.py(3): run',
      'custom',
      'hipster',
      'pick',
    ])
      expect(isCall(name), name).toBe(false)
    expect(callUseOf('anything::Launch')).toBe('launch')
    expect(callUseOf('cudaGetDevice')).toBe('other')
  })

  it('arrows from calls to work, by their category', () => {
    for (const category of VENDORS.flatMap(({ arrows = [] }) => arrows))
      expect(classOfCategory(category), category).toBe(OTHER)
    expect(['ac2g', 'async_gpu', 'async_cpu_to_gpu', 'HostToDevice', 'async_npu'].every(isLaunchArrow)).toBe(
      true,
    )
    expect(['fwdbwd', 'async_task_queue', 'submit', ''].some(isLaunchArrow)).toBe(false)
  })

  it.each([
    ['MemcpyD2H', COPY],
    ['Memset', MEMSET],
    ['dma_request', COPY],
    ['event_wait', DEVICE_SYNC],
    ['MEMCPY_ASYNC', COPY],
    ['MEMSET_ASYNC', MEMSET],
    ['EVENT_WAIT', DEVICE_SYNC],
    ['fusion.3', KERNEL],
  ])('work by its name: %s', (name, group) => expect(classOfWork(name)).toBe(group))

  it.each([
    ['/device:GPU:0', 'Stream #118(Compute)', true],
    ['/device:GPU:0', 'XLA Modules', false],
    ['/device:TPU:3', 'XLA Ops', true],
    ['Ascend Hardware', 'Stream 42', true],
  ])('devices by their process: %s, %s', (process, thread, isWork) =>
    expect(processOf(process)?.work?.test(thread)).toBe(isWork),
  )

  it('the program’s process by its name', () => {
    expect(processOf('/host:CPU')).toMatchObject({ work: null, vendor: { name: 'JAX' } })
    expect(processOf('python')).toBeNull()
  })

  const said = { kind: '', from: '', to: '', details: '' }
  it.each([
    ['Memcpy', { kind: 'HtoD', from: 'pageable', to: 'device' }, 'Memcpy HtoD (Pageable -> Device)'],
    ['Memcpy', { kind: 'DtoH', from: 'device', to: 'pinned' }, 'Memcpy DtoH (Device -> Pinned)'],
    ['Memcpy', { kind: 'sideways' }, null],
    ['Memcpy DtoH (Device -> Host)', { kind: 'DtoH' }, null],
    ['Memcpy D2M (Device -> Memory)', {}, 'Memcpy DtoH (Device -> Pageable)'],
    ['Memcpy H2D (Host -> Device)', {}, 'Memcpy HtoD (Pinned -> Device)'],
    ['dma_request', { kind: 'DEVICE_TO_HOST' }, 'Memcpy DtoH (Device -> Host)'],
    [
      'MemcpyD2H',
      { details: 'kind_src:device kind_dst:pageable size:4' },
      'Memcpy DtoH (Device -> Pageable)',
    ],
    ['MemcpyD2D', {}, 'Memcpy DtoD (Device -> Device)'],
  ])('copies: %s', (name, more, found) => expect(copyNameOf(name, { ...said, ...more })).toBe(found))
})
