/**
 * The bytes are right when ONNX Runtime itself takes them and multiplies: here on the CPU, without
 * a browser.
 */
import * as ort from 'onnxruntime-web'
import { describe, expect, it } from 'vitest'
import { filled } from '../data/fill'
import { matmulModel, outputName } from './matmul-model'

describe('the ONNX model', () => {
  it.each([
    [{ m: 3, n: 5, k: 7 }, 1, false],
    [{ m: 1, n: 300, k: 130 }, 3, false], // sizes of two varint bytes
    [{ m: 3, n: 5, k: 7 }, 1, true],
  ])('of %j computes A·B %i times (sizes left open: %s)', async ({ m, n, k }, products, isOpen) => {
    const model = matmulModel(isOpen ? { m: 'm', n: 'n', k: 'k' } : { m, n, k }, products)
    const session = await ort.InferenceSession.create(model, {
      executionProviders: ['wasm'],
      graphOptimizationLevel: 'disabled',
    })
    const names = Array.from({ length: products }, (_, index) => outputName(index))
    expect(session.inputNames).toEqual(['A', 'B'])
    expect(session.outputNames).toEqual(names)
    const a = filled(m * k, 1)
    const b = filled(k * n, 2)
    const results = await session.run({
      A: new ort.Tensor('float32', a, [m, k]),
      B: new ort.Tensor('float32', b, [k, n]),
    })
    for (const name of names) {
      const result = results[name]
      expect(result?.dims).toEqual([m, n])
      for (const [row, column] of [
        [0, 0],
        [m - 1, n - 1],
        [m - 1, 0],
      ] as const) {
        let expected = 0
        for (let i = 0; i < k; i += 1) expected += (a[row * k + i] ?? 0) * (b[i * n + column] ?? 0)
        expect(Number(result?.data[row * n + column])).toBeCloseTo(expected, 4)
      }
    }
    await session.release()
  })
})
