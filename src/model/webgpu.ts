/** GPU, GPUAdapter, GPUDevice and GPUQueue of the model, and shader modules. */
import { ModelBuffer, ModelQuerySet } from './buffer'
import type { Memory } from './device'
import {
  ModelBindGroup,
  ModelBindGroupLayout,
  ModelCommandBuffer,
  ModelCommandEncoder,
  ModelComputePass,
  ModelPipeline,
  ModelPipelineLayout,
  ModelRenderPass,
} from './encoder'
import { GpuObject, type Carried, type Owner } from './gpu-object'
import { bytesOf, wordsOf } from './host-memory'
import type { Machine } from './machine'

/** A compiler takes some ms; no lesson measures it. */
const COMPILE_NS = 2e6

export class ModelValidationError extends Error {}
export class ModelOutOfMemoryError extends Error {}

type Filter = 'validation' | 'out-of-memory'
type Listener = (event: { readonly error: Error; preventDefault: () => void }) => void
const never = () => new Promise<never>(() => undefined)

interface Lost {
  readonly reason: string
  readonly message: string
}

export class ModelShaderModule extends GpuObject {
  /** It was made while a learner's program ran. */
  readonly isOfProgram: boolean
  readonly messages: readonly object[]
  readonly #machine: Machine
  constructor(machine: Machine, label: unknown, code: string) {
    super(label)
    this.#machine = machine
    this.isOfProgram = machine.hasProgram
    this.messages = machine.messagesOf(code)
  }
  async getCompilationInfo(): Promise<{ readonly messages: readonly object[] }> {
    if (this.#machine.hangs('getCompilationInfo')) await never()
    return await this.#machine.answered(() => ({ messages: this.messages }))
  }
}

export class ModelQueue extends GpuObject {
  readonly #device: ModelDevice
  constructor(device: ModelDevice) {
    super()
    this.#device = device
  }

  submit(buffers: Iterable<ModelCommandBuffer>): void {
    const { machine, timeline } = this.#device
    machine.call('submit')
    const submitted = [...buffers]
    const uses = new Set(submitted.flatMap((buffer) => [...buffer.uses]))
    const refused =
      [...uses].find(({ isFree }) => !isFree) ?? submitted.find(({ isSubmitted }) => isSubmitted)
    if (refused) {
      this.#device.raise(
        'validation',
        `'${refused.label}' cannot be submitted: it is mapped, destroyed or used up`,
      )
      return
    }
    for (const each of submitted) each.isSubmitted = true
    for (const buffer of uses) buffer.usedUntilNs = Infinity
    const { dispatchNs, passNs, commandBufferNs, submitNs } = machine.profile.process
    machine.process.post((atNs) => {
      let ns = atNs + (submitted.length > 0 ? submitNs : 0)
      for (const { commands } of submitted) {
        ns += commandBufferNs
        for (const command of commands)
          ns += command.type === 'pass' ? passNs + command.dispatches.length * dispatchNs : dispatchNs
      }
      timeline.run(submitted, ns)
      for (const buffer of uses) buffer.usedUntilNs = timeline.endedNs
      return ns
    })
    machine.process.flush()
  }

  writeBuffer(buffer: ModelBuffer, offset: number, data: object, start = 0, size?: number): void {
    const { machine } = this.#device
    machine.call('writeBuffer')
    if (!buffer.isFree) {
      this.#device.raise('validation', `'${buffer.label}' cannot be written: it is mapped or destroyed`)
      return
    }
    const { byteLength, elementBytes } = bytesOf(data)
    const bytes = size === undefined ? byteLength - start * elementBytes : size * elementBytes
    const words = wordsOf(data, start * elementBytes, bytes)
    const { freshRate, writeNs } = machine.profile.process
    machine.process.post((atNs) => atNs + writeNs)
    this.#device.carry(buffer.memory, [{ offset, bytes, words }], bytes, freshRate)
    machine.move(bytes, machine.profile.host.writeRate)
  }

