/**
 * A rank has the batch in micro-batches, room for what arrives, and its stage on the CPU: layers
 * that multiply, y = x·W, with their gradients; and it checks them. The loss of the whole batch is
 * Σ (y − target)² / (2 · ROWS), so that its gradient is (y − target) / ROWS, whatever the batch is
 * cut into.
 */
import { madeOnce } from '../../base/lists'
import type { PrepareRank } from '../serve-rank'
import { ROWS } from './variants'
import { multiplyPlain } from '../../gpu/kernels/cpu/plain-matmul'
import { filled } from '../../gpu/kernels/data/fill'
import type { Verification } from '../../trace/report'

/** The input of each layer, kept of a micro-batch that has gone forward. */
type Activations = readonly Float32Array[]

interface StageShape {
  /** Layers of each rank. */
  readonly layers: readonly number[]
  /** Weights of a layer are width × width. */
  readonly width: number
}

const SEED_WEIGHTS = 1000
const SEED_BATCH = 11
const SEED_TARGETS = 12
/**
 * The tolerance relative to the largest gradient of a layer: float32 sums of 128 products, through
 * 32 layers at most, are off by some 1e-6.
 */
const TOLERANCE = 1e-4

/** Filled values' variance is 1/3: with it a layer's output is as large as its input. */
const weightsOf = (layer: number, width: number): Float32Array =>
  filled(width * width, SEED_WEIGHTS + layer).map((value) => value * Math.sqrt(3 / width))
const batchOf = (width: number) => filled(ROWS * width, SEED_BATCH)
const targetsOf = (width: number) => filled(ROWS * width, SEED_TARGETS)

function transposed(from: Float32Array, columns: number): Float32Array {
  const to = from.slice()
  const rows = from.length / columns
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      to[column * rows + row] = from[row * columns + column] ?? Number.NaN
  return to
}

/** Floating-point operations of a micro-batch going forward; backward has twice as many. */
export const forwardFlops = (layers: number, rows: number, width: number): number =>
  2 * layers * rows * width * width

/** One rank's stage. */
export class Stage {
  readonly #shape: StageShape
  readonly #rank: number
  readonly #weights: readonly Float32Array[]
  readonly #transposed: readonly Float32Array[]
  /** Each layer's gradients of its weights. */
  readonly gradients: readonly Float32Array[]
  /** Micro-batches that went forward and are not yet back. */
  readonly #alive = new Set<Activations>()
  #kept = 0

  constructor(shape: StageShape, rank: number) {
    const { width } = shape
    this.#shape = shape
    this.#rank = rank
    this.#weights = layersOfRank(shape, rank).map((layer) => weightsOf(layer, width))
    this.#transposed = this.#weights.map((weights) => transposed(weights, width))
    this.gradients = this.#weights.map(({ length }) => new Float32Array(length))
  }

  /** It runs before each window. */
  reset(): void {
    for (const gradient of this.gradients) gradient.fill(0)
    this.#alive.clear()
    this.#kept = 0
  }

  forward(x: Float32Array): { readonly y: Float32Array; readonly activations: Activations } {
    const { width } = this.#shape
    const activations: Float32Array[] = []
    let y = x
    for (const weights of this.#weights) {
      activations.push(y)
      y = multiplyPlain(y, weights, width, { rows: y.length / width })
    }
    this.#alive.add(activations)
    this.#kept = Math.max(this.#kept, this.#alive.size)
    return { y, activations }
  }

