/**
 * Shader modules and compute pipelines, cached for the life of a device, and what a dispatch needs
 * beside one: uniforms and a bind group. The engine knows no kernel: it takes WGSL and constants as
 * plain data (`KernelCall`).
 */
import { madeOnce } from '../base/lists'
import { FaultError } from '../base/fault'
import { createBuffer, USAGE, type OwnedBuffer, type Owner } from './buffers'
import type { LabDevice } from './device'
import { assertCompiled } from './faults'

/** One kernel made ready for one shape. `gpu/kernels/kernel.ts` makes these. */
export interface KernelCall {
  readonly label: string
  /** Its entry point is `main`. */
  readonly code: string
  readonly constants: Readonly<Record<string, number>>
  /** Binding 0. */
  readonly uniforms: ArrayBuffer
  readonly workgroups: readonly [number, number, number]
  readonly locate?: (line: number) => string
  /**
   * A second dispatch that makes the output of this one's, which then goes into scratch memory: its
   * only input.
   */
  readonly second?: { readonly call: KernelCall; readonly scratchBytes: number } | undefined
}

/**
 * Everything that an encoder needs; holds its uniform buffer, and the scratch memory between two.
 */
export interface Dispatch {
  readonly label: string
  readonly pipeline: GPUComputePipeline
  readonly bindGroup: GPUBindGroup
  readonly workgroups: readonly [number, number, number]
  readonly uniforms: OwnedBuffer
  readonly second: Dispatch | null
  /** The uniforms, and what a second dispatch needs. */
  readonly owned: readonly OwnedBuffer[]
}

/** All of it, so many times. */
export function encodeDispatch(pass: GPUComputePassEncoder, dispatch: Dispatch, times = 1): void {
  const { pipeline, bindGroup, workgroups, second } = dispatch
  for (let count = 0; count < times; count += 1) {
    if (count === 0 || second) {
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, bindGroup)
    }
    pass.dispatchWorkgroups(...workgroups)
    if (second) encodeDispatch(pass, second)
  }
}

/**
 * One compute pass with its dispatches in order, timed as a whole where the device has timestamps.
 */
export function encodePass(
  encoder: GPUCommandEncoder,
  label: string,
  dispatches: readonly Dispatch[],
): GPUComputePassEncoder {
  const pass = encoder.beginComputePass({ label })
  for (const dispatch of dispatches) encodeDispatch(pass, dispatch)
  pass.end()
  return pass
}

export class PipelineCache {
  /**
   * One a device, for all its runs: SwiftShader takes about a second to compile the vectorised
   * kernel.
   */
  static readonly #caches = new WeakMap<LabDevice, PipelineCache>()
  readonly #device: LabDevice
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>()

  private constructor(device: LabDevice) {
    this.#device = device
  }

  static of(device: LabDevice): PipelineCache {
    return madeOnce(PipelineCache.#caches, device, () => new PipelineCache(device))
  }

  /**
   * Compiles off the queue's timeline (createComputePipelineAsync): first use must not stall what
   * is measured.
   */
  pipeline(call: KernelCall): Promise<GPUComputePipeline> {
    const key = JSON.stringify([call.code, call.constants])
    return madeOnce(this.#pipelines, key, () => {
      const made = this.#create(call)
      // A failed compile must not poison the cache; the caller gets the rejection itself.
      made.catch(() => this.#pipelines.delete(key))
      return made
    })
  }

  async #create(call: KernelCall): Promise<GPUComputePipeline> {
    const { gpu } = this.#device
    const module = gpu.createShaderModule({ label: call.label, code: call.code })
    await assertCompiled(module, call.label, call.locate)
    try {
      return await gpu.createComputePipelineAsync({
        label: call.label,
        layout: 'auto',
        compute: { module, entryPoint: 'main', constants: { ...call.constants } },
      })
    } catch (error) {
      throw new FaultError(
        {
          code: 'shader',
          message: `No pipeline for ${call.label}: ${error instanceof Error ? error.message : String(error)}`,
          hint: 'This adapter may not offer what the kernel needs; choose another kernel.',
        },
        { cause: error },
      )
    }
  }

  /**
   * `buffers` are bound from binding 1 on, in the kernel's documented order: inputs, then the
   * output. The uniforms are the owner's.
   */
  async dispatch(owner: Owner, call: KernelCall, buffers: readonly OwnedBuffer[]): Promise<Dispatch> {
    if (!call.second) return await this.#one(owner, call, buffers)
    const label = `${call.label} scratch`
    const scratch = await createBuffer(this.#device, owner, label, call.second.scratchBytes, USAGE.storage)
    const output = buffers.slice(-1)
    const [first, second] = await Promise.all([
      this.#one(owner, call, [...buffers.slice(0, -1), scratch]),
      this.#one(owner, call.second.call, [scratch, ...output]),
    ])
    return { ...first, second, owned: [scratch, ...first.owned, ...second.owned] }
  }

  async #one(owner: Owner, call: KernelCall, buffers: readonly OwnedBuffer[]): Promise<Dispatch> {
    const pipeline = await this.pipeline(call)
    const uniforms = await createBuffer(
      this.#device,
      owner,
      `${call.label} uniforms`,
      Math.max(16, call.uniforms.byteLength),
      USAGE.uniform | USAGE.copyDst,
    )
    this.#device.gpu.queue.writeBuffer(uniforms.gpu, 0, call.uniforms)
    const bindGroup = this.#device.gpu.createBindGroup({
      label: call.label,
      layout: pipeline.getBindGroupLayout(0),
      entries: [uniforms, ...buffers].map((buffer, binding) => ({
        binding,
        resource: { buffer: buffer.gpu },
      })),
    })
    const { label, workgroups } = call
    return { label, pipeline, bindGroup, workgroups, uniforms, second: null, owned: [uniforms] }
  }
}