  writeTexture(): void {}

  async onSubmittedWorkDone(): Promise<undefined> {
    const { machine, timeline } = this.#device
    machine.call('onSubmittedWorkDone')
    if (machine.hangs('onSubmittedWorkDone')) await never()
    await new Promise<void>((resolve, reject) => {
      // Commands that were submitted before the call are handled before it, too.
      let endedNs = Infinity
      machine.process.post((atNs) => {
        endedNs = timeline.endedNs
        return atNs
      })
      machine.process.askWhenEnded({
        endsNs: () => (this.#device.isLost ? 0 : endedNs),
        prepare: (atNs) => atNs,
        answer: () => {
          if (this.#device.isLost) reject(new DOMException('The device is lost.', 'AbortError'))
          else resolve()
        },
      })
    })
    return undefined
  }
}

export class ModelDevice extends GpuObject implements Owner {
  readonly machine: Machine
  readonly timeline
  readonly features: ReadonlySet<string>
  readonly limits: Readonly<Record<string, number>>
  isLost = false
  /** Error scopes that are open. */
  readonly scopes: { readonly filter: string; error: Error | null }[] = []
  readonly #queue = new ModelQueue(this)
  readonly #listeners: Listener[] = []
  #lose: (info: Lost) => void = () => undefined
  readonly lost = new Promise<Lost>((resolve) => (this.#lose = resolve))

  constructor(machine: Machine, features: Iterable<string>) {
    super()
    this.machine = machine
    this.timeline = machine.timeline()
    this.features = new Set(features)
    this.limits = Object.freeze({ ...machine.profile.environment.limits })
  }

  get queue(): ModelQueue {
    return this.#queue
  }

  addEventListener(_type: string, listener: Listener): void {
    this.#listeners.push(listener)
  }

  createBuffer(descriptor: GPUBufferDescriptor): ModelBuffer {
    this.machine.call('createBuffer')
    if (!Number.isSafeInteger(descriptor.size)) throw new TypeError('The size of a buffer is a whole number.')
    return new ModelBuffer(this, descriptor)
  }
  createTexture(): GpuObject {
    return new GpuObject()
  }
  createQuerySet(descriptor: GPUQuerySetDescriptor): ModelQuerySet {
    this.machine.call('other')
    return new ModelQuerySet(this, descriptor)
  }
  createCommandEncoder({ label }: GPUCommandEncoderDescriptor = {}): ModelCommandEncoder {
    this.machine.call('createCommandEncoder')
    return new ModelCommandEncoder(this, label)
  }
  createShaderModule({ label, code }: GPUShaderModuleDescriptor): ModelShaderModule {
    this.machine.call('other')
    const module = new ModelShaderModule(this.machine, label, code)
    if (module.messages.length > 0) this.raise('validation', 'Error while parsing WGSL')
    return module
  }
  createComputePipeline(descriptor: GPUComputePipelineDescriptor): ModelPipeline {
    this.machine.call('other')
    return pipelineOf(descriptor)
  }
  async createComputePipelineAsync(descriptor: GPUComputePipelineDescriptor): Promise<ModelPipeline> {
    if (this.machine.hangs('createComputePipelineAsync')) await never()
    return await this.machine.answered(() => {
      this.machine.call('other')
      return pipelineOf(descriptor)
    }, COMPILE_NS)
  }
  createBindGroupLayout({ label }: GPUBindGroupLayoutDescriptor): ModelBindGroupLayout {
    this.machine.call('other')
    return new ModelBindGroupLayout(label)
  }
  createPipelineLayout({ label }: GPUPipelineLayoutDescriptor): ModelPipelineLayout {
    this.machine.call('other')
    return new ModelPipelineLayout(label)
  }
  createBindGroup({ label, entries }: GPUBindGroupDescriptor): ModelBindGroup {
    this.machine.call('other')
    const buffers: ModelBuffer[] = []
    for (const { binding, resource } of entries)
      buffers[binding] =
        resource instanceof ModelBuffer
          ? resource
          : (resource as unknown as { readonly buffer: ModelBuffer }).buffer
    return new ModelBindGroup(label, buffers)
  }

  pushErrorScope(filter: string): void {
    this.scopes.push({ filter, error: null })
  }
  async popErrorScope(): Promise<Error | null> {
    const isHanging = this.machine.hangs('popErrorScope')
    const scope = this.scopes.pop()
    if (!scope) throw new DOMException('No error scope is open.', 'OperationError')
    if (isHanging) await never()
    return await this.machine.answered(() => scope.error)
  }

  destroy(): void {
    this.lose('destroyed')
  }

  lose(reason: 'destroyed' | 'unknown'): void {
    this.isLost = true
    this.#lose({ reason, message: '' })
    this.machine.process.ask(() => undefined)
  }

  /** To the innermost scope of its kind. */
  raise(filter: Filter, message: string): void {
    const error =
      filter === 'validation' ? new ModelValidationError(message) : new ModelOutOfMemoryError(message)
    const scope = this.scopes.findLast((each) => each.filter === filter)
    if (scope) scope.error ??= error
    else for (const listener of this.#listeners) listener({ error, preventDefault: () => undefined })
  }

  /** Sends bytes to a buffer, and what of them was written. */
  carry(memory: Memory, written: readonly Carried[], bytes: number, rate: number): void {
    const taken = this.machine.share(bytes)
    this.machine.process.post((atNs) => {
      for (const each of written) memory.contents.copy(each.offset / 4, each.bytes / 4, each.words, 0)
      const doneNs = atNs + bytes / rate
      // Taken when it has been read, which is later than now: this is called when the message is
      // handled.
      this.machine.clock.at(doneNs, taken)
      return doneNs
    })
  }
}

function pipelineOf({ label = '', compute }: GPUComputePipelineDescriptor): ModelPipeline {
  const { isOfProgram } = compute.module as unknown as ModelShaderModule // of this realm
  return new ModelPipeline(label, {
    kernel: isOfProgram ? null : label,
    constants: { ...compute.constants },
  })
}

export class ModelAdapter extends GpuObject {
  readonly features: ReadonlySet<string>
  readonly limits: Readonly<Record<string, number>>
  readonly info: object
  readonly #machine: Machine
  constructor(machine: Machine) {
    super()
    this.#machine = machine
    const { features, limits, adapter } = machine.profile.environment
    this.features = new Set(features)
    this.limits = limits
    this.info = adapter
  }
  async requestDevice({ requiredFeatures = [] }: GPUDeviceDescriptor = {}): Promise<ModelDevice> {
    return await this.#machine.answered(() => new ModelDevice(this.#machine, requiredFeatures))
  }
}

export class ModelGpu extends GpuObject {
  readonly #machine: Machine
  constructor(machine: Machine) {
    super()
    this.#machine = machine
  }
  async requestAdapter(): Promise<ModelAdapter> {
    return await this.#machine.answered(() => new ModelAdapter(this.#machine))
  }
}

/** By the names that WebGPU gives them. */
export const CLASSES = {
  GPUAdapter: ModelAdapter,
  GPUDevice: ModelDevice,
  GPUQueue: ModelQueue,
  GPUBuffer: ModelBuffer,
  GPUQuerySet: ModelQuerySet,
  GPUCommandEncoder: ModelCommandEncoder,
  GPUComputePassEncoder: ModelComputePass,
  GPURenderPassEncoder: ModelRenderPass,
  GPUShaderModule: ModelShaderModule,
  GPUComputePipeline: ModelPipeline,
  GPUBindGroup: ModelBindGroup,
  GPUBindGroupLayout: ModelBindGroupLayout,
  GPUPipelineLayout: ModelPipelineLayout,
  GPUCommandBuffer: ModelCommandBuffer,
}
