/** Numbers written as differences come back as they were. */
import { COLUMN_TYPES } from './schema'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deltaEncode, deltaDecode } from './file-writer'

it('sums of differences are the column', () => {
  const numbers = fc.array(
    fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), fc.constantFrom(-0, 2 ** 52, -(2 ** 52))),
  )
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(COLUMN_TYPES)), numbers, (type, values) => {
      const column = type.from(values)
      const differences = deltaEncode(column)
      if (differences) deltaDecode(differences)
      expect(differences ?? column).toEqual(column)
    }),
  )
})

it('whole times and indices are written so; what a sum would change is not', () => {
  expect(deltaEncode(Float64Array.of(5000, 10_000, 20_000))).toEqual(Float64Array.of(5000, 5000, 10_000))
  expect(deltaEncode(Int32Array.of(7, 8, -1))).toEqual(Int32Array.of(7, 1, -9))
  for (const value of [0.5, Number.NaN, Infinity, -0, 2 ** 52 + 2])
    expect(deltaEncode(Float64Array.of(1, value)), String(value)).toBeNull()
  expect(deltaEncode(Uint8Array.of(1, 2))).toBeNull()
})
