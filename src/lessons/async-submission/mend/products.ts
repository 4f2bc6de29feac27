/** How often the GPU computed the product of a shape: counted in C, where only the lab's kernel writes. */
import { tolerance } from '../../../gpu/kernels/matmul/reference'
import type { RunOf } from '../../../exercises/run-facts'
import type { Benched } from './rates'
import { sampledEntries, SAMPLES, type Benchmark } from './shapes'

/** How often A·B was added up in C; null where C is no whole number of them. */
export function productsRun({ found }: RunOf<Benchmark>, shape: Benched): number | null {
  const got = found.c.slice(shape.index * SAMPLES, (shape.index + 1) * SAMPLES)
  const entries = sampledEntries(shape)
  // The entry that cancels least tells the number best.
  const clearest = entries.reduce(
    (best, { value }, at) => (Math.abs(value) > Math.abs(entries[best]?.value ?? 0) ? at : best),
    0,
  )
  const count = Math.round((got[clearest] ?? Number.NaN) / (entries[clearest]?.value ?? Number.NaN))
  const isWhole = entries.every(
    ({ value, scale }, at) =>
      Math.abs((got[at] ?? Number.NaN) - count * value) <= tolerance(shape.k, count) * scale * count,
  )
  return isWhole ? count : null
}
