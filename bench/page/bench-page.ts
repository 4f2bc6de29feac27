/**
 * The page of `npm run bench -- matmul`: all libraries side by side, each on a GPUDevice of its
 * own, driven step by step from Node (bench/matmul.ts) through `globalThis.matmulBench`. It
 * measures and keeps no opinion; what the times mean is worked out in Node.
 */
import type { Comparison } from '../../src/gpu/kernels/matmul/reference'
import type { GemmShape } from '../matmul-shapes'
import { filled } from '../../src/gpu/kernels/data/fill'
import { checkProduct, SEED_A, SEED_B } from './check'
import { resultsAliveFor, type Contender, type Library, type Operands } from './contender'
import { openLab } from './lab'

/**
 * One chain of products, timed by the host's clock from the first call until the device is heard to
 * be done.
 */
export interface Chain {
  readonly products: number
  readonly ms: number
  /**
   * Until the last product was submitted. Near `ms`, it is the host and not the device that was
   * timed.
   */
  readonly enqueueMs: number
  readonly dispatches: number
}

export interface Prepared {
  readonly kernel: string
  readonly unit: number
}

/** The page's door; rejects where the browser has no WebGPU. */
export type BenchGlobal = typeof globalThis & { matmulBench: Promise<BenchPage> }
export type BenchPage = Awaited<ReturnType<typeof openPage>>

/**
 * Counts what really reaches WebGPU, whoever calls it: a library that skipped a product would be
 * found by its missing dispatch. Always on, for all libraries alike; one addition a call.
 *
 * @param pass the prototype of GPUComputePassEncoder, once a page, before any library starts
 * @returns how many there were so far
 * @internal
 */
export function countDispatches(pass: object): () => number {
  let dispatches = 0
  for (const method of ['dispatchWorkgroups', 'dispatchWorkgroupsIndirect']) {
    const original: unknown = Reflect.get(pass, method)
    if (typeof original !== 'function') throw new Error(`there is no ${method} to count`)
    Reflect.set(pass, method, function (this: unknown, ...args: unknown[]): void {
      dispatches += 1
      Reflect.apply(original, this, args)
    })
  }
  return () => dispatches
}

/** Rejects where the browser has no WebGPU. */
export async function openPage(peers: Readonly<Record<string, () => Promise<Library>>>) {
  const lab = await openLab()
  const dispatchCount = countDispatches(GPUComputePassEncoder.prototype)
  const libraries = new Map<string, Library>([['lab', lab]])
  const contenders = new Map<string, Contender>()
  const faults = new Map<GPUDevice, string>()
  let operands: Operands | null = null

  /** A library may only log its errors, or not even that; a product after one is no product. */
  const watch = (device: GPUDevice): void => {
    const note = (text: string): void => {
      if (!faults.has(device)) faults.set(device, text)
    }
    device.addEventListener('uncapturederror', ({ error }) => note(error.message))
    device.lost.then(({ message }) => note(`its device was lost: ${message}`)).catch(reportError)
  }
  const assertSound = (device: GPUDevice): void => {
    const fault = faults.get(device)
    if (fault !== undefined) throw new Error(fault)
  }
  const libraryOf = async (name: string): Promise<Library> => {
    const known = libraries.get(name)
    if (known) return known
    const open = peers[name]
    if (!open) throw new Error(`there is no library '${name}'`)
    const library = await open()
    watch(library.device)
    libraries.set(name, library)
    return library
  }
  const contenderOf = (name: string): Contender => {
    const contender = contenders.get(name)
    if (!contender) throw new Error(`${name} was not prepared`)
    return contender
  }
  const operandsOf = (shape: GemmShape): Operands => {
    const { m, n, k } = shape
    const known = operands?.shape
    if (operands && known?.m === m && known.n === n && known.k === k) return operands
    const resultsAlive = resultsAliveFor(shape, lab.environment.isSoftware)
    return (operands = { shape, a: filled(m * k, SEED_A), b: filled(k * n, SEED_B), resultsAlive })
  }

  watch(lab.device)
  return {
    environment: () => lab.environment,
    prepare: async (name: string, shape: GemmShape): Promise<Prepared> => {
      const { prepare } = await libraryOf(name)
      const contender = await prepare(operandsOf(shape))
      contenders.set(name, contender)
      return { kernel: contender.kernel, unit: contender.unit }
    },
    chain: async (name: string, products: number): Promise<Chain> => {
      const contender = contenderOf(name)
      const before = dispatchCount()
      const start = performance.now()
      await contender.enqueue(products)
      const enqueued = performance.now()
      await contender.device.queue.onSubmittedWorkDone()
      const ms = performance.now() - start
      assertSound(contender.device)
      return { products, ms, enqueueMs: enqueued - start, dispatches: dispatchCount() - before }
    },
    check: async (name: string): Promise<Comparison> => {
      const { device, newest } = contenderOf(name)
      if (!operands) throw new Error('nothing was prepared')
      const comparison = await checkProduct(device, newest(), operands.shape)
      assertSound(device)
      return comparison
    },
    release: async (name: string): Promise<void> => {
      const contender = contenders.get(name)
      contenders.delete(name)
      await contender?.release()
    },
  }
}
