import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Comparison } from '../src/gpu/kernels/matmul/reference'
import { labFailed, ratiosOf, rowOf, type Measured, type Round } from './matmul-results'
import type { Chain } from './page/bench-page'
import { forAll } from '../src/testing/for-all'

const SHAPE = { m: 1000, n: 500, k: 1000 } // 10^9 floating-point operations
const GOOD: Comparison = { checked: 256, failed: 0, maxRelativeError: 1e-7, tolerance: 1e-5 }

const chain = (products: number, ms: number, more: Partial<Chain> = {}): Chain => ({
  products,
  ms,
  enqueueMs: ms / 10,
  dispatches: products,
  ...more,
})
const round = (productMs: number, fixedMs = 3, products = 10): Round => ({
  short: chain(products, fixedMs + products * productMs),
  long: chain(3 * products, fixedMs + 3 * products * productMs),
})
const measured = (library: string, productMs: readonly number[], more: Partial<Measured> = {}): Measured => ({
  library,
  kernel: 'kernel',
  rounds: productMs.map((ms) => round(ms)),
  check: GOOD,
  ...more,
})

describe('the time of one product', () => {
  it('has no part of the fixed cost, whatever that is', () => {
    const positive = fc.double({ min: 0.01, max: 100, noNaN: true })
    forAll(positive, positive, fc.integer({ min: 1, max: 1000 }), (productMs, fixedMs, products) => {
      const rounds = [round(productMs, fixedMs, products)]
      const [found] = rowOf(measured('lab', [], { rounds }), SHAPE).samplesMs ?? []
      expect(found).toBeCloseTo(productMs, 6)
    })
  })
})

describe('a row', () => {
  it('is the median of the rounds with its interval, in TFLOP/s', () => {
    const row = rowOf(measured('lab', [1, 2, 4, 5, 10]), SHAPE)
    expect(row).toMatchObject({ library: 'lab', shape: [1000, 500, 1000], n: 5, verified: true })
    expect(row.tflops).toBeCloseTo(1e9 / 4e-3 / 1e12, 9)
    expect(row.low).toBeCloseTo(1e9 / 10e-3 / 1e12, 9)
    expect(row.high).toBeCloseTo(1e9 / 1e-3 / 1e12, 9)
    expect(row).not.toHaveProperty('error')
  })

  it.each([
    [
      'a wrong result',
      { check: { ...GOOD, failed: 3, maxRelativeError: 0.5 } },
      /3 of 256 sampled entries are wrong/,
      false,
    ],
    ['no check at all', { check: null }, /not checked/, false],
    [
      'skipped work',
      { rounds: [{ short: chain(4, 10), long: chain(12, 20, { dispatches: 11 }) }] },
      /11 times for 12 products/,
      false,
    ],
    ['times that are noise', { rounds: [round(-1), round(1), round(1), round(1), round(1)] }, /noise/, true],
    ['no rounds', { rounds: [] }, /noise/, true],
    ['a failure', { error: 'it threw' }, /it threw/, true],
  ] as const)('has no figure for %s, and says so', (_, more, message, verified) => {
    const row = rowOf(measured('tfjs', [1, 1, 1, 1, 1], more), SHAPE)
    expect(row).toMatchObject({ tflops: null, low: null, high: null, verified })
    expect(row.error).toMatch(message)
  })
})

describe('ratios', () => {
  it('are of rounds, not of medians: drift that both met cancels', () => {
    const drift = [1, 2, 3, 4, 5]
    const lab = measured('lab', drift)
    const slow = measured(
      'jax',
      drift.map((ms) => 4 * ms),
    )
    const fast = measured(
      'ort',
      drift.map((ms) => 1.5 * ms),
    )
    const ratios = ratiosOf([lab, slow, fast], SHAPE)
    expect(ratios.map(({ library, isBest }) => [library, isBest])).toEqual([
      ['jax', false],
      ['ort', true],
    ])
    expect(ratios[0]?.ratio).toBeCloseTo(4)
    expect(ratios[1]?.low).toBeCloseTo(1.5)
    expect(ratios[1]?.high).toBeCloseTo(1.5)
  })

  it('leave out what has no figure', () => {
    const all = [measured('lab', [1, 1, 1, 1, 1]), measured('jax', [], { error: 'no' })]
    expect(ratiosOf(all, SHAPE)).toEqual([])
    expect(ratiosOf(all.slice(1), SHAPE)).toEqual([])
  })
})

it('a row has what the host took of the time, and nothing where nothing was measured', () => {
  expect(rowOf(measured('lab', [1, 1, 1]), SHAPE).hostShare).toBeCloseTo(0.1)
  expect(rowOf(measured('jax', []), SHAPE)).toMatchObject({ hostShare: null, samplesMs: [] })
})

describe('the lab has failed', () => {
  const row = rowOf(measured('lab', [1, 1, 1, 1, 1]), SHAPE)
  it.each([
    ['with a right result', [row], false],
    ['where a peer failed', [row, rowOf(measured('jax', [], { error: 'no' }), SHAPE)], false],
    [
      'with a wrong result',
      [row, rowOf(measured('lab', [1], { check: { ...GOOD, failed: 1 } }), SHAPE)],
      true,
    ],
    ['with noise for times', [rowOf(measured('lab', [-1, 1, 1, 1, 1]), SHAPE)], false],
    ['with no row', [], true],
  ] as const)('%s: %#', (_, rows, expected) => expect(labFailed(rows)).toBe(expected))
})
