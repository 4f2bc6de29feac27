import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { checkProduct, positionsOf } from '../../../lab/check-product'
import { createOperands } from '../../../lab/operands'
import { multiplyPlain } from './plain-matmul'
import { openProcessor } from './processor'
import { forAllOf } from '../../../testing/for-all'

describe('the CPU', () => {
  const [a, b] = [createOperands(100 * 100, 21, 1), createOperands(100 * 100, 21, 2)]
  const pairAt = (index: number, n: number) => [a.of(index, n * n), b.of(index, n * n)] as const
  /** How many sampled entries are not those of `times` times the index-th product. */
  const wrongIn = (index: number, n: number, got: Float32Array, times = 1): number => {
    const positions = positionsOf({ rows: n, columns: n }, 32, n)
    const aAt = (row: number, k: number) => a.valueAt(index, row * n + k)
    const bAt = (k: number, column: number) => b.valueAt(index, k * n + column)
    const sampled = positions.map(([row, column]) => got[row * n + column] ?? Number.NaN)
    return checkProduct({ rows: n, columns: n, k: n, terms: [{ aAt, bAt, times }] }, positions, sampled, '')
      .failed
  }

  it('multiplies right in plain code, at any size', () => {
    forAllOf(40)(fc.integer({ min: 1, max: 100 }), fc.nat(20), (n, operation) => {
      expect(wrongIn(operation, n, multiplyPlain(...pairAt(operation, n), n))).toBe(0)
    })
  })

  it('multiplies matrices that are not square, tile or none', () => {
    forAllOf(60)(
      fc.integer({ min: 1, max: 13 }),
      fc.integer({ min: 1, max: 13 }),
      fc.integer({ min: 1, max: 13 }),
      (rows, inner, n) => {
        const [left, right] = [a.of(1, rows * inner), b.of(2, inner * n)]
        const got = multiplyPlain(left, right, n, { rows, inner })
        expect(got.length).toBe(rows * n)
        for (const [at, value] of got.entries()) {
          let sum = 0
          for (let k = 0; k < inner; k += 1)
            sum += (left[Math.floor(at / n) * inner + k] ?? NaN) * (right[k * n + (at % n)] ?? NaN)
          expect(value).toBeCloseTo(sum, 5)
        }
      },
    )
  })

  it('is found out where a product is of other inputs, a single entry off, or added up once too often', () => {
    const right = multiplyPlain(...pairAt(3, 64), 64)
    expect(wrongIn(4, 64, right)).toBeGreaterThan(0)
    expect(wrongIn(3, 64, right, 2)).toBeGreaterThan(0)
    const off = right.slice()
    off[0] = (off[0] ?? 0) + 0.01
    expect(wrongIn(3, 64, off)).toBe(1)
  })

  it('takes half of the logical processors, one without isolation, and never more than the bound', async () => {
    const threads = async (processors: number, isolated: boolean) =>
      (await openProcessor(processors, isolated, () => Promise.resolve(vi.fn()))).threads
    expect(await Promise.all([1, 2, 3, 8, 16, 128].map((count) => threads(count, true)))).toEqual([
      1, 1, 2, 4, 8, 16,
    ])
    expect(await threads(64, false)).toBe(1)
  })

  it('falls back on plain code where the library does not load, and says so', async () => {
    const failing = await openProcessor(8, true, () => Promise.reject(new Error('no SIMD')))
    expect(failing).toMatchObject({ library: 'plain TypeScript', threads: 1 })
    expect(failing.note).toContain('no SIMD')
    expect(wrongIn(1, 20, await failing.multiply(...pairAt(1, 20), 20))).toBe(0)

    const asked: number[] = []
    const single = await openProcessor(8, false, (threads) => {
      asked.push(threads)
      return Promise.resolve((left, right, n) => Promise.resolve(multiplyPlain(left, right, n)))
    })
    expect(asked).toEqual([1])
    expect(single).toMatchObject({ library: 'onnxruntime-web', threads: 1 })
    expect(single.note).toContain('cross-origin isolated')
  })
})
