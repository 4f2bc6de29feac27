import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createInputs } from './inputs'
import { matmulModel } from './matmul-model'
import { multiplyPlain } from './plain-matmul'
import { openProcessor, threadsFor } from './processor'

describe('the processor', () => {
  const inputs = createInputs(100)

  it('multiplies right in plain code, at any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(20), (n, operation) => {
        const { a, b } = inputs.of(operation, n)
        expect(inputs.check(operation, n, multiplyPlain(a, b, n), 1).failed).toBe(0)
      }),
      { numRuns: 40 },
    )
  })

  it('is found out where a product is of other inputs, a single entry off, or added up once too often', () => {
    const { a, b } = inputs.of(3, 64)
    const right = multiplyPlain(a, b, 64)
    expect(inputs.check(4, 64, right, 1).failed).toBeGreaterThan(0)
    expect(inputs.check(3, 64, right, 2).failed).toBeGreaterThan(0)
    const off = right.slice()
    off[0] = (off[0] ?? 0) + 0.01
    expect(inputs.check(3, 64, off, 1).failed).toBe(1)
  })

  it('takes half of the logical processors, one without isolation, and never more than the bound', () => {
    expect([1, 2, 3, 8, 16, 128].map((count) => threadsFor(count, true))).toEqual([1, 1, 2, 4, 8, 16])
    expect(threadsFor(64, false)).toBe(1)
  })

  it('falls back on plain code where the library does not load, and says so', async () => {
    const failing = await openProcessor(8, true, () => Promise.reject(new Error('no SIMD')))
    expect(failing).toMatchObject({ library: 'plain TypeScript', threads: 1 })
    expect(failing.note).toContain('no SIMD')
    const { a, b } = inputs.of(1, 20)
    expect(inputs.check(1, 20, await failing.multiply(a, b, 20), 1).failed).toBe(0)

    const asked: number[] = []
    const single = await openProcessor(8, false, (threads) => {
      asked.push(threads)
      return Promise.resolve((left, right, n) => Promise.resolve(multiplyPlain(left, right, n)))
    })
    expect(asked).toEqual([1])
    expect(single).toMatchObject({ library: 'onnxruntime-web', threads: 1 })
    expect(single.note).toContain('cross-origin isolated')
  })

  it('gives the library a model of one MatMul', () => {
    const text = new TextDecoder('latin1').decode(matmulModel())
    expect(text).toContain('MatMul')
    expect(matmulModel().length).toBeLessThan(127)
  })
})
