import { expect, it } from 'vitest'
import { fillValue } from '../../gpu/kernels/data/fill'
import { referenceEntry } from '../../gpu/kernels/matmul/reference'
import { SEED_A, SEED_B } from '../square-matmul'
import { ofProduct } from './gathered'

const [N, TIMES] = [16, 3]
const gathered = (size: number, times: number): Float32Array[] =>
  Array.from({ length: size }, (_, rank) =>
    Float32Array.from({ length: (N / size) * N }, (_own, at) => {
      const row = (rank * N) / size + Math.floor(at / N)
      const { value } = referenceEntry(
        row,
        at % N,
        N,
        (i, k) => fillValue(i * N + k, SEED_A),
        (k, j) => fillValue(k * N + j, SEED_B),
      )
      return times * value
    }),
  )

it.each([1, 2, 4])('is right where %d ranks did each its rows, as often as asked', (size) => {
  const { checked, failed } = ofProduct(gathered(size, TIMES), N, TIMES, size)
  expect(checked).toBeGreaterThan(30)
  expect(failed).toBe(0)
})

it('is wrong where a rank left out a product, sent another’s rows, or nothing', () => {
  const right = gathered(2, TIMES)
  const [first = new Float32Array()] = right
  const [, less = new Float32Array()] = gathered(2, TIMES - 1)
  for (const wrong of [[first, less], right.toReversed(), [first, first], [first], [], undefined])
    expect(ofProduct(wrong, N, TIMES, 2).failed).toBeGreaterThan(0)
})
