/** GPU, GPUAdapter, GPUDevice and GPUQueue of the model, and what has no life of its own: shaders, pipelines, bind groups. */
import { ModelBuffer, ModelQuerySet, useOf, type BufferUse } from './buffer'
import type { Memory } from './device'
import type { Moment } from './gpu'
import {
  checkLayout,
  encodedIn,
  ModelBindGroup,
  ModelBindGroupLayout,
  ModelCommandEncoder,
  ModelPipeline,
  ModelPipelineLayout,
  type ModelCommandBuffer,
} from './encoder'
import { GpuObject, MAKER, promised, type Carried, type Owner } from './gpu-object'
import { bytesOf, wordsOf } from './host-memory'
import type { Machine } from './machine'

/** A compiler takes some ms; no lesson measures it. */
const COMPILE_NS = 2e6

export class ModelValidationError extends Error {}
export class ModelOutOfMemoryError extends Error {}

type Filter = 'validation' | 'out-of-memory'
type Listener = (event: { readonly error: Error; preventDefault: () => void }) => void

/** Until it is handled. */
const NOT_KNOWN: Moment = { ns: Infinity }

/** What a device and its queue share. */
class DeviceInside implements Owner {
  readonly machine: Machine
  readonly timeline
  isLost = false
  readonly scopes: { readonly filter: string; error: Error | null }[] = []
  readonly listeners: Listener[] = []

  constructor(machine: Machine) {
    this.machine = machine
    this.timeline = machine.timeline()
  }

  /** To the innermost scope of its kind. */
  raise(filter: Filter, message: string): void {
    const error =
      filter === 'validation' ? new ModelValidationError(message) : new ModelOutOfMemoryError(message)
    const scope = this.scopes.findLast((each) => each.filter === filter)
    if (scope) scope.error ??= error
    else for (const listener of this.listeners) listener({ error, preventDefault: () => undefined })
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
}

/** Whether it was made while a learner's program had begun. @throws TypeError for anything else */
let isOfProgram: (module: ModelShaderModule) => boolean

export class ModelShaderModule extends GpuObject {
  static {
    isOfProgram = (module) => module.#isOfProgram
  }
  readonly #isOfProgram: boolean
  readonly #device: DeviceInside
  constructor(maker: typeof MAKER, device: DeviceInside, label: unknown) {
    super(maker, label)
    this.#device = device
    this.#isOfProgram = device.machine.hasProgram
  }
  getCompilationInfo(): Promise<{ readonly messages: readonly object[] }> {
    return promised(() => this.#device.machine.answered(() => ({ messages: [] })))
  }
}

export class ModelQueue extends GpuObject {
  readonly #device: DeviceInside
  constructor(maker: typeof MAKER, device: DeviceInside) {
    super(maker)
    this.#device = device
  }

