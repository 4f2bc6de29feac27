/** How often the GPU computed the product of a shape: counted in C, where only the lab's kernel writes. */
import { fillValue } from '../../../kernels/data/fill'
import { referenceEntry, samplePositions, tolerance } from '../../../kernels/matmul/reference'
import type { RunOf } from '../../../mend/run-facts'
import type { Benched } from './rates'
import { SAMPLES, type Benchmark } from './shapes'

/** The entries of A·B that the lab looks at, and the scale of their rounding errors. @internal Tests make their evidence with it. */
export function sampledEntries({ m, n, k, seedA, seedB }: Benched) {
  return samplePositions(m, n, SAMPLES, seedA).map(([row, column]) =>
    referenceEntry(
      row,
      column,
      k,
      (i, at) => fillValue(i * k + at, seedA),
      (at, j) => fillValue(at * n + j, seedB),
    ),
  )
}

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
