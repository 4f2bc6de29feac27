/**
 * Programs in plain WebGPU under the recorder in a real browser. Each gives what the trace holds of
 * it, as plain data; recorder.spec.ts asks the questions.
 */
import { selfTestCopyTiming, startRecording, type RecordingSession } from '../../src/recorder'
import { spansOf, type Span } from '../../src/recorder/testing/spans'
import { placeTrace } from '../../src/trace/place'
import type { RunInfo } from '../../src/trace/schema'

const info: RunInfo = {
  experiment: 'recorder',
  params: {},
  derived: {},
  adapter: null,
  userAgent: navigator.userAgent,
  crossOriginIsolated,
  startedAt: new Date().toISOString(),
  origin: 'live',
}

export interface Recorded {
  readonly spans: readonly Span[]
  readonly lanes: readonly string[]
  readonly rejected: Readonly<Record<string, number>>
  readonly fitProblems: readonly string[]
  /** Errors that no scope of the program caught. */
  readonly uncaptured: readonly string[]
  readonly output: readonly number[]
}

type Open = (requiredFeatures?: GPUFeatureName[]) => Promise<GPUDevice>
type Program = (session: RecordingSession, open: Open) => Promise<readonly number[]>

async function recorded(
  program: Program,
  options: Partial<Parameters<typeof startRecording>[0]> = {},
): Promise<Recorded> {
  const session = startRecording({ info, hostStepUs: 5, hostName: 'host', ...options })
  const uncaptured: string[] = []
  const open: Open = async (requiredFeatures = []) => {
    const device = await (await navigator.gpu.requestAdapter())?.requestDevice({ requiredFeatures })
    if (!device) throw new Error('no device')
    device.addEventListener('uncapturederror', ({ error }) => uncaptured.push(error.message))
    return device
  }
  try {
    const output = await program(session, open)
    await session.collect()
    session.stop()
    const trace = session.freeze()
    return {
      spans: spansOf(trace),
      lanes: trace.lanes.map(({ name }) => name),
      rejected: trace.rejected,
      fitProblems: placeTrace(trace).fitProblems.filter((problem) => problem !== null),
      uncaptured,
      output,
    }
  } finally {
    session.stop()
  }
}

/** Adds 1 to each word, `rounds` times over in a loop that takes the device some time. */
async function kernelOf(device: GPUDevice, buffer: GPUBuffer) {
  const code = `@group(0) @binding(0) var<storage, read_write> words: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { words[id.x] += 1.0; }`
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }) },
  })
  const bindGroup = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer } }],
  })
  return (encoder: GPUCommandEncoder, label: string): GPUComputePassEncoder => {
    const pass = encoder.beginComputePass({ label })
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, bindGroup)
    pass.dispatchWorkgroups(buffer.size / 256)
    pass.end()
    return pass
  }
}

const WORDS = 1 << 14
const { STORAGE, COPY_SRC, COPY_DST, MAP_READ, MAP_WRITE } = GPUBufferUsage

/**
 * Three steps: a ring of two staging buffers asked for back at once, a pass, and one word read in
 * every step.
 */
const rawLoop: Program = async (session, open) => {
  const device = await open()
  const data = device.createBuffer({ size: WORDS * 4, usage: STORAGE | COPY_SRC | COPY_DST })
  const staging = ['staging 0', 'staging 1'].map((label) =>
    device.createBuffer({ label, size: WORDS * 4, usage: MAP_WRITE | COPY_SRC }),
  )
  const readback = device.createBuffer({ label: 'readback', size: 4, usage: MAP_READ | COPY_DST })
  const run = await kernelOf(device, data)
  const mapped = staging.map((buffer) => buffer.mapAsync(GPUMapMode.WRITE))
  const output: number[] = []
  for (let step = 0; step < 4; step += 1) {
    session.tag = { variant: 'ring', repeat: 0, step }
    const slot = step % 2
    const buffer = staging[slot]
    if (!buffer) continue
    await mapped[slot]
    new Float32Array(buffer.getMappedRange()).fill(step)
    buffer.unmap()
    const encoder = device.createCommandEncoder({ label: `step ${String(step)}` })
    encoder.copyBufferToBuffer(buffer, data)
    run(encoder, 'add')
    encoder.copyBufferToBuffer(data, 0, readback, 0, 4)
    device.queue.submit([encoder.finish()])
    mapped[slot] = buffer.mapAsync(GPUMapMode.WRITE)
    await readback.mapAsync(GPUMapMode.READ)
    output.push(...new Float32Array(readback.getMappedRange().slice(0)))
    readback.unmap()
  }
  session.tag = { repeat: -1, step: -1 }
  return output
}

