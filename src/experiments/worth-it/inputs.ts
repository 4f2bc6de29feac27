/**
 * The matrices, in host memory: operation i multiplies windows of two pools of pseudo-random floats that begin i·STRIDE words
 * in, so that no two operations in a row have the same product. A result left over from the last operation, or an upload that
 * did not happen, is found by the check of sampled entries against float64.
 */
import { fillValue } from '../../kernels/data/fill'
import { compareSamples, referenceEntry, samplePositions, tolerance } from '../../kernels/matmul/reference'
import type { Verification } from '../../trace/report'

const SEED_A = 1
const SEED_B = 2
/** Odd, and no multiple of a size that is run: rows of one operation are not rows of the next. */
const STRIDE_WORDS = 1021
/** Operations before the inputs come round again. */
const CYCLE = 8
const SAMPLES = 32

export interface Operands {
  readonly a: Float32Array<ArrayBuffer>
  readonly b: Float32Array<ArrayBuffer>
}

export interface Inputs {
  readonly of: (operation: number, n: number) => Operands
  /** `got` is operation's whole product, `times` over. */
  readonly check: (operation: number, n: number, got: Float32Array, times: number) => Verification
  /** The same for entries that were read one by one, at `positions(n)`. */
  readonly checkSampled: (operation: number, n: number, got: ArrayLike<number>, times: number) => Verification
  readonly positions: (n: number) => readonly number[]
}

function pool(words: number, seed: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(words)
  for (let index = 0; index < words; index += 1) values[index] = fillValue(index, seed)
  return values
}

export function createInputs(largest: number): Inputs {
  const words = largest * largest + (CYCLE - 1) * STRIDE_WORDS
  const [poolA, poolB] = [pool(words, SEED_A), pool(words, SEED_B)]
  const at = (operation: number): number => (operation % CYCLE) * STRIDE_WORDS
  const positionsOf = (n: number) => samplePositions(n, n, SAMPLES, n)

  const checkSampled: Inputs['checkSampled'] = (operation, n, got, times) => {
    const from = at(operation)
    const aAt = (row: number, k: number) => poolA[from + row * n + k] ?? Number.NaN
    const bAt = (k: number, column: number) => poolB[from + k * n + column] ?? Number.NaN
    const entries = positionsOf(n).map(([row, column]) => referenceEntry(row, column, n, aAt, bAt))
    return {
      ...compareSamples(
        entries.map(({ value }) => value * times),
        entries.map(({ scale }) => scale * times),
        got,
        tolerance(n, times),
      ),
      what: 'sampled entries of each product, of the processor and of the device, against a float64 reference',
    }
  }
  return {
    of: (operation, n) => {
      const from = at(operation)
      return { a: poolA.subarray(from, from + n * n), b: poolB.subarray(from, from + n * n) }
    },
    positions: (n) => positionsOf(n).map(([row, column]) => row * n + column),
    checkSampled,
    check: (operation, n, got, times) =>
      checkSampled(
        operation,
        n,
        positionsOf(n).map(([row, column]) => got[row * n + column] ?? Number.NaN),
        times,
      ),
  }
}
