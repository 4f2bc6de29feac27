/** What is written as differences comes back as it was. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { COLUMN_TYPES } from './columns'
import { differencesOf, sumUp } from './differences'

it('sums of differences are the column', () => {
  const numbers = fc.array(
    fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), fc.constantFrom(-0, 2 ** 52, -(2 ** 52))),
  )
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(COLUMN_TYPES)), numbers, (type, values) => {
      const column = type.from(values)
      const differences = differencesOf(column)
      if (differences) sumUp(differences)
      expect(differences ?? column).toEqual(column)
    }),
  )
})

it('whole times and indices are written so; what a sum would change is not', () => {
  expect(differencesOf(Float64Array.of(5000, 10_000, 20_000))).toEqual(Float64Array.of(5000, 5000, 10_000))
  expect(differencesOf(Int32Array.of(7, 8, -1))).toEqual(Int32Array.of(7, 1, -9))
  for (const value of [0.5, Number.NaN, Infinity, -0, 2 ** 52 + 2])
    expect(differencesOf(Float64Array.of(1, value)), String(value)).toBeNull()
  expect(differencesOf(Uint8Array.of(1, 2))).toBeNull()
})
