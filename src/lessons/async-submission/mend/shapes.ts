/** The matmuls of the benchmark: worker and grader work them out from the same seed. C (m × n) += A (m × k) · B (k × n). */
import { samplePositions } from '../../../gpu/kernels/matmul/reference'
import { seededEntries } from '../../../gpu/kernels/matmul/seeded-entry'
import { randomWord } from '../../../gpu/kernels/pcg'

/** Shapes whose rates differ: a tile of the kernel is 64 × 64, and few rows or few columns leave most of a tile unused. */
export const KINDS = ['square', 'few-rows', 'few-columns'] as const
export type Kind = (typeof KINDS)[number]

export interface Shape {
  readonly m: number
  readonly n: number
  readonly k: number
}
export interface BenchShape extends Shape {
  readonly kind: Kind
}

export const flopsOf = ({ m, n, k }: Shape): number => 2 * m * n * k
export const nameOf = ({ m, n, k }: Shape): string =>
  `${String(m)} × ${String(k)} · ${String(k)} × ${String(n)}`

/** The kernel's time depends on `size` alone, so the rate of the thin ones goes with `few`. Columns are fours, as the kernel's vectors are. */
function shapeOf(kind: Kind, size: number, few: number): Shape {
  if (kind === 'few-rows') return { m: few, n: size, k: size }
  if (kind === 'few-columns') return { m: size, n: few, k: size }
  return { m: size - few / 4, n: size, k: size }
}

/** Below a whole tile, so that all of a kind are one pipeline. */
const MOST_FEW = 60
/** The largest of a kind, which takes as long as the others. */
export const largestOf = (kind: Kind, size: number): Shape =>
  shapeOf(kind, size, kind === 'square' ? 0 : MOST_FEW)

/**
 * Rows, or columns, of the thin shapes, in fours as the kernel's vectors are. Each run has its own band: the best of one is at least a third
 * below the least of the next, so that a rate kept from another run is off by more than the 25 % that are allowed.
 */
const BANDS = [[8], [12, 16], [24, 28, 32], [48, 52, 56, MOST_FEW]] as const
export const RUNS = BANDS.length

/** 0 … count − 1 in an order of the seed's. */
function shuffled(count: number, seed: number): readonly number[] {
  const order = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last -= 1) {
    const other = randomWord(last, seed) % (last + 1)
    const [a, b] = [order[last] ?? 0, order[other] ?? 0]
    order[last] = b
    order[other] = a
  }
  return order
}

/** The shapes of a run, in an order of its own. `sizes` by KINDS. */
export function shapesOf(sizes: readonly number[], run: number, seed: number): readonly BenchShape[] {
  const shapes = KINDS.map((kind, index) => {
    const band = BANDS[shuffled(RUNS, seed + index)[run % RUNS] ?? 0] ?? BANDS[0]
    const few = band[randomWord(RUNS + run, seed + index) % band.length] ?? band[0]
    return { kind, ...shapeOf(kind, sizes[index] ?? 1, few) }
  })
  return shuffled(KINDS.length, seed + KINDS.length + run).flatMap((index) => shapes[index] ?? [])
}

/** Words of C that the lab looks at: which products were added up in it, and how often. */
export const SAMPLES = 16

/** What a run notes; lists by shape, but those of passes. */
export type Benchmark = {
  facts: Record<'ms' | 'ns' | 'ks' | 'seedsA' | 'seedsB', readonly number[]>
  found: {
    /** SAMPLES words of each C. */
    c: readonly number[]
    /** Of each pass that the program encoded: its shape, how many products, and its length by the device's clock (NaN: not timed). */
    passShape: readonly number[]
    passTimes: readonly number[]
    passNs: readonly number[]
    /** By the host's clock, of one product before the run; none where the device has a clock. */
    slopeMs: readonly number[]
    slopeBoundMs: readonly number[]
  }
}

/** The entries of A·B that the lab looks at, and the scale of their rounding errors. */
export const sampledEntries = ({ m, n, k, seedA, seedB }: Shape & Record<'seedA' | 'seedB', number>) =>
  seededEntries({ n, k, seedA, seedB }, samplePositions(m, n, SAMPLES, seedA))
