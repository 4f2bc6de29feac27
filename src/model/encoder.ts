/** Encoders of the model: what is called is kept as commands, each for what its call costs. */
import { ModelBuffer, useOf, valuesOf, type BufferUse, type ModelQuerySet } from './buffer'
import type { Command, DispatchCommand, Stamps } from './device'
import { GpuObject, MAKER, type Owner } from './gpu-object'

interface Kernel {
  /** The lab's kernels are known by their label. Null: a program's own. */
  readonly kernel: string | null
  readonly constants: Readonly<Record<string, number>>
}
let kernelOf: (pipeline: ModelPipeline) => Kernel

/** @throws TypeError for anything else */
export let checkLayout: (layout: ModelBindGroupLayout) => void

export class ModelPipelineLayout extends GpuObject {}

export class ModelBindGroupLayout extends GpuObject {
  static {
    checkLayout = (layout) => {
      layout.#isLayout() // a private method: only what was made here has it
    }
  }
  #isLayout(): true {
    return true
  }
}

export class ModelPipeline extends GpuObject {
  static {
    kernelOf = (pipeline) => pipeline.#kernel
  }
  readonly #kernel: Kernel
  constructor(maker: typeof MAKER, label: string, kernel: Kernel) {
    super(maker, label)
    this.#kernel = kernel
  }
  getBindGroupLayout(_index: number): ModelBindGroupLayout {
    return new ModelBindGroupLayout(MAKER)
  }
}

let boundBy: (group: ModelBindGroup) => readonly BufferUse[]

export class ModelBindGroup extends GpuObject {
  static {
    boundBy = (group) => group.#buffers
  }
  /** By binding. */
  readonly #buffers: readonly BufferUse[]
  constructor(maker: typeof MAKER, label: unknown, buffers: readonly BufferUse[]) {
    super(maker, label)
    this.#buffers = buffers
  }
}

interface Encoded {
  readonly label: string
  readonly commands: readonly Command[]
  readonly uses: ReadonlySet<BufferUse>
  isSubmitted: boolean
}
/** @throws TypeError for anything else */
export let encodedIn: (buffer: ModelCommandBuffer) => Encoded

export class ModelCommandBuffer extends GpuObject {
  static {
    encodedIn = (buffer) => buffer.#encoded
  }
  readonly #encoded: Encoded
  constructor(maker: typeof MAKER, encoded: Omit<Encoded, 'isSubmitted'>) {
    super(maker, encoded.label)
    this.#encoded = { ...encoded, isSubmitted: false }
  }
}

export class ModelComputePass extends GpuObject {
  readonly #device: Owner
  readonly #uses: Set<BufferUse>
  readonly #dispatches: DispatchCommand[]
  #kernel: Kernel | null = null
  #group: readonly BufferUse[] | null = null

  constructor(
    maker: typeof MAKER,
    device: Owner,
    label: unknown,
    dispatches: DispatchCommand[],
    uses: Set<BufferUse>,
  ) {
    super(maker, label)
    this.#device = device
    this.#dispatches = dispatches
    this.#uses = uses
  }
  setPipeline(pipeline: ModelPipeline): void {
    this.#device.machine.call('setPipeline')
    this.#kernel = kernelOf(pipeline)
  }
  /** Kernels of the lab have one group, 0. */
  setBindGroup(index: number, group: ModelBindGroup): void {
    this.#device.machine.call('setBindGroup')
    const bound = boundBy(group)
    if (index === 0) this.#group = bound
  }
  dispatchWorkgroups(x: number, y = 1, z = 1): void {
    this.#device.machine.call('dispatch')
    const [pipeline, group] = [this.#kernel, this.#group]
    if (!pipeline || !group) {
      this.#device.raise('validation', 'a dispatch without a pipeline or its bind group')
      return
    }
    const { kernel, constants } = pipeline
    for (const use of Object.values(group)) this.#uses.add(use) // bindings may have gaps
    const bound = group.map(({ memory }) => memory)
    this.#dispatches.push({ kernel, constants, bound, workgroups: x * y * z })
  }
  pushDebugGroup(): void {
    this.#device.machine.call('other')
  }
  popDebugGroup(): void {
    this.#device.machine.call('other')
  }
  end(): void {
    this.#device.machine.call('endPass')
  }
}

/** A realm has render passes; no program of the lab has one. */
export class ModelRenderPass extends GpuObject {
  pushDebugGroup(): void {
    throw new Error('The model has no render passes.')
  }
}

export class ModelCommandEncoder extends GpuObject {
  readonly #device: Owner
  readonly #commands: Command[] = []
  readonly #uses = new Set<BufferUse>()

  constructor(maker: typeof MAKER, device: Owner, label: unknown) {
    super(maker, label)
    this.#device = device
  }

  beginComputePass({ label, timestampWrites }: GPUComputePassDescriptor = {}): ModelComputePass {
    this.#device.machine.call('beginPass')
    const dispatches: DispatchCommand[] = []
    this.#commands.push({ type: 'pass', dispatches, stamps: stampsOf(timestampWrites) })
    return new ModelComputePass(MAKER, this.#device, label, dispatches, this.#uses)
  }

  beginRenderPass(): never {
    throw new Error('The model has no render passes.')
  }

  /** Both forms of the call: with offsets, and (from, to, size?). */
  copyBufferToBuffer(from: ModelBuffer, ...rest: readonly (ModelBuffer | number | undefined)[]): void {
    this.#device.machine.call('copy')
    const [fromOffset, to, toOffset, size = from.size - Number(fromOffset)] =
      rest[0] instanceof ModelBuffer ? [0, rest[0], 0, rest[1]] : rest
    if (!(to instanceof ModelBuffer)) throw new TypeError('copyBufferToBuffer() needs a buffer to copy to.')
    const [source, target] = [useOf(from), useOf(to)]
    this.#uses.add(source).add(target)
    this.#commands.push({
      type: 'copy',
      from: source.memory,
      to: target.memory,
      fromWord: Number(fromOffset) / 4,
      toWord: Number(toOffset) / 4,
      words: Number(size) / 4,
    })
  }

  clearBuffer(buffer: ModelBuffer, offset = 0, size = buffer.size - offset): void {
    this.#device.machine.call('other')
    const use = useOf(buffer)
    this.#uses.add(use)
    const [fromWord, toWord] = [offset / 4, (offset + size) / 4]
    this.#commands.push({ type: 'clear', memory: use.memory, fromWord, toWord })
  }

  resolveQuerySet(set: ModelQuerySet, first: number, count: number, to: ModelBuffer, offset: number): void {
    this.#device.machine.call('other')
    const [use, values] = [useOf(to), valuesOf(set)]
    this.#uses.add(use)
    this.#commands.push({ type: 'resolve', values, first, count, to: use.memory, toWord: offset / 4 })
  }

  finish({ label = this.label }: GPUCommandBufferDescriptor = {}): ModelCommandBuffer {
    this.#device.machine.call('finish')
    return new ModelCommandBuffer(MAKER, { label, commands: this.#commands, uses: this.#uses })
  }
}

function stampsOf(writes: GPUComputePassTimestampWrites | undefined): Stamps | null {
  if (!writes) return null
  const { querySet, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end } = writes
  return { values: valuesOf(querySet as unknown as ModelQuerySet), begin, end }
}
