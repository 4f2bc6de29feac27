/**
 * The page of `npm run bench -- matmul`: all libraries side by side, each on a GPUDevice of its own, driven step by step from Node
 * (bench/matmul-page.ts) through `globalThis.matmulBench`. It measures and keeps no opinion; what the times mean is worked out in Node.
 */
import type { Comparison } from '../../src/gpu/kernels/matmul/reference'
import { matmulKernels } from '../../src/gpu/kernels/catalog'
import type { Metric } from '../../src/trace/report'
import type { GemmShape } from '../matmul-shapes'
import { filled } from '../../src/gpu/kernels/data/fill'
import { checkProduct, SEED_A, SEED_B } from './check'
import { resultsAliveFor, type Contender, type Library, type Operands } from './contender'
import { countDispatches, dispatchCount } from './dispatch-counter'
import { openLab, type BenchEnvironment, type Lab } from './lab'

/** One chain of products, timed by the host's clock from the first call until the device is heard to be done. */
export interface Chain {
  readonly products: number
  readonly ms: number
  /** Until the last product was submitted. Near `ms`, it is the host and not the device that was timed. */
  readonly enqueueMs: number
  readonly dispatches: number
}

export interface Prepared {
  readonly kernel: string
  readonly unit: number
  readonly scheduling: string
}

export interface BenchPage {
  readonly environment: () => BenchEnvironment
  readonly kernelIds: () => readonly string[]
  readonly measurePeak: () => Promise<Metric>
  readonly prepare: (library: string, shape: GemmShape) => Promise<Prepared>
  readonly chain: (library: string, products: number) => Promise<Chain>
  readonly check: (library: string) => Promise<Comparison>
  readonly release: (library: string) => Promise<void>
}

/** The page's door; rejects where the browser has no WebGPU. */
export type BenchGlobal = typeof globalThis & { matmulBench: Promise<BenchPage> }

/** 'lab' is the fastest kernel for the shape; 'lab:tiled' one kernel of the catalog with its own tile. */
const KERNEL_PREFIX = 'lab:'

export type Peers = Readonly<Record<string, () => Promise<Library>>>

class Page implements BenchPage {
  readonly #lab: Lab
  readonly #peers: Peers
  readonly #libraries = new Map<string, Library>()
  readonly #contenders = new Map<string, Contender>()
  readonly #faults = new Map<GPUDevice, string>()
  #operands: Operands | null = null

  constructor(lab: Lab, peers: Peers) {
    this.#lab = lab
    this.#peers = peers
    this.#watch(lab.device)
    this.#libraries.set('lab', lab)
  }

  environment = () => this.#lab.environment
  kernelIds = () => matmulKernels.map(({ id }) => id)
  measurePeak = () => this.#lab.measurePeak()

  prepare = async (name: string, shape: GemmShape): Promise<Prepared> => {
    const operands = this.#operandsOf(shape)
    const isKernel = name.startsWith(KERNEL_PREFIX)
    const library = isKernel ? this.#lab : await this.#library(name)
    const contender = isKernel
      ? await this.#lab.prepareKernel(operands, name.slice(KERNEL_PREFIX.length))
      : await library.prepare(operands)
    this.#contenders.set(name, contender)
    const { kernel, unit } = contender
    return { kernel, unit, scheduling: library.scheduling }
  }

  chain = async (name: string, products: number): Promise<Chain> => {
    const contender = this.#contender(name)
    const { queue } = contender.device
    const before = dispatchCount()
    const start = performance.now()
    await contender.enqueue(products)
    const enqueued = performance.now()
    await queue.onSubmittedWorkDone()
    const end = performance.now()
    const after = dispatchCount()
    this.#assertSound(contender.device)
    return {
      products,
      ms: end - start,
      enqueueMs: enqueued - start,
      dispatches: after - before,
    }
  }

  check = async (name: string): Promise<Comparison> => {
    const { device, newest } = this.#contender(name)
    if (!this.#operands) throw new Error('nothing was prepared')
    const comparison = await checkProduct(device, newest(), this.#operands.shape)
    this.#assertSound(device)
    return comparison
  }

  release = async (name: string): Promise<void> => {
    const contender = this.#contenders.get(name)
    this.#contenders.delete(name)
    await contender?.release()
  }

  #operandsOf(shape: GemmShape): Operands {
    const { m, n, k } = shape
    const known = this.#operands?.shape
    if (!this.#operands || known?.m !== m || known.n !== n || known.k !== k)
      this.#operands = {
        shape,
        a: filled(m * k, SEED_A),
        b: filled(k * n, SEED_B),
        resultsAlive: resultsAliveFor(shape, this.#lab.environment.isSoftware),
      }
    return this.#operands
  }

  async #library(name: string): Promise<Library> {
    const known = this.#libraries.get(name)
    if (known) return known
    const open = this.#peers[name]
    if (!open) throw new Error(`there is no library '${name}'`)
    const library = await open()
    this.#watch(library.device)
    this.#libraries.set(name, library)
    return library
  }

  #contender(name: string): Contender {
    const contender = this.#contenders.get(name)
    if (!contender) throw new Error(`${name} was not prepared`)
    return contender
  }

  /** A library may only log its errors, or not even that; a product after one is no product. */
  #watch(device: GPUDevice): void {
    const note = (text: string): void => {
      if (!this.#faults.has(device)) this.#faults.set(device, text)
    }
    device.addEventListener('uncapturederror', (event) => {
      note(event.error.message)
    })
    device.lost
      .then(({ message }) => {
        note(`its device was lost: ${message}`)
      })
      .catch(reportError)
  }

  #assertSound(device: GPUDevice): void {
    const fault = this.#faults.get(device)
    if (fault !== undefined) throw new Error(fault)
  }
}

/** Rejects where the browser has no WebGPU. */
export async function openPage(peers: Peers): Promise<BenchPage> {
  const lab = await openLab()
  countDispatches(GPUComputePassEncoder.prototype)
  return new Page(lab, peers)
}