  submit(buffers: Iterable<ModelCommandBuffer>): void {
    const { machine, timeline } = this.#device
    machine.call('submit')
    const submitted = Array.from(buffers, encodedIn)
    const uses = new Set(submitted.flatMap((buffer) => [...buffer.uses]))
    const refused =
      [...uses].find(({ isFree }) => !isFree)?.buffer ?? submitted.find((each) => each.isSubmitted)
    if (refused) {
      this.#device.raise(
        'validation',
        `'${refused.label}' cannot be submitted: it is mapped, destroyed or used up`,
      )
      return
    }
    for (const each of submitted) each.isSubmitted = true
    for (const buffer of uses) buffer.usedUntil = NOT_KNOWN
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
      for (const buffer of uses) buffer.usedUntil = timeline.ended
      return ns
    })
    machine.process.flush()
  }

  writeBuffer(buffer: ModelBuffer, offset: number, data: object, start = 0, size?: number): void {
    const { machine } = this.#device
    machine.call('writeBuffer')
    const use = useOf(buffer)
    if (!use.isFree) {
      this.#device.raise('validation', `'${buffer.label}' cannot be written: it is mapped or destroyed`)
      return
    }
    const { byteLength, elementBytes } = bytesOf(data)
    const bytes = size === undefined ? byteLength - start * elementBytes : size * elementBytes
    const words = wordsOf(data, start * elementBytes, bytes)
    const { freshRate, writeNs } = machine.card.process
    machine.process.post((atNs) => atNs + writeNs)
    this.#device.carry(use.memory, [{ offset, bytes, words }], bytes, freshRate)
    machine.move(bytes, machine.card.host.writeRate)
  }

  onSubmittedWorkDone(): Promise<undefined> {
    return promised(() => this.#workDone())
  }

  #workDone(): Promise<undefined> {
    const { machine, timeline } = this.#device
    machine.call('onSubmittedWorkDone')
    return new Promise((resolve, reject) => {
      // What was submitted before the call; handled before it, too.
      let ended: Moment = NOT_KNOWN
      machine.process.post((atNs) => {
        ended = timeline.ended
        return atNs
      })
      machine.process.askWhenEnded({
        endsNs: () => (this.#device.isLost ? 0 : ended.ns),
        prepare: (atNs) => atNs,
        answer: () => {
          if (this.#device.isLost) reject(new DOMException('The device is lost.', 'AbortError'))
          else resolve(undefined)
        },
      })
    })
  }
}

export class ModelDevice extends GpuObject {
  readonly #inside: DeviceInside
  readonly #queue: ModelQueue
  readonly #features: ReadonlySet<string>
  readonly #limits: Readonly<Record<string, number>>
  readonly #lost: Promise<{ readonly reason: string; readonly message: string }>
  #lose: (info: { readonly reason: string; readonly message: string }) => void = () => undefined

  constructor(maker: typeof MAKER, machine: Machine, features: Iterable<string>) {
    super(maker)
    this.#inside = new DeviceInside(machine)
    this.#queue = new ModelQueue(MAKER, this.#inside)
    this.#features = new Set(features)
    this.#limits = Object.freeze({ ...machine.card.environment.limits })
    this.#lost = new Promise((resolve) => (this.#lose = resolve))
  }

  get queue(): ModelQueue {
    return this.#queue
  }
  get features(): ReadonlySet<string> {
    return this.#features
  }
  get limits(): Readonly<Record<string, number>> {
    return this.#limits
  }
  get lost(): Promise<{ readonly reason: string; readonly message: string }> {
    return this.#lost
  }

  addEventListener(_type: string, listener: Listener): void {
    this.#inside.listeners.push(listener)
  }

  createBuffer(descriptor: GPUBufferDescriptor): ModelBuffer {
    this.#inside.machine.call('createBuffer')
    return new ModelBuffer(MAKER, this.#inside, descriptor)
  }
  createQuerySet(descriptor: GPUQuerySetDescriptor): ModelQuerySet {
    this.#inside.machine.call('other')
    return new ModelQuerySet(MAKER, descriptor)
  }
  createCommandEncoder({ label }: GPUCommandEncoderDescriptor = {}): ModelCommandEncoder {
    this.#inside.machine.call('createCommandEncoder')
    return new ModelCommandEncoder(MAKER, this.#inside, label)
  }
  createShaderModule({ label }: GPUShaderModuleDescriptor): ModelShaderModule {
    this.#inside.machine.call('other')
    return new ModelShaderModule(MAKER, this.#inside, label)
  }
  createComputePipeline({ label = '', compute }: GPUComputePipelineDescriptor): ModelPipeline {
    this.#inside.machine.call('other')
    const isOwn = isOfProgram(compute.module as unknown as ModelShaderModule) // refused where it is none
    return new ModelPipeline(MAKER, label, {
      kernel: isOwn ? null : label,
      constants: { ...compute.constants },
    })
  }
  createComputePipelineAsync(descriptor: GPUComputePipelineDescriptor): Promise<ModelPipeline> {
    return promised(() =>
      this.#inside.machine.answered(() => this.createComputePipeline(descriptor), COMPILE_NS),
    )
  }
  createBindGroupLayout({ label }: GPUBindGroupLayoutDescriptor): ModelBindGroupLayout {
    this.#inside.machine.call('other')
    return new ModelBindGroupLayout(MAKER, label)
  }
  createPipelineLayout({ label }: GPUPipelineLayoutDescriptor): ModelPipelineLayout {
    this.#inside.machine.call('other')
    return new ModelPipelineLayout(MAKER, label)
  }
  createBindGroup({ label, layout, entries }: GPUBindGroupDescriptor): ModelBindGroup {
    this.#inside.machine.call('other')
    checkLayout(layout as unknown as ModelBindGroupLayout) // likewise
    const buffers: BufferUse[] = []
    for (const { binding, resource } of entries)
      buffers[binding] = useOf(
        resource instanceof ModelBuffer
          ? resource
          : (resource as unknown as { readonly buffer: ModelBuffer }).buffer,
      )
    return new ModelBindGroup(MAKER, label, buffers)
  }

  pushErrorScope(filter: string): void {
    this.#inside.scopes.push({ filter, error: null })
  }
  popErrorScope(): Promise<Error | null> {
    return promised(() => {
      const scope = this.#inside.scopes.pop()
      if (!scope) throw new DOMException('No error scope is open.', 'OperationError')
      return this.#inside.machine.answered(() => scope.error)
    })
  }

  destroy(): void {
    this.#inside.isLost = true
    this.#lose({ reason: 'destroyed', message: '' })
    this.#inside.machine.process.ask(() => undefined)
  }
}

export class ModelAdapter extends GpuObject {
  readonly #machine: Machine
  constructor(maker: typeof MAKER, machine: Machine) {
    super(maker)
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
    return this.#machine.answered(() => new ModelDevice(MAKER, this.#machine, requiredFeatures))
  }
}

export class ModelGpu extends GpuObject {
  readonly #machine: Machine
  constructor(maker: typeof MAKER, machine: Machine) {
    super(maker)
    this.#machine = machine
  }
  requestAdapter(): Promise<ModelAdapter> {
    return this.#machine.answered(() => new ModelAdapter(MAKER, this.#machine))
  }
}
