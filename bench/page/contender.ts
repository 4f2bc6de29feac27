/**
 * The bench asks a library for f32 products C = A·B of one shape, again and again, with A and B
 * resident on its device. Products are independent and the newest `resultsAlive` of them are
 * kept, by every library alike: a device may begin the next product while the last workgroups of
 * one still run, and no library gets there by writing over a result that another one keeps.
 */
import type { GemmShape } from '../matmul-shapes'

export interface Operands {
  readonly shape: GemmShape
  /** A is m × k and B is k × n, row by row. */
  readonly a: Float32Array<ArrayBuffer>
  readonly b: Float32Array<ArrayBuffer>
  readonly resultsAlive: number
}

export interface Contender {
  /**
   * What multiplies, as far as the library says: a kernel with its tile, an operator, a function.
   */
  readonly kernel: string
  /** Its own GPUDevice; no two libraries share one. */
  readonly device: GPUDevice
  /** Products come in multiples of this. */
  readonly unit: number
  /**
   * Computes so many products. Resolves when all are submitted to the queue, which is long before
   * the device has done them.
   */
  readonly enqueue: (products: number) => Promise<void>
  /** The buffer of the newest result, which it still owns. */
  readonly newest: () => GPUBuffer
  readonly release: () => Promise<void>
}

/** A library that was started once, and makes contenders shape by shape. */
export interface Library {
  readonly device: GPUDevice
  /** Throws where the shape does not run. */
  readonly prepare: (operands: Operands) => Promise<Contender>
}

const MAX_RESULTS_ALIVE = 16
const MAX_RESULT_BYTES = 256 * 2 ** 20

/**
 * There are as many as tfjs collects before it submits (15), where memory allows. At least two, so
 * that two products can follow one another freely. Two on a software adapter, where a product may
 * take a second and a chain of them is to stay short.
 */
export function resultsAliveFor({ m, n }: GemmShape, isSoftware: boolean): number {
  if (isSoftware) return 2
  return Math.min(MAX_RESULTS_ALIVE, Math.max(2, Math.floor(MAX_RESULT_BYTES / (4 * m * n))))
}

/** The newest results of a library, the oldest given back as a new one comes. */
export class ResultRing<Result> {
  readonly #results: Result[] = []
  readonly #size: number
  readonly #dispose: (result: Result) => void

  constructor(size: number, dispose: (result: Result) => void) {
    this.#size = size
    this.#dispose = dispose
  }

  push(result: Result): void {
    this.#results.push(result)
    if (this.#results.length <= this.#size) return
    const oldest = this.#results.shift()
    if (oldest !== undefined) this.#dispose(oldest)
  }

  newest(): Result {
    const result = this.#results.at(-1)
    if (result === undefined) throw new Error('nothing was multiplied yet')
    return result
  }

  release(): void {
    for (const result of this.#results.splice(0)) this.#dispose(result)
  }
}
