import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { over, toBytes } from './colour'
import { PixelColumns } from './column-bitmap'
import { forAll } from '../testing/for-all'

const RED = { red: 200, green: 10, blue: 30 }
const BLUE = { red: 10, green: 20, blue: 220 }
const alphaOf = (word = 0): number => word >>> 24
const rowOf = (columns: PixelColumns, row: number): number[] => [
  ...columns.pixels.subarray(row * columns.width, (row + 1) * columns.width),
]

describe('PixelColumns', () => {
  it('fills whole pixels, cut to what there is', () => {
    const columns = new PixelColumns()
    columns.begin(4, 3)
    columns.ink(RED, 1)
    columns.fill(2, 9, -5, 2)
    const red = toBytes(RED)
    expect([0, 1, 2].map((row) => rowOf(columns, row))).toEqual([
      [0, 0, red, red],
      [0, 0, red, red],
      [0, 0, 0, 0],
    ])
    expect([columns.firstRow, columns.endRow]).toEqual([0, 2])
  })

  it('covers as much of each pixel as lies within the edges: the sum is the width', () =>
    forAll(
      fc.double({ min: -3, max: 12, noNaN: true }),
      fc.double({ min: 0, max: 12, noNaN: true }),
      (left, width) => {
        const columns = new PixelColumns()
        columns.begin(10, 1)
        columns.ink(RED, 1)
        columns.cover(left, left + width, 0, 1)
        const within = Math.max(0, Math.min(10, left + width) - Math.max(0, left))
        const painted = rowOf(columns, 0).reduce((sum, word) => sum + alphaOf(word) / 255, 0)
        // Each of the two edges is rounded to a step of 1/255.
        expect(Math.abs(painted - within)).toBeLessThanOrEqual(1 / 255 + 1e-9)
      },
    ))

  it('lays bars that share a pixel over each other', () => {
    const columns = new PixelColumns()
    columns.begin(2, 1)
    columns.ink(RED, 1)
    columns.cover(0, 0.5, 0, 1)
    columns.ink(BLUE, 1)
    columns.cover(0.5, 1, 0, 1)
    expect(columns.pixels[0]).toBe(over(toBytes(BLUE, 128 / 255), toBytes(RED, 128 / 255)))
    expect(columns.pixels[1]).toBe(0)
  })

  it('is blank when begun again, in the same memory or in more', () => {
    const columns = new PixelColumns()
    expect(columns.begin(3, 4)).toBe(true)
    columns.ink(RED, 1)
    columns.fill(0, 3, 1, 3)
    expect(columns.begin(3, 2)).toBe(false)
    expect(columns.pixels.every((word) => word === 0)).toBe(true)
    columns.cover(0.2, 2.4, 0, 2)
    expect(columns.begin(5, 4)).toBe(true)
    expect(columns.pixels.every((word) => word === 0)).toBe(true)
    expect(columns.endRow).toBe(0)
  })
})

describe('over', () => {
  const word = fc.integer({ min: 0, max: 0xff_ff_ff_ff })

  it('hides all under what is opaque, nothing under what is clear', () =>
    forAll(word, word, (above, below) => {
      expect(over((above | 0xff_00_00_00) >>> 0, below)).toBe((above | 0xff_00_00_00) >>> 0)
      const clear = (above & 0xff_ff_ff) >>> 0
      expect(over(clear, below)).toBe(alphaOf(below) === 0 ? 0 : below)
    }))

  it('never lets less through than either alone', () =>
    forAll(word, word, (above, below) => {
      const alpha = alphaOf(over(above, below))
      expect(alpha).toBeGreaterThanOrEqual(Math.max(alphaOf(above), alphaOf(below)))
    }))
})
