import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillValue } from '../data/fill'
import {
  compareSamples,
  referenceEntry,
  samplePositions,
  tolerance,
  type Position,
  type ValueAt,
} from './reference'
import { forAll } from '../../../testing/for-all'

const f = Math.fround

type Order = 'one by one' | 'in fours' | 'fused' | 'backwards'

/** A dot product as a device may compute it in f32: other orders of summation, fused or not. */
function dot(terms: readonly (readonly [number, number])[], order: Order): number {
  if (order === 'backwards') return dot(terms.toReversed(), 'one by one')
  if (order === 'in fours') {
    const lanes = [0, 0, 0, 0]
    terms.forEach(([a, b], i) => (lanes[i % 4] = f((lanes[i % 4] ?? 0) + f(a * b))))
    return lanes.reduce((sum, lane) => f(sum + lane), 0)
  }
  let sum = 0
  // The product of two f32 is exact in float64, so this is a fused multiply-add but for a double
  // rounding of 2^-53.
  for (const [a, b] of terms) sum = order === 'fused' ? f(sum + a * b) : f(sum + f(a * b))
  return sum
}

interface Problem {
  readonly n: number
  readonly k: number
  readonly steps: number
  readonly seed: number
}
const aAt =
  ({ k, seed }: Problem): ValueAt =>
  (row, column) =>
    fillValue(row * k + column, seed)
const bAt =
  ({ n, seed }: Problem): ValueAt =>
  (row, column) =>
    fillValue(row * n + column, seed + 1)

/**
 * Sampled entries of C after `runs` steps of C += A·B in f32, with rows of A taken from `rowOf`.
 */
function emulate(
  problem: Problem,
  positions: readonly Position[],
  order: Order,
  runs = problem.steps,
  rowOf = (row: number) => row,
): number[] {
  return positions.map(([row, column]) => {
    const terms = Array.from(
      { length: problem.k },
      (_, i) => [aAt(problem)(rowOf(row), i), bAt(problem)(i, column)] as const,
    )
    const product = dot(terms, order)
    let c = 0
    for (let step = 0; step < runs; step += 1) c = f(c + product)
    return c
  })
}

function check(problem: Problem, positions: readonly Position[], got: readonly number[]) {
  const { k, steps } = problem
  const entries = positions.map(([row, column]) => referenceEntry(row, column, k, aAt(problem), bAt(problem)))
  const sums = entries.map(({ value, scale }) => ({ value: value * steps, scale: scale * steps }))
  return compareSamples(sums, got, tolerance(k, steps))
}

