/**
 * Training loops with known step times: a simulated host and device write what torch.profiler would
 * record of them, and say how long a step took. Times in whole µs. Test code only.
 */
import { KinetoFile } from '../../trace/formats/import/testing/kineto-file'
import { opened } from '../../trace/formats/import/testing/read-back'
import { placeTrace } from '../../trace/place'
import type { Trace } from '../../trace/schema'
import { analyse } from '../diagnosis'
import type { Diagnosis } from '../findings'
import type { DeviceReplay } from '../replay/device-replay'
import { parseRemoved } from '../replay/without'

/** The parts of a step, in this order. */
export interface Loop {
  readonly steps?: number
  /** The host pauses once, in the step in the middle: the file names nothing there. */
  readonly pauseUs?: number
  readonly loaderUs?: number
  /** Another process makes a batch in this time; the host waits for it in each step. */
  readonly workerUs?: number
  readonly batchBytes?: number
  readonly batch?: 'pageable' | 'in-line' | 'beside'
  readonly kernels?: number
  readonly kernelUs?: number
  /** The name of the kernels that are launched one by one. */
  readonly kernel?: string
  /** The host's time for an operator and its launch. */
  readonly launchUs?: number
  /** All kernels by one call. */
  readonly graph?: boolean
  /** A callback of the host before the last kernel of the graph. */
  readonly callbackUs?: number
  readonly collectiveUs?: number
  readonly allocationUs?: number
  /** Bytes that are copied into pinned memory on the kernels' stream, and nobody waits for. */
  readonly keptBytes?: number
  readonly read?: boolean
  readonly synchronize?: boolean
  /** An operator that launches nothing. */
  readonly hostUs?: number
  /** Python that the file does not record. */
  readonly unrecordedUs?: number
  /** Functions of the program's own, of which the file has stacks. */
  readonly functions?: Readonly<Record<string, number>>
  readonly device?: string
}

interface OfRank {
  readonly rank: number
  /** When the other rank is in each collective. */
  readonly arrivalsUs: readonly number[]
}

export interface Simulated {
  readonly file: KinetoFile
  /** Mean, from the end of the first step to that of the last, host and device. */
  readonly stepUs: number
  readonly collectivesUs: readonly number[]
}

const COMPUTE_STREAM = 7
const LATENCY_US = 8
const PAUSE_US = 1
const CALL_US = 3
/** From the end of what it waits for to the end of the wait. */
const NOTICE_US = 2
/** Bytes a µs. */
const RATE = { pageable: 10_000, pinned: 55_000 }

class Machine {
  readonly file: KinetoFile
  nowUs = 0
  lastUs = 0
  readonly #freeUs = new Map<number, number>()
  #correlation = 0

  constructor(file: KinetoFile) {
    this.file = file
  }

