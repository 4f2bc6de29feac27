/**
 * The page's half of `npm run bench -- sweep`: compiles variants of a matmul side by side, compares all entries of each with a plain
 * kernel's on the device, and times them in turn by the device's timestamps. Knows no kernel: modules come as text.
 */
import type { GemmShape } from './matmul-shapes'
import type { Step, Variant } from './sweep-variants'
import { COMPARE, FILL, PLAIN } from './sweep-wgsl'

const RESULTS = 4
const STORAGE = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST
const WANTED_LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
] as const

interface Ready {
  readonly pipeline: GPUComputePipeline
  readonly group: GPUBindGroup
  readonly workgroups: Step['workgroups']
}

class Work {
  readonly shape: GemmShape
  readonly a: GPUBuffer
  readonly b: GPUBuffer
  readonly expected: GPUBuffer
  readonly results: readonly GPUBuffer[]
  readonly buffers: GPUBuffer[]
  /** By variant and by result, the dispatches of a product; empty where it did not compile. */
  variants: readonly (readonly (readonly Ready[])[])[] = []

  constructor(shape: GemmShape, create: (size: number) => GPUBuffer) {
    const { m, n, k } = shape
    this.shape = shape
    this.a = create(m * k * 4)
    this.b = create(k * n * 4)
    this.expected = create(m * n * 4)
    this.results = Array.from({ length: RESULTS }, () => create(m * n * 4))
    this.buffers = [this.a, this.b, this.expected, ...this.results]
  }
}

type Own = Readonly<Record<'fill' | 'plain' | 'compare', GPUComputePipeline>>

class Sweep {
  readonly #adapter: GPUAdapter
  readonly #device: GPUDevice
  readonly #faults: string[] = []
  readonly #own: Own
  readonly #querySet: GPUQuerySet
  readonly #ticks: GPUBuffer
  #work: Work | null = null