const problems: fc.Arbitrary<Problem> = fc.record({
  n: fc.integer({ min: 8, max: 200 }),
  k: fc.integer({ min: 1, max: 600 }),
  steps: fc.integer({ min: 1, max: 200 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
})
const SAMPLES = 64
const sample = ({ n, seed }: Problem) => samplePositions(n, n, SAMPLES, seed)
const orders = fc.constantFrom<Order>('one by one', 'in fours', 'fused', 'backwards')

describe('a check of sampled entries', () => {
  it('passes every f32 result, in whatever order it was summed', () => {
    forAll(problems, orders, (problem, order) => {
      const positions = sample(problem)
      const outcome = check(problem, positions, emulate(problem, positions, order))
      expect(outcome).toMatchObject({ checked: Math.min(SAMPLES, problem.n ** 2), failed: 0 })
      expect(outcome.maxRelativeError).toBeLessThanOrEqual(outcome.tolerance)
    })
  })

  it('fails when one step is missing, or ran twice', () => {
    forAll(problems, fc.constantFrom(-1, 1), (problem, extra) => {
      const positions = sample(problem)
      const got = emulate(problem, positions, 'fused', problem.steps + extra)
      expect(check(problem, positions, got).failed).toBeGreaterThan(0)
    })
  })

  it('fails when two rows of A were swapped, at the first edge of a tile', () => {
    forAll(
      problems.filter(({ n }) => n > 18),
      (problem) => {
        const positions = sample(problem)
        const swapped = (row: number) => (row === 15 ? 16 : row === 16 ? 15 : row)
        const got = emulate(problem, positions, 'fused', problem.steps, swapped)
        expect(check(problem, positions, got).failed).toBeGreaterThan(0)
      },
    )
  })

  it('still sees a missing step in the largest work that the lab does', () => {
    const problem: Problem = { n: 4096, k: 4096, steps: 512, seed: 1 }
    const positions = sample(problem)
    expect(check(problem, positions, emulate(problem, positions, 'fused')).failed).toBe(0)
    expect(check(problem, positions, emulate(problem, positions, 'fused', 511)).failed).toBeGreaterThan(0)
  })
})

describe('tolerance', () => {
  it('grows with k and with the number of steps, and allows at least one rounding', () => {
    forAll(fc.integer({ min: 1, max: 1e5 }), fc.integer({ min: 1, max: 1e4 }), (k, steps) => {
      expect(tolerance(k, steps)).toBeGreaterThan(2 ** -24)
      expect(tolerance(k + 1, steps)).toBeGreaterThan(tolerance(k, steps))
      expect(tolerance(k, steps + 1)).toBeGreaterThan(tolerance(k, steps))
    })
  })
})

describe('compareSamples', () => {
  const entry = (value: number, scale: number) => ({ value, scale })

  it.each([
    ['NaN', [1, Number.NaN]],
    ['infinity', [1, Number.POSITIVE_INFINITY]],
    ['nothing but zeros', [0, 0]],
  ])('does not pass %s', (_, got) => {
    const outcome = compareSamples([entry(1, 1), entry(2, 2)], got, 1e-6)
    expect(outcome.failed).toBeGreaterThan(0)
    expect(outcome.maxRelativeError).toBeGreaterThan(1e-6)
  })

  it('wants an exact result where nothing can round', () => {
    expect(compareSamples([entry(0, 0)], [0], 1e-6)).toMatchObject({
      checked: 1,
      failed: 0,
      maxRelativeError: 0,
    })
    expect(compareSamples([entry(0, 0)], [1e-30], 1e-6)).toMatchObject({ failed: 1 })
  })

  it('measures against the scale and counts the bounds as inside', () => {
    expect(compareSamples([entry(10, 4)], [11], 0.25)).toEqual({
      checked: 1,
      failed: 0,
      maxRelativeError: 0.25,
      tolerance: 0.25,
    })
    expect(compareSamples([entry(10, 4)], [11], 0.24)).toMatchObject({ failed: 1 })
  })

  it('refuses arrays of different lengths: an entry that was not read was not checked', () =>
    expect(() => compareSamples([entry(1, 1), entry(2, 2)], [1], 1)).toThrow(/1 values with 2 expected/))
})

describe('referenceEntry', () => {
  it('is the float64 dot product, and its scale the sum of magnitudes', () => {
    const entry = referenceEntry(
      2,
      3,
      4,
      (row, i) => row * (i % 2 ? -1 : 1),
      (i, column) => i + column,
    )
    expect(entry).toEqual({ value: 2 * (3 - 4 + 5 - 6), scale: 2 * (3 + 4 + 5 + 6) })
  })
})

describe('samplePositions', () => {
  const size = fc.integer({ min: 1, max: 9000 })

  it('gives so many distinct entries, all in the matrix, the same ones each time', () => {
    forAll(size, size, fc.integer({ min: 1, max: 100 }), fc.nat(), (m, n, count, seed) => {
      const positions = samplePositions(m, n, count, seed)
      expect(positions).toHaveLength(Math.min(count, m * n))
      expect(new Set(positions.map(String)).size).toBe(positions.length)
      for (const [row, column] of positions) {
        expect(row >= 0 && row < m && Number.isInteger(row)).toBe(true)
        expect(column >= 0 && column < n && Number.isInteger(column)).toBe(true)
      }
      expect(samplePositions(m, n, count, seed)).toEqual(positions)
    })
  })

  it('has the corners, and both sides of the edges of the first and of the last tile', () => {
    const positions = samplePositions(1000, 300, 64, 5)
    const rows = new Set(positions.map(([row]) => row))
    const columns = new Set(positions.map(([, column]) => column))
    for (const [row, column] of [
      [0, 0],
      [0, 299],
      [999, 0],
      [999, 299],
    ] as const)
      expect(positions).toContainEqual([row, column])
    for (const row of [15, 16, 63, 64, 127, 128, 895, 896, 959, 960, 991, 992]) expect(rows).toContain(row)
    for (const column of [15, 16, 63, 64, 127, 128, 255, 256, 287, 288]) expect(columns).toContain(column)
  })

  it('differs from seed to seed beyond the fixed ones', () => {
    const one = samplePositions(4096, 4096, 64, 1).map(String)
    const other = new Set(samplePositions(4096, 4096, 64, 2).map(String))
    const shared = one.filter((position) => other.has(position)).length
    expect(shared).toBeLessThan(50)
    expect(shared).toBeGreaterThan(20)
  })
})