  /**
   * @param lengthUs of the work on the device. Where the call blocks, it returns when that has
   * ended.
   */
  launch(
    name: string,
    callUs: number,
    lengthUs: number | ((startUs: number) => number),
    { latencyUs = LATENCY_US, stream = COMPUTE_STREAM, blocks = false } = {},
  ): { readonly id: number; readonly at: readonly [number, number] } {
    this.#correlation += 1
    const startUs = Math.max(this.nowUs + latencyUs, this.#freeOf(stream) + PAUSE_US)
    const endUs = startUs + (typeof lengthUs === 'number' ? lengthUs : lengthUs(startUs))
    const returnsUs = blocks ? endUs + NOTICE_US : this.nowUs + callUs
    this.file.call(name, this.#correlation, [this.nowUs, returnsUs])
    this.nowUs = returnsUs
    this.#occupy(stream, endUs)
    return { id: this.#correlation, at: [startUs, endUs] }
  }

  /** Work of a graph that follows on its stream. */
  follow(pauseUs: number, lengthUs: number): readonly [number, number] {
    const startUs = this.#freeOf(COMPUTE_STREAM) + pauseUs
    this.#occupy(COMPUTE_STREAM, startUs + lengthUs)
    return [startUs, startUs + lengthUs]
  }

  spend(name: string, us: number, category?: string): void {
    if (us > 0) this.file.operator(name, [this.nowUs, this.nowUs + us], category)
    this.nowUs += us
  }

  wait(name: string, leastUs = CALL_US, afterUs = NOTICE_US): void {
    this.#correlation += 1
    const endUs = Math.max(this.nowUs + leastUs, this.lastUs + afterUs)
    this.file.call(name, this.#correlation, [this.nowUs, endUs])
    this.nowUs = endUs
  }

  call(name: string, us: number): void {
    this.#correlation += 1
    this.file.call(name, this.#correlation, [this.nowUs, this.nowUs + us])
    this.nowUs += us
  }

  #freeOf = (stream: number): number => this.#freeUs.get(stream) ?? -1e6

  #occupy(stream: number, untilUs: number): void {
    this.#freeUs.set(stream, untilUs)
    this.lastUs = Math.max(this.lastUs, untilUs)
  }
}

export function simulate(loop: Loop, of: OfRank | null = null): Simulated {
  const { steps = 12, device = 'NVIDIA H100 80GB HBM3' } = loop
  const distributed = of && { backend: 'nccl', rank: of.rank, world_size: 2 }
  const file = new KinetoFile({
    originUs: 5e9,
    deviceName: device,
    ...(distributed ? { distributed } : {}),
  })
  const machine = new Machine(file)
  const endsUs: number[] = []
  const collectivesUs: number[] = []
  let batchUs = 0
  for (let step = 0; step < steps; step += 1) {
    const beganUs = machine.nowUs
    if (step === steps >> 1) machine.nowUs += loop.pauseUs ?? 0
    machine.spend('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', loop.loaderUs ?? 0)
    if (loop.workerUs !== undefined) {
      batchUs += loop.workerUs
      const waitedUs = Math.max(10, batchUs - machine.nowUs)
      machine.spend('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', waitedUs)
    }
    upload(machine, loop)
    if (loop.graph === true) launchGraph(machine, loop)
    else launchKernels(machine, loop)
    const arrivedUs = of?.arrivalsUs[step] ?? 0
    const lengthUs = (startUs: number) => Math.max(0, arrivedUs - startUs) + (loop.collectiveUs ?? 0)
    if (loop.collectiveUs !== undefined) collectivesUs.push(allReduce(machine, lengthUs))
    if (loop.allocationUs !== undefined) {
      const half = loop.allocationUs / 2
      machine.wait('cudaFree', half, half + NOTICE_US)
      machine.call('cudaMalloc', half)
    }
    if (loop.keptBytes !== undefined) keep(machine, loop.keptBytes)
    if (loop.read === true) readBack(machine)
    if (loop.synchronize === true) machine.wait('cudaDeviceSynchronize')
    machine.spend('aten::index', loop.hostUs ?? 0)
    for (const [name, us] of Object.entries(loop.functions ?? {}))
      machine.spend(`train.py(7): ${name}`, us, 'python_function')
    machine.nowUs += loop.unrecordedUs ?? 0
    file.operator(`ProfilerStep#${String(step + 3)}`, [beganUs, machine.nowUs], 'user_annotation')
    endsUs.push(Math.max(machine.nowUs, machine.lastUs))
  }
  const stepUs = ((endsUs.at(-1) ?? 0) - (endsUs[0] ?? 0)) / (steps - 1)
  return { file, stepUs, collectivesUs }
}

function upload(machine: Machine, { batch, batchBytes = 11_000_000 }: Loop): void {
  if (batch === undefined) return
  const beganUs = machine.nowUs
  machine.nowUs += 1
  const isPageable = batch === 'pageable'
  const lengthUs = Math.round(batchBytes / (isPageable ? RATE.pageable : RATE.pinned))
  const kind = isPageable ? 'HtoD (Pageable -> Device)' : 'HtoD (Pinned -> Device)'
  const stream = batch === 'beside' ? 13 : COMPUTE_STREAM
  const options = { latencyUs: 10, stream, blocks: isPageable }
  const { id, at } = machine.launch('cudaMemcpyAsync', 10, lengthUs, options)
  machine.file.copy(kind, id, at, batchBytes, stream)
  if (isPageable) machine.wait('cudaStreamSynchronize')
  machine.nowUs += 1
  machine.file.operator('aten::copy_', [beganUs, machine.nowUs])
}

function launchKernels(
  machine: Machine,
  { kernels = 10, kernelUs = 200, kernel: name = 'gemm', launchUs = 20 }: Loop,
): void {
  for (let kernel = 0; kernel < kernels; kernel += 1) {
    const beganUs = machine.nowUs
    machine.file.operator('aten::mm', [beganUs, beganUs + launchUs])
    machine.nowUs += launchUs - 6
    const { id, at } = machine.launch('cudaLaunchKernel', 5, kernelUs)
    machine.file.kernel(name, id, at)
    machine.nowUs = beganUs + launchUs
  }
}

function launchGraph(machine: Machine, { kernels = 10, kernelUs = 200, callbackUs }: Loop): void {
  const { id, at } = machine.launch('cudaGraphLaunch', 10, kernelUs)
  machine.file.kernel('gemm', id, at)
  for (let kernel = 1; kernel < kernels; kernel += 1) {
    if (kernel === kernels - 1 && callbackUs !== undefined) {
      const times = machine.follow(PAUSE_US, callbackUs)
      machine.file.hostNode('offload', id, times)
    }
    machine.file.kernel('gemm', id, machine.follow(PAUSE_US, kernelUs))
  }
}

function allReduce(machine: Machine, lengthUs: (startUs: number) => number): number {
  const { id, at } = machine.launch('cudaLaunchKernelExC', 5, lengthUs)
  machine.file.collective('ncclDevKernel_AllReduce_Sum_f32_RING_LL', id, at, {
    'Collective name': 'allreduce',
    'In msg nelems': 2 ** 20,
    'Out msg nelems': 2 ** 20,
    dtype: 'Float',
    'Group size': 2,
    'Process Group Name': '0',
    'Process Group Ranks': '[0, 1]',
  })
  return at[0]
}

function keep(machine: Machine, bytes: number): void {
  const beganUs = machine.nowUs
  machine.nowUs += 1
  const { id, at } = machine.launch('cudaMemcpyAsync', 5, Math.round(bytes / RATE.pinned))
  machine.file.copy('DtoH (Device -> Pinned)', id, at, bytes)
  machine.nowUs += 1
  machine.file.operator('aten::copy_', [beganUs, machine.nowUs])
}

/** `.item()`. */
function readBack(machine: Machine): void {
  const beganUs = machine.nowUs
  machine.nowUs += 2
  const { id, at } = machine.launch('cudaMemcpyAsync', 5, 2)
  machine.file.copy('DtoH (Device -> Pageable)', id, at, 4)
  machine.nowUs += 1
  machine.wait('cudaStreamSynchronize')
  machine.file.operator('aten::_local_scalar_dense', [beganUs + 1, machine.nowUs + 1])
  machine.nowUs += 2
  machine.file.operator('aten::item', [beganUs, machine.nowUs])
}

/** Two ranks of one loop, of which rank 1 does more before its collective. */
export function simulateRanks(loop: Loop, late: Loop): readonly [Simulated, Simulated] {
  const last = simulate({ ...loop, ...late }, { rank: 1, arrivalsUs: [] })
  return [simulate(loop, { rank: 0, arrivalsUs: last.collectivesUs }), last]
}

export interface Diagnosed {
  readonly diagnosis: Diagnosis
  readonly replayed: DeviceReplay
  /** A step without these causes, µs. */
  readonly without: (...causes: readonly string[]) => number
}

/** @param stepMs without the profiler. @param device by its place among those of the trace */
export function diagnosed(
  trace: Trace,
  { stepMs = null, device = 0 }: { readonly stepMs?: number | null; readonly device?: number } = {},
): Diagnosed {
  const { reasons, diagnoses } = analyse(placeTrace(trace), stepMs)
  const diagnosis = diagnoses[device]
  const replayed = reasons?.replayOf(diagnosis?.device ?? '')
  if (!diagnosis || !replayed) throw new Error('no device')
  if (typeof replayed === 'string') throw new Error(replayed)
  const without = (...causes: readonly string[]) => {
    const removed = causes.map((cause) => parseRemoved(cause)).filter((each) => each !== null)
    if (removed.length < causes.length) throw new Error(`no cause: ${causes.join()}`)
    return replayed.replay.without(removed).stepNs / 1e3
  }
  return { diagnosis, replayed, without }
}

export const replayOf = async (loop: Loop): Promise<Diagnosed> =>
  diagnosed((await opened(simulate(loop).file.bytes())).trace)
