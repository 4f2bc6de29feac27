import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eachRowNear, rowsWith } from './zones'
import { forAllOf } from '../testing/for-all'

/** Long enough for several zones, in some order or none. */
const column = fc
  .record({
    length: fc.integer({ min: 0, max: 20_000 }),
    rise: fc.constantFrom(0, 1, 7),
    noise: fc.constantFrom(1, 5, 9000),
    gaps: fc.constantFrom(1, 3),
  })
  .map(({ length, rise, noise, gaps }) =>
    Int32Array.from({ length }, (_, row) =>
      row % gaps === 1 ? -1 : Math.floor((row * rise) / 8) + ((Math.imul(row, 0x9e3779b1) >>> 8) % noise),
    ),
  )

it('finds the rows that a look at all would find, none of them for what stands for none', () =>
  forAllOf(50)(column, fc.integer({ min: -1, max: 20_000 }), fc.nat(20_000), (values, sought, end) => {
    const length = Math.min(end, values.length)
    const all = [...values.subarray(0, length).keys()].filter((row) => values[row] === sought)
    expect(rowsWith(values, length, sought)).toEqual(sought < 0 ? [] : all)
  }))

it('meets each row once, in order, whichever column holds it, and few where there is an order', () => {
  const length = 100_000
  const rising = Uint32Array.from({ length }, (_, row) => row >> 1)
  const falling = Uint32Array.from({ length }, (_, row) => length - row)
  const met: number[] = []
  eachRowNear(
    length,
    [
      [rising, [3, 40_000]],
      [falling, [length - 7]],
    ],
    (row) => met.push(row),
  )
  expect(met).toEqual([...new Set(met)].sort((a, b) => a - b))
  expect(met).toEqual(expect.arrayContaining([6, 7, 80_000, 80_001]))
  expect(met.length).toBeLessThan(10_000)
})
