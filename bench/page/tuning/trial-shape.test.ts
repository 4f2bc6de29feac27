import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cropShape, firstPart, nextPart } from './trial-shape'

const size = fc.integer({ min: 1, max: 20_000 })

it('goes through parts of k that end as k ends, ever larger, to all of it', () => {
  fc.assert(
    fc.property(size, fc.double({ min: 0, max: 8, noNaN: true }), (k, factor) => {
      const parts = [firstPart(k)]
      for (let part = firstPart(k); part < k; parts.push(part)) {
        const next = nextPart(part, k, factor)
        expect(next).toBeGreaterThan(part)
        part = next
      }
      expect(parts.at(-1)).toBe(k)
      // Tiles that are whole in k are whole in each part, rows that begin at vectors of four do so
      // in each.
      for (const part of parts) expect(part % 64).toBe(k % 64)
    }),
  )
})

it('crops C by whole tiles only, to about a sixteenth', () => {
  fc.assert(
    fc.property(
      size,
      size,
      fc.constantFrom(8, 16, 64, 128),
      fc.constantFrom(16, 128, 256),
      (m, n, rows, columns) => {
        const cropped = cropShape({ m, n, k: 9, alpha: 1, accumulate: true }, { rows, columns })
        expect([cropped.m % rows, cropped.n % columns]).toEqual([m % rows, n % columns])
        expect(cropped.m).toBeGreaterThanOrEqual(Math.min(m, m / 4))
        expect(cropped.m).toBeLessThanOrEqual(m / 4 + rows)
        expect(cropped.n).toBeLessThanOrEqual(n / 4 + columns)
      },
    ),
  )
})