  /**
   * Adds to the gradients of the weights, and gives that of the input.
   * @throws Error where these did not go forward, or are back.
   */
  backward(activations: Activations, dy: Float32Array): Float32Array {
    if (!this.#alive.delete(activations))
      throw new Error('These activations are of no micro-batch under way.')
    const { width } = this.#shape
    const rows = dy.length / width
    let gradient = dy
    for (let layer = this.#weights.length - 1; layer >= 0; layer -= 1) {
      const x = activations[layer] ?? new Float32Array()
      const sum = this.gradients[layer] ?? new Float32Array()
      const added = multiplyPlain(transposed(x, width), gradient, width, { rows: width, inner: rows })
      for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (added[index] ?? 0)
      gradient = multiplyPlain(gradient, this.#transposed[layer] ?? new Float32Array(), width, { rows })
    }
    return gradient
  }

  /** It runs after a window. */
  told(): Told {
    const expected = expectedOf(this.#shape, this.#rank)
    let [checked, failed, worst] = [0, this.#alive.size, 0]
    for (const [layer, gradient] of this.gradients.entries()) {
      const right = expected[layer] ?? new Float32Array()
      const scale = right.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
      for (const [index, value] of right.entries()) {
        const error = Math.abs((gradient[index] ?? Number.NaN) - value) / scale
        checked += 1
        if (!(error < TOLERANCE)) failed += 1
        worst = Math.max(worst, error)
      }
    }
    return {
      checked,
      failed,
      maxRelativeError: worst,
      tolerance: TOLERANCE,
      what: 'gradients of the weights, against those of the whole model and batch in one piece',
      kept: this.#kept,
    }
  }
}

/** A rank tells this of a window; errors are relative to the largest gradient of their layer. */
export interface Told extends Verification {
  /** Micro-batches that it kept at most. */
  readonly kept: number
}

/** The batch in so many parts, and what the last rank sends back first. */
export function microBatches(width: number, count: number) {
  const words = (ROWS / count) * width
  const part = (of: Float32Array, index: number) => of.subarray(index * words, (index + 1) * words)
  const [batch, targets] = [batchOf(width), targetsOf(width)]
  return {
    words,
    batch: Array.from({ length: count }, (_, index) => part(batch, index)),
    lossGradient: (y: Float32Array, index: number): Float32Array =>
      y.map((value, at) => (value - (part(targets, index)[at] ?? Number.NaN)) / ROWS),
  }
}

/** Places of the rank's layers in the model. */
function layersOfRank({ layers }: StageShape, rank: number): readonly number[] {
  const before = layers.slice(0, rank).reduce((sum, own) => sum + own, 0)
  return Array.from({ length: layers[rank] ?? 0 }, (_, index) => before + index)
}

/** Gradients by shape and rank: all variants and repeats of a run have the same. */
const known = new Map<string, readonly Float32Array[]>()

/** Gradients of a rank's weights where one stage has the whole model, and the batch is not cut. */
function expectedOf({ layers, width }: StageShape, rank: number): readonly Float32Array[] {
  const total = layers.reduce((sum, own) => sum + own, 0)
  const key = JSON.stringify([layers, width])
  const gradients = madeOnce(known, key, () => wholeModel(total, width))
  return layersOfRank({ layers, width }, rank).map((layer) => gradients[layer] ?? new Float32Array())
}

function wholeModel(layers: number, width: number): readonly Float32Array[] {
  const stage = new Stage({ layers: [layers], width }, 0)
  const { batch, lossGradient } = microBatches(width, 1)
  const { y, activations } = stage.forward(batch[0] ?? new Float32Array())
  stage.backward(activations, lossGradient(y, 0))
  return stage.gradients
}

export interface StageSpec extends StageShape {
  readonly count: number
}

export const prepareRank: PrepareRank<unknown> = (_, spec, { rank }) => {
  const { count, ...shape } = spec as StageSpec // prepare.ts wrote it
  const stage = new Stage(shape, rank)
  const { words, batch, lossGradient } = microBatches(shape.width, count)
  return Promise.resolve({
    input: {
      count,
      batch,
      lossGradient,
      room: () => new Float32Array(words),
      flops: forwardFlops(shape.layers[rank] ?? 0, ROWS / count, shape.width),
      forward: (x: Float32Array) => Promise.resolve(stage.forward(x)),
      backward: (...given: Parameters<Stage['backward']>) => Promise.resolve(stage.backward(...given)),
    },
    before: () => {
      stage.reset()
      return Promise.resolve()
    },
    told: () => stage.told(),
  })
}
