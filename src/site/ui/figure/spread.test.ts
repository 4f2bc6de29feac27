import fc from 'fast-check'
import { expect, it } from 'vitest'
import { spread } from './plot-layout'

const positions = fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { minLength: 1, maxLength: 12 })

it('keeps order and gap, and stays within the bounds where there is room', () =>
  fc.assert(
    fc.property(positions, (wanted) => {
      const placed = spread(wanted, 14, 0, 500)
      const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
      order
        .slice(1)
        .forEach((index, rank) =>
          expect((placed[index] ?? 0) - (placed[order[rank] ?? 0] ?? 0)).toBeGreaterThanOrEqual(14 - 1e-6),
        )
      for (const at of placed) {
        expect(at).toBeGreaterThanOrEqual(-1e-6)
        expect(at).toBeLessThanOrEqual(500 + 1e-6)
      }
    }),
  ))

it('moves nothing that has room already', () => expect(spread([10, 40, 90], 14)).toEqual([10, 40, 90]))

it('moves two that collide by the same amount, apart', () => {
  expect(spread([50, 50], 14)).toEqual([43, 57])
  expect(spread([50, 0, 50], 14)).toEqual([43, 0, 57])
})
