/**
 * The CPU's own matmul: a library of several threads in WebAssembly, which copies what it is given
 * into its memory, and the result out.
 */
import type { Processor } from '../gpu/kernels/cpu/processor'
import { rangeOf, wordsOf } from './host-memory'
import type { Machine } from './machine'
import { factorsOf, productSource } from './product'

export function processorOf({ profile, clock, effort }: Machine): Processor {
  const { library, threads, callNs, copyRate, gflops } = profile.processor
  return {
    library,
    threads,
    note: '',
    multiply: (a, b, n) => {
      clock.spend(callNs + (12 * n * n) / copyRate + (2 * n ** 3) / gflops)
      const factors = factorsOf(wordsOf(a), wordsOf(b), [n, n, n], effort)
      const product = productSource({ factors, alpha: 1, times: 1, before: null }, [n, n])
      return Promise.resolve(new Float32Array(rangeOf(4 * n * n, product, 0) as ArrayBuffer))
    },
  }
}
