/**
 * The page of `npm run bench -- recorder`: one program in plain WebGPU, run bare and under a
 * recording session. It measures and keeps no opinion; what the times mean is worked out in Node.
 */
import { startRecording, type RecordingSession } from '../src/recorder'
import * as recorder from '../src/recorder/page'
import type { RunInfo } from '../src/trace/schema'
import type { Arm } from './recorder'

export type Kernel = 'short' | 'sized'
export type Waiting = 'queued' | 'awaited'

/** Before what is timed, in either arm: wrappers are compiled, and a GPU's clock is up. */
const WARM_UP = 50
/** Most of one set (WebGPU §20.1). */
const QUERIES = 4096
/** What a recording says of itself. */
const BENCH_INFO: RunInfo = {
  experiment: 'bench',
  params: {},
  derived: {},
  adapter: null,
  userAgent: '',
  crossOriginIsolated: true,
  startedAt: '',
  origin: 'live',
}
const CODE = `override rounds: u32;
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var word = words[id.x];
  for (var i = 0u; i < rounds; i += 1u) { word = word * 1664525u + 1013904223u; }
  words[id.x] = word;
}`

async function open() {
  const adapter = await navigator.gpu.requestAdapter()
  if (!adapter) throw new Error('There is no adapter.')
  const requiredFeatures: GPUFeatureName[] = adapter.features.has('timestamp-query')
    ? ['timestamp-query']
    : []
  const device = await adapter.requestDevice({ requiredFeatures })
  const buffer = device.createBuffer({ size: 1 << 14, usage: GPUBufferUsage.STORAGE })
  const module = device.createShaderModule({ code: CODE })
  const pipelineOf = async (rounds: number) => {
    const pipeline = await device.createComputePipelineAsync({
      layout: 'auto',
      compute: { module, constants: { rounds } },
    })
    const entries = [{ binding: 0, resource: { buffer } }]
    return { pipeline, group: device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }) }
  }
  type Sized = Awaited<ReturnType<typeof pipelineOf>>

  const querySet =
    requiredFeatures.length > 0 ? device.createQuerySet({ type: 'timestamp', count: QUERIES }) : null

  /** The program: so many submissions of one pass each. @returns ms of one */
  const submits = async (
    { pipeline, group }: Sized,
    waiting: Waiting,
    count: number,
    arm: Arm = 'bare',
  ): Promise<number> => {
    const stamps = arm === 'stamps alone' ? querySet : null
    const start = performance.now()
    for (let step = 0; step < count; step += 1) {
      const encoder = device.createCommandEncoder({ label: 'step' })
      const at = (2 * step) % QUERIES
      const pass = encoder.beginComputePass(
        stamps
          ? {
              label: 'kernel',
              timestampWrites: {
                querySet: stamps,
                beginningOfPassWriteIndex: at,
                endOfPassWriteIndex: at + 1,
              },
            }
          : { label: 'kernel' },
      )
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, group)
      pass.dispatchWorkgroups(64)
      pass.end()
      device.queue.submit([encoder.finish()])
      if (waiting === 'awaited') await device.queue.onSubmittedWorkDone()
    }
    if (waiting === 'queued') await device.queue.onSubmittedWorkDone()
    return (performance.now() - start) / count
  }
  /** Rounds for about so many ms: doubled until queued submissions take that long, then scaled. */
  const sizeFor = async (ms: number): Promise<number> => {
    for (let rounds = 64; ; rounds *= 2) {
      const kernel = await pipelineOf(rounds)
      await submits(kernel, 'queued', 5)
      const each = await submits(kernel, 'queued', 20)
      if (each >= ms || rounds >= 2 ** 24) return Math.max(1, Math.round((rounds * ms) / each))
    }
  }
  const kernels: Record<Kernel, Sized> = { short: await pipelineOf(1), sized: await pipelineOf(1) }

  let session: RecordingSession | null = null
  return {
    adapterName: [adapter.info.vendor, adapter.info.architecture].filter(Boolean).join(' '),
    hasTimestamps: requiredFeatures.length > 0,
    size: async (ms: number): Promise<void> => {
      kernels.sized = await pipelineOf(await sizeFor(ms))
    },
    /** Begins to record, and warms up. */
    prepare: async (kernel: Kernel, waiting: Waiting, arm: Arm): Promise<void> => {
      if (arm === 'page') recorder.start()
      if (arm === 'recorded') session = startRecording({ stamp: 'passes', info: BENCH_INFO, hostStepUs: 5 })
      session?.attach(device, { deviceStepNs: null })
      await submits(kernels[kernel], waiting, WARM_UP, arm)
    },
    run: (kernel: Kernel, waiting: Waiting, arm: Arm, count: number): Promise<number> =>
      submits(kernels[kernel], waiting, count, arm),
    finish: async (arm: Arm): Promise<void> => {
      if (arm === 'page') await recorder.stop()
      await session?.collect()
      session?.stop()
      session = null
    },
  }
}

export type RecorderBench = Awaited<ReturnType<typeof open>>
export type RecorderBenchGlobal = typeof globalThis & { recorderBench: Promise<RecorderBench> }
// Node waits for the promise itself: where there is no adapter, it learns so at once.
;(globalThis as RecorderBenchGlobal).recorderBench = open()
