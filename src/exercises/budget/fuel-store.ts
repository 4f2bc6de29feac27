/**
 * The store of fuel (wgsl/store.ts) on one device: how much is in it, what an iteration of a
 * dispatch takes of it, and which loops found it empty. A dispatch of few invocations takes more
 * for each iteration, since most of a device then waits for them: what is counted is time.
 */
import { uncurry } from '../../recorder/realm'
import { MARKS, type Store } from '../wgsl/store'
import type { Limits } from './limits'

/**
 * Contents of a full store, well below an i32's largest: invocations that run at once may each take
 * a portion too many.
 */
const FULL = 2 ** 30
/** Dispatches of 4^0, 4^1, … invocations and more. */
const SIZES = 13
const SIZE_GROWTH = 4
/** WebGPU's largest minUniformBufferOffsetAlignment (§3.6.2). */
const PRICE_STRIDE = 256
const COMPUTE_STAGE = 4

export const STORE_BYTES = 4 * (1 + MARKS)
export const PRICES_BYTES = PRICE_STRIDE * SIZES

/* oxlint-disable typescript/unbound-method -- unbound on purpose: uncurry() gives each its `this` */
const nativesOf = (realm: typeof globalThis) => ({
  createBindGroup: uncurry(realm.GPUDevice.prototype.createBindGroup),
  createBindGroupLayout: uncurry(realm.GPUDevice.prototype.createBindGroupLayout),
  layoutOf: uncurry(realm.GPUComputePipeline.prototype.getBindGroupLayout),
  setBindGroup: uncurry<GPUComputePassEncoder, [number, GPUBindGroup], undefined>(
    realm.GPUComputePassEncoder.prototype.setBindGroup,
  ),
})
/* oxlint-enable typescript/unbound-method */

/** How a pipeline reaches the store. */
export interface FuelBinding {
  readonly group: number
  /** Null: the pipeline's own, which was made for it by WebGPU. */
  readonly pipeline: GPUComputePipeline | null
  /** It takes from the store; else it leaves marks alone. */
  readonly isShared: boolean
  /** By size of dispatch. */
  readonly bindGroups: (GPUBindGroup | undefined)[]
}

export interface FuelStoreOptions {
  readonly device: GPUDevice
  /** Buffer of STORE_BYTES; below, that of PRICES_BYTES. */
  readonly store: GPUBuffer
  readonly prices: GPUBuffer
  readonly limits: Pick<Limits, 'iterations' | 'serialIterations'>
  /** Iterations that each invocation has without asking, and its first portion. */
  readonly free: number
  readonly portion: number
}

export class FuelStore {
  /** Layout of the bind group in an explicit pipeline layout. */
  readonly layout: GPUBindGroupLayout
  readonly buffer: GPUBuffer
  readonly #options: FuelStoreOptions
  readonly #natives = nativesOf(globalThis)
  /** Line of each mark's loop. */
  readonly #lines: number[] = []

  /** Before a program runs. */
  constructor(options: FuelStoreOptions) {
    this.#options = options
    this.buffer = options.store
    const { device, prices, limits } = options
    this.layout = this.#natives.createBindGroupLayout(device, {
      entries: [
        { binding: 0, visibility: COMPUTE_STAGE, buffer: { type: 'storage' } },
        { binding: 1, visibility: COMPUTE_STAGE, buffer: { type: 'uniform' } },
      ],
    })
    const words = new Float32Array(PRICES_BYTES / 4)
    for (let size = 0; size < SIZES; size += 1)
      words[(size * PRICE_STRIDE) / 4] =
        FULL / Math.min(limits.iterations, limits.serialIterations * SIZE_GROWTH ** size)
    device.queue.writeBuffer(prices, 0, words)
  }

  /** For a module whose own groups end before this one. */
  storeFor(group: number): Store {
    const { free, portion } = this.#options
    return { group, firstMark: this.#lines.length, free, portion }
  }

  /**
   * A module with loops in these lines was made with `storeFor`; false: there is no room for its
   * marks.
   */
  keep(lines: readonly number[]): boolean {
    if (this.#lines.length + lines.length > MARKS) return false
    this.#lines.push(...lines)
    return true
  }

  /** Before a dispatch of so many invocations. */
  bind(pass: GPUComputePassEncoder, binding: FuelBinding, invocations: number): void {
    let size = 0
    while (size < SIZES - 1 && SIZE_GROWTH ** (size + 1) <= invocations) size += 1
    const bindGroup = (binding.bindGroups[size] ??= this.#bindGroup(binding, size))
    this.#natives.setBindGroup(pass, binding.group, bindGroup)
  }

  #bindGroup({ group, pipeline, isShared }: FuelBinding, size: number): GPUBindGroup {
    const { device, store, prices } = this.#options
    const left = { binding: 0, resource: { buffer: store } }
    const price = { binding: 1, resource: { buffer: prices, offset: size * PRICE_STRIDE, size: 16 } }
    return this.#natives.createBindGroup(device, {
      layout: pipeline ? this.#natives.layoutOf(pipeline, group) : this.layout,
      entries: isShared || !pipeline ? [left, price] : [left],
    })
  }

  /** Full, and without marks. Not while a program runs. */
  reset(): void {
    const words = new Int32Array(1 + MARKS)
    words[0] = FULL
    this.#write(words)
  }

  /** Up to a share of all; marks stay. */
  refill(share: number): void {
    this.#write(Int32Array.of(Math.ceil(FULL * share)))
  }

  #write(words: Int32Array<ArrayBuffer>): void {
    this.#options.device.queue.writeBuffer(this.buffer, 0, words)
  }

  /** No module has used it so far. */
  get isUnused(): boolean {
    return this.#lines.length === 0
  }

  /** Lines of the loops that ran out, in order, each once. @param words all of `buffer` */
  linesOf(words: ArrayLike<number>): readonly number[] {
    const found = this.#lines.filter((_, mark) => words[1 + mark] === 1)
    return [...new Set(found)].sort((a, b) => a - b)
  }
}
