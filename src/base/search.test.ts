import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lowerBound, upperBound } from './search'
import { forAll } from '../testing/for-all'

const sorted = fc
  .array(fc.integer({ min: -20, max: 20 }), { maxLength: 50 })
  .map((values) => Float64Array.from(values).sort())

it('splits a column as a linear scan would', () => {
  forAll(sorted, fc.integer({ min: -22, max: 22 }), (column, value) => {
    expect(lowerBound(column, value)).toBe([...column].filter((element) => element < value).length)
    expect(upperBound(column, value)).toBe([...column].filter((element) => element <= value).length)
  })
})

it('searches a prefix only', () => {
  const column = Float64Array.of(1, 2, 3, 0, 0, 0)
  expect(lowerBound(column, 9, 3)).toBe(3)
  expect(upperBound(column, 2, 3)).toBe(2)
  expect(lowerBound(column, 1, 0)).toBe(0)
})
