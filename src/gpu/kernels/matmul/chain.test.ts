/** The chain's reference against whole matrices in float64, and what its tolerances tell apart. */
import { describe, expect, it } from 'vitest'
import { filled } from '../data/fill'
import { expectedChain, layerScale } from './chain'

const [ROWS, N, LAYERS, SAMPLES] = [5, 24, 6, 40]
const [x, weights] = [filled(ROWS * N, 1), filled(N * N, 2)]

/** y = alpha · x · W, each sum rounded to f32 as it grows, as a device does. */
function layered(
  rows: number,
  n: number,
  first: Float32Array,
  w: Float32Array,
  layers: number,
  round: (v: number) => number,
) {
  let before: ArrayLike<number> = first
  const all: number[][] = []
  for (let layer = 0; layer < layers; layer += 1) {
    const after: number[] = []
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < n; column += 1) {
        let sum = 0
        for (let k = 0; k < n; k += 1)
          sum = round(sum + round((before[row * n + k] ?? 0) * (w[k * n + column] ?? 0)))
        after.push(round(layerScale(n) * sum))
      }
    all.push(after)
    before = after
  }
  return all
}
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('a chain of layers', () => {
  const expected = expectedChain(x, weights, { n: N, layers: LAYERS, samples: SAMPLES })
  const exact = layered(ROWS, N, x, weights, LAYERS, (value) => value)
  const onDevice = layered(ROWS, N, x, weights, LAYERS, Math.fround)

  it('has the entries and the means of the whole matrices', () => {
    expect(expected.entries).toHaveLength(SAMPLES)
    for (const { index, value } of expected.entries)
      expect(value).toBeCloseTo(exact.at(-1)?.[index] ?? Number.NaN, 9)
    expect(expected.means).toHaveLength(LAYERS)
    for (const [layer, { value }] of expected.means.entries())
      expect(value).toBeCloseTo(meanOf(exact[layer] ?? []), 9)
  })

  it('looks at the first row and at the last', () => {
    const rows = new Set(expected.entries.map(({ index }) => Math.floor(index / N)))
    expect([...rows].toSorted()).toEqual([0, ROWS - 1])
  })

  it('allows what rounding does, and neither a layer less nor one more', () => {
    const isWithin = (got: readonly number[]) =>
      expected.entries.filter(({ index, value, allowed }) => Math.abs((got[index] ?? 0) - value) <= allowed)
        .length
    expect(isWithin(onDevice.at(-1) ?? [])).toBe(SAMPLES)
    expect(isWithin(onDevice.at(-2) ?? [])).toBeLessThan(SAMPLES / 10)
    const more = layered(ROWS, N, x, weights, LAYERS + 1, Math.fround)
    expect(isWithin(more.at(-1) ?? [])).toBeLessThan(SAMPLES / 10)
    for (const [layer, { value, allowed }] of expected.means.entries()) {
      expect(Math.abs(meanOf(onDevice[layer] ?? []) - value)).toBeLessThanOrEqual(allowed)
      expect(Math.abs(meanOf(onDevice[(layer + 1) % LAYERS] ?? []) - value)).toBeGreaterThan(allowed)
    }
  })

  it('keeps entries at their size', () => {
    const size = (values: readonly number[]) => Math.sqrt(meanOf(values.map((value) => value ** 2)))
    expect(size(exact.at(-1) ?? []) / size([...x])).toBeGreaterThan(0.3)
    expect(size(exact.at(-1) ?? []) / size([...x])).toBeLessThan(3)
  })
})