  private constructor(adapter: GPUAdapter, device: GPUDevice, own: Own) {
    this.#adapter = adapter
    this.#device = device
    this.#own = own
    device.addEventListener('uncapturederror', (event) => this.#faults.push(event.error.message))
    this.#querySet = device.createQuerySet({ type: 'timestamp', count: 2 })
    this.#ticks = device.createBuffer({
      size: 16,
      usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    })
  }

  static async open(): Promise<Sweep> {
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' })
    if (!adapter) throw new Error('no adapter')
    const device = await adapter.requestDevice({
      requiredFeatures: ['timestamp-query'],
      requiredLimits: Object.fromEntries(WANTED_LIMITS.map((name) => [name, adapter.limits[name]])),
    })
    const [fill, plain, compare] = await Promise.all(
      [FILL, PLAIN, COMPARE].map((code) => compile(device, code, {})),
    )
    if (!fill || !plain || !compare) throw new Error('three were asked for')
    return new Sweep(adapter, device, { fill, plain, compare })
  }

  environment = () => {
    const { vendor, architecture, description } = this.#adapter.info
    const limits: Readonly<Record<string, number>> = Object.fromEntries(
      WANTED_LIMITS.map((name) => [name, this.#adapter.limits[name]]),
    )
    return { vendor, architecture, description, userAgent: navigator.userAgent, limits }
  }

  prepare = async (shape: GemmShape): Promise<void> => {
    for (const one of this.#work?.buffers ?? []) one.destroy()
    const work = new Work(shape, (size) => this.#buffer(size))
    const { m, n, k } = shape
    const { fill, plain } = this.#own
    this.#once(fill, [this.#uniform([m * k, 1e9]), work.a], [4096, 1])
    this.#once(fill, [this.#uniform([k * n, 2e9]), work.b], [4096, 1])
    const buffers = [this.#uniform([m, n, k]), work.a, work.b, work.expected]
    this.#once(plain, buffers, [Math.ceil(n / 16), Math.ceil(m / 16)])
    await this.#device.queue.onSubmittedWorkDone()
    this.#work = work
  }

  /** Side by side, or singly, one after the other: how long each took, and null or a message. */
  compileAll = async (variants: readonly Variant[], singly: boolean) => {
    const work = this.#prepared()
    const { m, n, k } = work.shape
    const given = this.#uniform([m, n, k], 1)
    const compileMs: number[] = []
    const compileOne = async ({ steps }: Variant, index: number) => {
      const start = performance.now()
      const pipelines = await Promise.all(
        steps.map(({ code, constants }) => compile(this.#device, code, constants)),
      )
      compileMs[index] = performance.now() - start
      return pipelines
    }
    const compiling: Promise<readonly GPUComputePipeline[]>[] = []
    for (const [index, variant] of variants.entries()) {
      const compiled = compileOne(variant, index)
      compiling.push(compiled)
      if (singly) await Promise.allSettled([compiled])
    }
    const settled = await Promise.allSettled(compiling)
    const most = Math.max(0, ...variants.map(({ scratchBytes }) => scratchBytes))
    const scratch = most > 0 ? work.results.map(() => this.#buffer(most)) : []
    work.buffers.push(...scratch)
    const errors: (string | null)[] = []
    work.variants = settled.map((outcome, index) => {
      errors.push(outcome.status === 'rejected' ? String(outcome.reason) : null)
      if (outcome.status === 'rejected') return []
      const steps = variants[index]?.steps ?? []
      return work.results.map((c, at) =>
        outcome.value.map((pipeline, step): Ready => {
          const into = step + 1 < steps.length ? scratch[at] : c
          const bound = step === 0 ? [given, work.a, work.b, into] : [given, scratch[at], into]
          const workgroups = steps[step]?.workgroups ?? [1, 1, 1]
          return { pipeline, group: this.#bind(pipeline, bound), workgroups }
        }),
      )
    })
    return { compileMs, errors }
  }

  /** Wrong entries of the whole result, and the largest error. */
  verify = async (index: number) => {
    const work = this.#prepared()
    const { m, n, k } = work.shape
    const [c] = work.results
    const encoder = this.#device.createCommandEncoder()
    if (c) encoder.clearBuffer(c)
    const pass = encoder.beginComputePass()
    encode(pass, work, index, 1)
    pass.end()
    this.#device.queue.submit([encoder.finish()])
    const out = this.#buffer(16)
    const params = this.#uniform([m * n], Math.max(1e-6, 2.4e-7 * k))
    this.#once(this.#own.compare, [params, work.expected, c, out], [1024, 1])
    const read = await this.#read(out, 8)
    out.destroy()
    return {
      wrong: new Uint32Array(read)[0] ?? Number.NaN,
      maxError: new Float32Array(read)[1] ?? Number.NaN,
    }
  }

  /** ms a product by the device's clock, over so many products, behind some that are not timed. */
  time = async (index: number, products: number, before: number): Promise<number> => {
    const work = this.#prepared()
    const encoder = this.#device.createCommandEncoder()
    const warm = encoder.beginComputePass()
    encode(warm, work, index, before)
    warm.end()
    const querySet = this.#querySet
    const pass = encoder.beginComputePass({
      timestampWrites: { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
    })
    encode(pass, work, index, products)
    pass.end()
    encoder.resolveQuerySet(querySet, 0, 2, this.#ticks, 0)
    this.#device.queue.submit([encoder.finish()])
    const [from = 0n, until = 0n] = new BigUint64Array(await this.#read(this.#ticks, 16))
    return Number(until - from) / 1e6 / products
  }

  #prepared(): Work {
    if (!this.#work) throw new Error('nothing was prepared')
    return this.#work
  }

  #buffer(size: number, usage: number = STORAGE): GPUBuffer {
    return this.#device.createBuffer({ size: Math.ceil(size / 16) * 16, usage })
  }

  /** Three words, and a float in the fourth. */
  #uniform(words: readonly number[], last = 0): GPUBuffer {
    const view = new DataView(new ArrayBuffer(16))
    words.forEach((word, index) => {
      view.setUint32(4 * index, word, true)
    })
    view.setFloat32(12, last, true)
    const made = this.#buffer(16, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST)
    this.#device.queue.writeBuffer(made, 0, view.buffer)
    return made
  }

  #bind(pipeline: GPUComputePipeline, buffers: readonly (GPUBuffer | undefined)[]): GPUBindGroup {
    return this.#device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.flatMap((buffer, binding) => (buffer ? [{ binding, resource: { buffer } }] : [])),
    })
  }

  #once(
    pipeline: GPUComputePipeline,
    buffers: readonly (GPUBuffer | undefined)[],
    [x, y]: readonly [number, number],
  ): void {
    const encoder = this.#device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, this.#bind(pipeline, buffers))
    pass.dispatchWorkgroups(x, y)
    pass.end()
    this.#device.queue.submit([encoder.finish()])
  }

  async #read(source: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
    const target = this.#buffer(bytes, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST)
    const encoder = this.#device.createCommandEncoder()
    encoder.copyBufferToBuffer(source, 0, target, 0, bytes)
    this.#device.queue.submit([encoder.finish()])
    await target.mapAsync(GPUMapMode.READ)
    const copy = target.getMappedRange().slice(0, bytes)
    target.destroy()
    const fault = this.#faults.shift()
    if (fault !== undefined) throw new Error(fault)
    return copy
  }
}

function compile(
  device: GPUDevice,
  code: string,
  constants: Readonly<Record<string, number>>,
): Promise<GPUComputePipeline> {
  const module = device.createShaderModule({ code })
  const compute = { module, entryPoint: 'main', constants: { ...constants } }
  return device.createComputePipelineAsync({ layout: 'auto', compute })
}

function encode(pass: GPUComputePassEncoder, { variants }: Work, index: number, products: number): void {
  for (let product = 0; product < products; product += 1)
    for (const { pipeline, group, workgroups } of variants[index]?.[product % RESULTS] ?? []) {
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, group)
      pass.dispatchWorkgroups(...workgroups)
    }
}

export type SweepGlobal = typeof globalThis & { sweep: Promise<Sweep> }
;(globalThis as SweepGlobal).sweep = Sweep.open()
