/** What is uploaded and computed: worker and grader work it out from the same seeds. */
import { fillOf } from '../../../gpu/kernels/data/fill'
import type { Expected } from '../../../gpu/kernels/matmul/chain'
import { referenceEntry, samplePositions, tolerance } from '../../../gpu/kernels/matmul/reference'
import { operandOf } from '../../../gpu/kernels/data/operand'

export interface ProductSize {
  /** C (rows × s) += batch (rows × s) · weights (s × s), `times` times for each batch. */
  readonly rows: number
  readonly s: number
  readonly times: number
  readonly steps: number
}

/** Multiply-adds that checking a run may cost the grader: some 50 ms. */
const CHECK_BUDGET = 1e6
const MOST_SAMPLES = 40
const LEAST_SAMPLES = 8

/** Entries of C that are looked at. */
export function sampledEntries({ rows, s, steps }: ProductSize, seed: number) {
  const affordable = Math.floor(CHECK_BUDGET / (steps * s))
  return samplePositions(rows, s, Math.min(MOST_SAMPLES, Math.max(LEAST_SAMPLES, affordable)), seed)
}

interface ExpectedEntry extends Expected {
  readonly row: number
  readonly column: number
}

/** C = times · Σ batch · weights. The tolerance is the lab's own, with its reasons: gpu/kernels/matmul/reference.ts. */
export const expectedEntries = (facts: Uploads['facts']): readonly ExpectedEntry[] =>
  sampledEntries(facts, facts.seedWeights).map(([row, column]) => {
    const { s, times, steps } = facts
    const [operandAt, weightAt] = [operandOf(facts.seedBatches), fillOf(facts.seedWeights)]
    let [value, scale] = [0, 0]
    for (let batch = 0; batch < steps; batch += 1) {
      const entry = referenceEntry(
        row,
        column,
        s,
        (i, k) => operandAt(batch, i * s + k),
        (k, j) => weightAt(k * s + j),
      )
      value += times * entry.value
      scale += times * entry.scale
    }
    return { row, column, value, allowed: tolerance(s, times * steps) * scale }
  })

/** What a run notes. */
export type Uploads = {
  facts: Record<'batchBytes' | keyof ProductSize | 'seedBatches' | 'seedWeights', number>
  found: {
    /** Staging buffers that were written into. */
    stagingUsed: number
    /** Of each call of encode(): when, ns since the trace's origin, and how many products. */
    encodedNs: readonly number[]
    encodedTimes: readonly number[]
    /** GATHER_WORDS of each batch. */
    arrived: ArrayLike<number>
    /** Of C, by sampledEntries(). */
    entries: ArrayLike<number>
  }
}
