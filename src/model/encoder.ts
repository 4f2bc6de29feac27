/** Encoders of the model: each call costs its time, and becomes a command. */
import { ModelBuffer, type ModelQuerySet } from './buffer'
import type { Command, DispatchCommand, Stamps } from './device'
import { GpuObject, type Owner } from './gpu-object'

export class ModelPipelineLayout extends GpuObject {}

export class ModelBindGroupLayout extends GpuObject {}

interface Kernel {
  /** The lab's kernels are known by their label. Null: a program's own. */
  readonly kernel: string | null
  readonly constants: Readonly<Record<string, number>>
}

export class ModelPipeline extends GpuObject {
  readonly kernel: Kernel
  constructor(label: string, kernel: Kernel) {
    super(label)
    this.kernel = kernel
  }
  getBindGroupLayout(_index: number): ModelBindGroupLayout {
    return new ModelBindGroupLayout()
  }
}

export class ModelBindGroup extends GpuObject {
  /** By binding. */
  readonly buffers: readonly ModelBuffer[]
  constructor(label: unknown, buffers: readonly ModelBuffer[]) {
    super(label)
    this.buffers = buffers
  }
}

export class ModelCommandBuffer extends GpuObject {
  readonly commands: readonly Command[]
  readonly uses: ReadonlySet<ModelBuffer>
  isSubmitted = false
  constructor(label: string, commands: readonly Command[], uses: ReadonlySet<ModelBuffer>) {
    super(label)
    this.commands = commands
    this.uses = uses
  }
}

export class ModelComputePass extends GpuObject {
  readonly #device: Owner
  readonly #uses: Set<ModelBuffer>
  readonly #dispatches: DispatchCommand[]
  #pipeline: ModelPipeline | null = null
  #group: ModelBindGroup | null = null

  constructor(device: Owner, label: unknown, dispatches: DispatchCommand[], uses: Set<ModelBuffer>) {
    super(label)
    this.#device = device
    this.#dispatches = dispatches
    this.#uses = uses
  }
  setPipeline(pipeline: ModelPipeline): void {
    this.#device.machine.call('setPipeline')
    this.#pipeline = pipeline
  }
  /** Kernels of the lab have one group, 0. */
  setBindGroup(index: number, group: ModelBindGroup): void {
    this.#device.machine.call('setBindGroup')
    if (index === 0) this.#group = group
  }
  dispatchWorkgroups(x: number, y = 1, z = 1): void {
    this.#device.machine.call('dispatch')
    if (!this.#pipeline || !this.#group) {
      this.#device.raise('validation', 'a dispatch without a pipeline or its bind group')
      return
    }
    const { buffers } = this.#group
    for (const buffer of Object.values(buffers)) this.#uses.add(buffer) // bindings may have gaps
    const bound = buffers.map(({ memory }) => memory)
    this.#dispatches.push({ ...this.#pipeline.kernel, bound, workgroups: x * y * z })
  }
  dispatchWorkgroupsIndirect(): void {}
  pushDebugGroup(): void {}
  popDebugGroup(): void {}
  end(): void {
    this.#device.machine.call('endPass')
  }
}

/**
 * Nothing is drawn: pages that are recorded have render passes and textures, programs of the lab
 * have none.
 */
export class ModelRenderPass extends GpuObject {
  draw(): void {}
  pushDebugGroup(): void {}
  popDebugGroup(): void {}
  end(): void {}
}

export class ModelCommandEncoder extends GpuObject {
  readonly #device: Owner
  readonly #commands: Command[] = []
  readonly #uses = new Set<ModelBuffer>()

  constructor(device: Owner, label: unknown) {
    super(label)
    this.#device = device
  }

  beginComputePass({ label, timestampWrites }: GPUComputePassDescriptor = {}): ModelComputePass {
    this.#device.machine.call('beginPass')
    const dispatches: DispatchCommand[] = []
    const pass = new ModelComputePass(this.#device, label, dispatches, this.#uses)
    this.#commands.push({ type: 'pass', label: pass.label, dispatches, stamps: stampsOf(timestampWrites) })
    return pass
  }

  beginRenderPass({ label, timestampWrites }: GPURenderPassDescriptor): ModelRenderPass {
    const pass = new ModelRenderPass(label)
    this.#commands.push({
      type: 'pass',
      label: pass.label,
      dispatches: [],
      stamps: stampsOf(timestampWrites),
    })
    return pass
  }
  copyBufferToTexture(): void {}
  copyTextureToBuffer(): void {}
  copyTextureToTexture(): void {}
  pushDebugGroup(): void {}
  popDebugGroup(): void {}

  /** Both forms of the call: with offsets, and (from, to, size?). */
  copyBufferToBuffer(from: ModelBuffer, ...rest: readonly (ModelBuffer | number | undefined)[]): void {
    this.#device.machine.call('copy')
    const [fromOffset, to, toOffset, size = from.size - Number(fromOffset)] =
      rest[0] instanceof ModelBuffer ? [0, rest[0], 0, rest[1]] : rest
    if (!(to instanceof ModelBuffer)) throw new TypeError('copyBufferToBuffer() needs a buffer to copy to.')
    this.#uses.add(from).add(to)
    this.#commands.push({
      type: 'copy',
      from: from.memory,
      to: to.memory,
      fromWord: Number(fromOffset) / 4,
      toWord: Number(toOffset) / 4,
      words: Number(size) / 4,
    })
  }

  clearBuffer(buffer: ModelBuffer, offset = 0, size = buffer.size - offset): void {
    this.#device.machine.call('other')
    this.#uses.add(buffer)
    const [fromWord, toWord] = [offset / 4, (offset + size) / 4]
    this.#commands.push({ type: 'clear', memory: buffer.memory, fromWord, toWord })
  }

  resolveQuerySet(set: ModelQuerySet, first: number, count: number, to: ModelBuffer, offset: number): void {
    this.#device.machine.call('other')
    this.#uses.add(to)
    const { values } = set
    this.#commands.push({ type: 'resolve', values, first, count, to: to.memory, toWord: offset / 4 })
  }

  finish({ label = this.label }: GPUCommandBufferDescriptor = {}): ModelCommandBuffer {
    this.#device.machine.call('finish')
    return new ModelCommandBuffer(label, this.#commands, this.#uses)
  }
}

function stampsOf(
  writes: GPUComputePassTimestampWrites | GPURenderPassTimestampWrites | undefined,
): Stamps | null {
  if (!writes) return null
  const { querySet, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end } = writes
  return { values: (querySet as unknown as ModelQuerySet).values, begin, end } // of this realm
}
