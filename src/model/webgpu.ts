/** GPU, GPUAdapter, GPUDevice and GPUQueue of the model, and what has no life of its own: shaders, pipelines, bind groups. */
import { ModelBuffer, ModelQuerySet } from './buffer'
import type { Memory } from './device'
import {
  ModelCommandEncoder,
  type ModelBindGroup,
  type ModelCommandBuffer,
  type ModelPipeline,
} from './encoder'
import { GpuObject, type Carried, type Owner } from './gpu-object'
import { wordsOf, type HostRange } from './host-memory'
import type { Machine } from './machine'

/** A compiler takes some ms; no lesson measures it. */
const COMPILE_NS = 2e6

export class ModelValidationError extends Error {}
export class ModelOutOfMemoryError extends Error {}

export class ModelShaderModule extends GpuObject {
  readonly #device: ModelDevice
  constructor(device: ModelDevice, label: unknown) {
    super(label)
    this.#device = device
  }
  getCompilationInfo(): Promise<{ readonly messages: readonly object[] }> {
    return this.#device.machine.answered(() => ({ messages: [] }))
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
    const refused = [...uses].find((buffer) => !buffer.isFree) ?? submitted.find((each) => each.isSubmitted)
    if (refused) {
      this.#device.raise(
        'validation',
        `'${refused.label}' cannot be submitted: it is mapped, destroyed or used up`,
      )
      return
    }
    for (const each of submitted) each.isSubmitted = true
    for (const buffer of uses) buffer.usedUntilNs = Infinity // until it is known
    const { dispatchNs, passNs, commandBufferNs, submitNs } = machine.card.process
    machine.process.post((atNs) => {
      let ns = atNs + (submitted.length > 0 ? submitNs : 0)
      for (const { commands } of submitted) {
        ns += commandBufferNs
        for (const command of commands)
          ns += command.type === 'pass' ? passNs + command.dispatches.length * dispatchNs : dispatchNs
      }
      timeline.run(
        submitted.map(({ commands }) => commands),
        ns,
      )
      for (const buffer of uses) buffer.usedUntilNs = timeline.endsNs
      return ns
    })
    machine.process.flush()
  }

  writeBuffer(
    buffer: ModelBuffer,
    offset: number,
    data: ArrayBuffer | ArrayBufferView | HostRange,
    start = 0,
    size?: number,
  ): void {
    const { machine } = this.#device
    machine.call('writeBuffer')
    if (!buffer.isFree) {
      this.#device.raise('validation', `'${buffer.label}' cannot be written: it is mapped or destroyed`)
      return
    }
    const element = 'BYTES_PER_ELEMENT' in data ? Number(data.BYTES_PER_ELEMENT) : 1
    const bytes = size === undefined ? data.byteLength - start * element : size * element
    const words = wordsOf(data, start * element, bytes)
    const { freshRate, writeNs } = machine.card.process
    machine.process.post((atNs) => atNs + writeNs)
    this.#device.carry(buffer.memory, [{ offset, bytes, words }], bytes, freshRate)
    machine.move(bytes, machine.card.host.writeRate)
  }

  onSubmittedWorkDone(): Promise<undefined> {
    const { machine, timeline } = this.#device
    machine.call('onSubmittedWorkDone')
    return new Promise((resolve, reject) => {
      // What was submitted before the call; handled before it, too.
      let endsNs = Infinity
      machine.process.post((atNs) => {
        endsNs = Math.max(atNs, timeline.endsNs)
        return atNs
      })
      machine.process.askWhenEnded({
        endsNs: () => (this.#device.isLost ? 0 : endsNs),
        prepare: (atNs) => atNs,
        answer: () => {
          if (this.#device.isLost) reject(new DOMException('The device is lost.', 'AbortError'))
          else resolve(undefined)
        },
      })
    })
  }
}

export class ModelDevice extends GpuObject implements Owner {
  readonly machine: Machine
  readonly timeline
  readonly features: ReadonlySet<string>
  readonly limits: Readonly<Record<string, number>>
  readonly lost: Promise<{ readonly reason: string; readonly message: string }>
  isLost = false
  readonly #queue: ModelQueue
  readonly #scopes: { readonly filter: string; error: Error | null }[] = []
  readonly #listeners: ((event: { readonly error: Error; preventDefault: () => void }) => void)[] = []
  #lose: (info: { readonly reason: string; readonly message: string }) => void = () => undefined

  constructor(machine: Machine, features: Iterable<string>) {
    super()
    this.machine = machine
    this.timeline = machine.timeline()
    this.#queue = new ModelQueue(this)
    this.features = new Set(features)
    this.limits = machine.card.environment.limits
    this.lost = new Promise((resolve) => (this.#lose = resolve))
  }

  get queue(): ModelQueue {
    return this.#queue
  }

  addEventListener(
    _type: string,
    listener: (event: { readonly error: Error; preventDefault: () => void }) => void,
  ): void {
    this.#listeners.push(listener)
  }

  createBuffer(descriptor: GPUBufferDescriptor): ModelBuffer {
    this.machine.call('createBuffer')
    return new ModelBuffer(this, descriptor)
  }
  createQuerySet(descriptor: GPUQuerySetDescriptor): ModelQuerySet {
    this.machine.call('other')
    return new ModelQuerySet(descriptor)
  }
  createCommandEncoder({ label }: GPUCommandEncoderDescriptor = {}): ModelCommandEncoder {
    this.machine.call('createCommandEncoder')
    return new ModelCommandEncoder(this, label)
  }
  createShaderModule({ label }: GPUShaderModuleDescriptor): ModelShaderModule {
    this.machine.call('other')
    return new ModelShaderModule(this, label)
  }
  createComputePipeline({ label = '', compute }: GPUComputePipelineDescriptor): ModelPipeline {
    this.machine.call('other')
    return { kernel: label, constants: compute.constants ?? {}, getBindGroupLayout: () => ({}) }
  }
  createComputePipelineAsync(descriptor: GPUComputePipelineDescriptor): Promise<ModelPipeline> {
    return this.machine.answered(() => this.createComputePipeline(descriptor), COMPILE_NS)
  }
  createBindGroup({ entries }: GPUBindGroupDescriptor): ModelBindGroup {
    this.machine.call('other')
    const buffers: ModelBuffer[] = []
    for (const { binding, resource } of entries) {
      const bound =
        resource instanceof ModelBuffer
          ? resource
          : (resource as unknown as { readonly buffer: ModelBuffer }).buffer
      buffers[binding] = bound
    }
    return { buffers }
  }

  pushErrorScope(filter: string): void {
    this.#scopes.push({ filter, error: null })
  }
  popErrorScope(): Promise<Error | null> {
    const scope = this.#scopes.pop()
    if (!scope) return Promise.reject(new DOMException('No error scope is open.', 'OperationError'))
    return this.machine.answered(() => scope.error)
  }

  /** To the innermost scope of its kind. */
  raise(filter: 'validation' | 'out-of-memory', message: string): void {
    const error =
      filter === 'validation' ? new ModelValidationError(message) : new ModelOutOfMemoryError(message)
    const scope = this.#scopes.findLast((each) => each.filter === filter)
    if (scope) scope.error ??= error
    else for (const listener of this.#listeners) listener({ error, preventDefault: () => undefined })
  }

  /** Bytes on their way to a buffer. */
  carry(memory: Memory, written: readonly Carried[], bytes: number, rate: number): void {
    const taken = this.machine.share(bytes)
    this.machine.process.post((atNs) => {
      for (const each of written) memory.contents.copy(each.offset / 4, each.bytes / 4, each.words, 0)
      const doneNs = atNs + bytes / rate
      // Taken when it has been read, which is later than now: this is called when the message is handled.
      this.machine.clock.at(doneNs, taken)
      return doneNs
    })
  }

  destroy(): void {
    this.isLost = true
    this.#lose({ reason: 'destroyed', message: '' })
    this.machine.process.ask(() => undefined)
  }
}

export class ModelAdapter extends GpuObject {
  readonly #machine: Machine
  constructor(machine: Machine) {
    super()
    this.#machine = machine
  }
  get features(): ReadonlySet<string> {
    return new Set(this.#machine.card.environment.features)
  }
  get limits(): Readonly<Record<string, number>> {
    return this.#machine.card.environment.limits
  }
  get info(): object {
    return this.#machine.card.environment.adapter
  }
  requestDevice({ requiredFeatures = [] }: GPUDeviceDescriptor = {}): Promise<ModelDevice> {
    return this.#machine.answered(() => new ModelDevice(this.#machine, requiredFeatures))
  }
}

export class ModelGpu {
  readonly #machine: Machine
  constructor(machine: Machine) {
    this.#machine = machine
  }
  requestAdapter(): Promise<ModelAdapter> {
    return this.#machine.answered(() => new ModelAdapter(this.#machine))
  }
}
