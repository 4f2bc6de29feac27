/** Times of products on the CPU, as an exercise's worker asks another one for them. */
import type { Multiply } from '../../gpu/kernels/cpu/processor'
import { createOperands } from '../../lab/operands'

/** How long a product of n × n matrices takes; `words`: of the largest that will be asked about. */
export interface CpuQuestion {
  readonly n: number
  readonly words: number
}
export type CpuAnswer = { readonly library: string; readonly ms: number } | { readonly failed: string }

/**
 * A few steps of a coarse clock (100 µs without cross-origin isolation): shorter products are timed
 * together.
 */
const LEAST_MS = 2

/** Milliseconds of one product. */
export function productTimer(multiply: Multiply, words: number): (n: number) => Promise<number> {
  const pool = createOperands(words, 2, 1)
  return async (n) => {
    const startMs = performance.now()
    for (let calls = 1; ; calls += 1) {
      await multiply(pool.of(0, n * n), pool.of(1, n * n), n)
      const ms = performance.now() - startMs
      if (ms >= LEAST_MS) return ms / calls
    }
  }
}
