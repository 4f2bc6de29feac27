/** A model in four stages and a batch in micro-batches, known to the lab's half and to the grader: whole numbers, exact in float32. Pure. */
import { multiplyPlain } from '../../../gpu/kernels/cpu/plain-matmul'
import { randomWord } from '../../../gpu/kernels/pcg'

export const SIZE = 4
export const RANKS = [0, 1, 2, 3] as const
export const COUNT = 8
const ROWS = 2
const WIDTH = 4
/** Of a micro-batch, at every border between stages. */
export const WORDS = ROWS * WIDTH
/** Of a rank's gradient. */
export const WEIGHTS = WIDTH * WIDTH
/** With weights of ±1 the largest sum is 4 · 4^4 · 257 · 16, which is below 2^24. */
const LARGEST = 4

const [OF_WEIGHTS, OF_BATCH, OF_TARGETS] = [0, 1000, 2000]
const small = (at: number, seed: number) => (randomWord(at, seed) % (2 * LARGEST + 1)) - LARGEST

/** By rank: y = x · W. */
export const weightsOf = (seed: number): readonly Float32Array[] =>
  RANKS.map((rank) =>
    Float32Array.from(
      { length: WEIGHTS },
      (_, at) => 1 - 2 * (randomWord(OF_WEIGHTS + rank * WEIGHTS + at, seed) % 2),
    ),
  )
const microBatches = (from: number, seed: number): readonly Float32Array[] =>
  Array.from({ length: COUNT }, (_, index) =>
    Float32Array.from({ length: WORDS }, (_word, at) => small(from + index * WORDS + at, seed)),
  )
export const batchOf = (seed: number) => microBatches(OF_BATCH, seed)
export const targetsOf = (seed: number) => microBatches(OF_TARGETS, seed)

function transposed(from: Float32Array, columns: number): Float32Array {
  const rows = from.length / columns
  return from.map((_, at) => from[(at % rows) * columns + Math.floor(at / rows)] ?? Number.NaN)
}

export const forwardOf = (x: Float32Array, weights: Float32Array): Float32Array =>
  multiplyPlain(x, weights, WIDTH, { rows: ROWS })

/** The loss is half of the squared differences. */
export const lossGradientOf = (y: Float32Array, target: Float32Array | undefined): Float32Array =>
  y.map((value, at) => value - (target?.[at] ?? Number.NaN))

export const backwardOf = (x: Float32Array, weights: Float32Array, dy: Float32Array) => ({
  dx: multiplyPlain(dy, transposed(weights, WIDTH), WIDTH, { rows: ROWS }),
  gradient: multiplyPlain(transposed(x, WIDTH), dy, WIDTH, { rows: WIDTH, inner: ROWS }),
})

/** What a step gives, by rank: what goes over the wire, micro-batch by micro-batch, and the sums of the gradients. */
export function stepOf(seed: number) {
  const [weights, batch, targets] = [weightsOf(seed), batchOf(seed), targetsOf(seed)]
  const forward: Float32Array[][] = RANKS.map(() => [])
  const back: Float32Array[][] = RANKS.map(() => [])
  const gradients = RANKS.map(() => new Float32Array(WEIGHTS))
  for (const [index, first] of batch.entries()) {
    const inputs: Float32Array[] = []
    let x = first
    for (const [rank, own] of weights.entries()) {
      inputs.push(x)
      x = forwardOf(x, own)
      forward[rank]?.push(x)
    }
    let dy = lossGradientOf(x, targets[index])
    for (const rank of RANKS.toReversed()) {
      const { dx, gradient } = backwardOf(
        inputs[rank] ?? new Float32Array(),
        weights[rank] ?? new Float32Array(),
        dy,
      )
      back[rank]?.push(dx)
      gradients[rank] = (gradients[rank] ?? gradient).map((sum, at) => sum + (gradient[at] ?? Number.NaN))
      dy = dx
    }
  }
  return { forward, back, gradients }
}

/** A pass as a number: micro-batch and direction. */
export const passNumber = (index: number, isBack: boolean): number => 2 * index + (isBack ? 1 : 0)

/** What a run notes. */
export type Step = {
  facts: { seed: number }
  /** Of each rank: its passes in order, and what it sent to the next one and to the one before. */
  found: Record<`${'passes' | 'forward' | 'back'}${(typeof RANKS)[number]}`, ArrayLike<number>> & {
    /** By rank: numbers sent to another rank than those two. */
    elsewhere: readonly number[]
    /** By rank: of how many micro-batches its stage had the activations at once. */
    kept: readonly number[]
    /**
     * Counted by experiments/pipeline-bubble/variants.ts: one is a micro-batch in a stage, forward
     * and back; -1 where a pass comes before what it needs.
     */
    slots: number
    /** Rank after rank. */
    gradients: ArrayLike<number>
    waits: readonly number[]
  }
}
