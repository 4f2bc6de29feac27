import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCrossover, type Timed } from './crossover'
import { forAll } from '../testing/for-all'

const SIZES = [32, 64, 128, 256, 512, 1024]
const curve = (time: (n: number) => number, spread = 0): readonly Timed[] =>
  SIZES.map((n) => ({ n, value: time(n), low: time(n) * (1 - spread), high: time(n) * (1 + spread) }))
const cubic = (scale: number) => (n: number) => scale * n ** 3

describe('findCrossover', () => {
  it('is exact for power laws, whatever sizes were run', () => {
    forAll(fc.double({ min: 40, max: 1000, noNaN: true }), (crossing) => {
      // n³ against a constant: equal at `crossing`.
      const found = findCrossover(
        curve(cubic(1)),
        curve(() => crossing ** 3),
      )
      expect((found?.value ?? 0) / crossing).toBeCloseTo(1, 9)
    })
  })

  it('has an interval that holds the value, and that grows with the spread', () => {
    const timed = fc
      .array(
        fc.tuple(
          fc.double({ min: 0.01, max: 100, noNaN: true }),
          fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
        ),
        {
          minLength: SIZES.length,
          maxLength: SIZES.length,
        },
      )
      .map((points) =>
        points.map(([value, spread], index): Timed => ({
          n: SIZES[index] ?? 0,
          value,
          low: value * (1 - spread),
          high: value * (1 + spread),
        })),
      )
    forAll(timed, timed, (one, other) => {
      const found = findCrossover(one, other)
      if (!found) throw new Error('every size has both')
      expect(found.low).toBeLessThanOrEqual(found.value * (1 + 1e-12))
      expect(found.value).toBeLessThanOrEqual(found.high * (1 + 1e-12))
      const sharp = findCrossover(
        one.map((point) => ({ ...point, low: point.value, high: point.value })),
        other.map((point) => ({ ...point, low: point.value, high: point.value })),
      )
      expect(sharp).toMatchObject({ value: found.value, low: found.value, high: found.value })
    })
  })

  it('says so where the lines do not cross within the sizes run', () => {
    expect(
      findCrossover(
        curve(() => 2),
        curve(() => 1),
      )?.value,
    ).toBe(0)
    expect(
      findCrossover(
        curve(() => 1),
        curve(() => 2),
      )?.value,
    ).toBe(Infinity)
    // Open to one side only by the interval.
    const open = findCrossover(
      curve((n) => n ** 3, 0.5),
      curve(() => 1000 ** 3, 0.5),
    )
    expect(open?.value).toBeCloseTo(1000, 6)
    expect(open?.high).toBe(Infinity)
  })

  it('takes the last of several crossings: from there on the device stays ahead', () => {
    const lead = [1, 3, 1, 1, 3, 3]
    const found = findCrossover(
      SIZES.map((n, index) => ({
        n,
        value: lead[index] ?? 0,
        low: lead[index] ?? 0,
        high: lead[index] ?? 0,
      })),
      curve(() => 2),
    )
    expect(found?.value).toBeGreaterThan(256)
    expect(found?.value).toBeLessThan(512)
  })

  it('compares only sizes that were run both ways, with times above nothing', () => {
    const small = curve(() => 1).slice(0, 3)
    expect(
      findCrossover(
        small,
        curve(() => 2),
      )?.sizes,
    ).toEqual([32, 64, 128])
    expect(
      findCrossover(
        curve(() => 0),
        curve(() => 2),
      ),
    ).toBeNull()
    expect(
      findCrossover(
        [],
        curve(() => 2),
      ),
    ).toBeNull()
  })
})