/** Submissions that nobody waits for, and one wait at the end; inside an error scope of its own. */
const queued: Program = async (_, open) => {
  const device = await open()
  const data = device.createBuffer({ size: WORDS * 4, usage: STORAGE | COPY_SRC })
  const run = await kernelOf(device, data)
  device.pushErrorScope('validation')
  for (let step = 0; step < 20; step += 1) {
    const encoder = device.createCommandEncoder({ label: `step ${String(step)}` })
    run(encoder, 'add')
    device.queue.submit([encoder.finish()])
    device.queue.onSubmittedWorkDone().catch(() => undefined)
  }
  await device.queue.onSubmittedWorkDone()
  return [(await device.popErrorScope()) === null ? 0 : 1]
}

/** Its own timestamps, read by itself, in one pass of two. */
const ownStamps: Program = async (_, open) => {
  const device = await open(['timestamp-query'])
  const data = device.createBuffer({ size: WORDS * 4, usage: STORAGE })
  const run = await kernelOf(device, data)
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 })
  const resolved = device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | COPY_SRC })
  const read = device.createBuffer({ size: 16, usage: MAP_READ | COPY_DST })
  const encoder = device.createCommandEncoder()
  run(encoder, 'add')
  const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 }
  encoder.beginComputePass({ label: 'own', timestampWrites }).end()
  encoder.resolveQuerySet(querySet, 0, 2, resolved, 0)
  encoder.copyBufferToBuffer(resolved, read)
  device.queue.submit([encoder.finish()])
  await read.mapAsync(GPUMapMode.READ)
  const [begin = 0n, end = 0n] = new BigUint64Array(read.getMappedRange())
  return [Number(begin > 0n), Number(end >= begin)]
}

const programs = { rawLoop, queued, ownStamps }

/**
 * Every property of every global object, and of its prototype: what `changed` holds against what
 * there is later.
 */
let before: (readonly [name: string, object, Readonly<Record<string | symbol, PropertyDescriptor>>])[] = []
function remember(): number {
  const isObject = (value: unknown): value is object => typeof value === 'function' || (typeof value === 'object' && value !== null) // oxfmt-ignore
  before = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).flatMap(([name, { value }]) => {
    if (!isObject(value) || value === globalThis) return []
    const prototype: unknown = Object.getOwnPropertyDescriptor(value, 'prototype')?.value
    const all = [[name, value] as const, ...(isObject(prototype) ? [[`${name}.prototype`, prototype] as const] : [])] // oxfmt-ignore
    return all.map(([each, object]) => [each, object, Object.getOwnPropertyDescriptors(object)] as const)
  })
  return before.length
}

/**
 * Names of the properties that came, went or changed in anything: in value, getter, setter or how
 * they may be used.
 */
const changed = (): readonly string[] =>
  before.flatMap(([name, object, were]) => {
    const are: typeof were = Object.getOwnPropertyDescriptors(object)
    return [...new Set([...Reflect.ownKeys(were), ...Reflect.ownKeys(are)])]
      .filter((key) => {
        const [was, is] = [were[key], are[key]]
        const parts = Object.keys({ ...was, ...is }) as (keyof PropertyDescriptor)[] // its own
        return !was || !is || parts.some((part) => !Object.is(was[part], is[part]))
      })
      .map((key) => `${name}.${String(key)}`)
  })

const recorderLab = {
  record: (name: keyof typeof programs, options: Partial<Parameters<typeof startRecording>[0]> = {}) =>
    recorded(programs[name], options),
  remember,
  changed,
  /** Whether empty passes time a copy here, and the ring with copies timed if so. */
  copies: async () => {
    let works = false
    const result = await recorded(
      async (session, open) => {
        const device = await open()
        works = await selfTestCopyTiming(device, session, { bytes: [2 ** 20, 2 ** 24] })
        session.attach(device, { deviceStepNs: null, copyTimingWorks: works })
        return await rawLoop(session, () => Promise.resolve(device))
      },
      { timeCopies: { minBytes: 1024 } },
    )
    return { works, ...result }
  },
}
export type RecorderLab = typeof recorderLab
Object.assign(globalThis, { recorderLab })
