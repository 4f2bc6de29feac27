import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCrossover, predictSize, sizeByRule, type Bounded, type Timed } from './crossover'

const SIZES = [32, 64, 128, 256, 512, 1024]
const curve = (time: (n: number) => number, spread = 0): readonly Timed[] =>
  SIZES.map((n) => ({ n, value: time(n), low: time(n) * (1 - spread), high: time(n) * (1 + spread) }))
const cubic = (scale: number) => (n: number) => scale * n ** 3

describe('findCrossover', () => {
  it('is exact for power laws, whatever sizes were run', () => {
    fc.assert(
      fc.property(fc.double({ min: 40, max: 1000, noNaN: true }), (crossing) => {
        // n³ against a constant: equal at `crossing`.
        const found = findCrossover(
          curve(cubic(1)),
          curve(() => crossing ** 3),
        )
        expect((found?.value ?? 0) / crossing).toBeCloseTo(1, 9)
      }),
    )
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
    fc.assert(
      fc.property(timed, timed, (one, other) => {
        const found = findCrossover(one, other)
        if (!found) throw new Error('every size has both')
        expect(found.low).toBeLessThanOrEqual(found.value * (1 + 1e-12))
        expect(found.value).toBeLessThanOrEqual(found.high * (1 + 1e-12))
        const sharp = findCrossover(
          one.map((point) => ({ ...point, low: point.value, high: point.value })),
          other.map((point) => ({ ...point, low: point.value, high: point.value })),
        )
        expect(sharp).toMatchObject({ value: found.value, low: found.value, high: found.value })
      }),
    )
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

describe('the rule of thumb', () => {
  const rate = fc.double({ min: 1, max: 1e5, noNaN: true })
  const bandwidth = fc.double({ min: 0.1, max: 100, noNaN: true })
  const uses = fc.integer({ min: 1, max: 64 })

  it('gives the n at which both sides are equal, also with latency', () => {
    fc.assert(
      fc.property(
        uses,
        rate,
        fc.double({ min: 1.1, max: 1000, noNaN: true }),
        bandwidth,
        bandwidth,
        fc.double({ min: 0, max: 100, noNaN: true }),
        (times, processor, faster, upload, readback, latencyMs) => {
          const device = processor * faster
          const n = sizeByRule(times, { processor, device, upload, readback, latencyMs })
          const cpuNs = (times * 2 * n ** 3) / processor
          const deviceNs =
            (times * 2 * n ** 3) / device + (8 * n * n) / upload + (4 * n * n) / readback + latencyMs * 1e6
          expect(cpuNs / deviceNs).toBeCloseTo(1, 6)
        },
      ),
    )
  })

  it('falls by exactly the number of uses where only bytes count', () => {
    const rates = { processor: 100, device: 10_000, upload: 4, readback: 5, latencyMs: 0 }
    const once = sizeByRule(1, rates)
    expect(sizeByRule(16, rates)).toBeCloseTo(once / 16, 9)
    expect(once).toBeCloseTo((8 / 4 + 4 / 5) / (2 * (1 / 100 - 1 / 10_000)), 9)
  })

  it('never is worth it where the device computes no faster', () => {
    const rates = { processor: 100, device: 100, upload: 4, readback: 5, latencyMs: 0 }
    expect(sizeByRule(1, rates)).toBe(Infinity)
    const sharp = (value: number): Bounded => ({ value, low: value, high: value })
    const given = { upload: sharp(4), readback: sharp(4), latencyMs: sharp(0) }
    expect(predictSize(1, { ...given, processor: sharp(30), device: sharp(3) })).toBeNull()
    // Only the interval reaches there: then the prediction is open above.
    expect(
      predictSize(1, {
        ...given,
        processor: { value: 30, low: 20, high: 50 },
        device: { value: 60, low: 40, high: 90 },
      }),
    ).toMatchObject({ high: Infinity })
  })

  it('has an interval that holds every prediction from within the intervals of what goes in', () => {
    const within = (most: number) =>
      fc
        .tuple(
          fc.double({ min: 0.1, max: most, noNaN: true }),
          fc.double({ min: 0, max: 0.5, noNaN: true }),
          fc.double({ min: -1, max: 1, noNaN: true }),
        )
        .map(([value, spread, share]) => ({
          bounds: { value, low: value * (1 - spread), high: value * (1 + spread) },
          inside: value * (1 + spread * share),
        }))
    fc.assert(
      fc.property(
        uses,
        within(500),
        within(50_000),
        within(50),
        within(50),
        within(20),
        (times, processor, device, upload, readback, latencyMs) => {
          const rates = { processor, device, upload, readback, latencyMs }
          const take = <Key extends 'bounds' | 'inside'>(key: Key) => ({
            processor: rates.processor[key],
            device: rates.device[key],
            upload: rates.upload[key],
            readback: rates.readback[key],
            latencyMs: rates.latencyMs[key],
          })
          const predicted = predictSize(times, take('bounds'))
          if (!predicted) return
          const n = sizeByRule(times, take('inside'))
          expect(n).toBeGreaterThanOrEqual(predicted.low * (1 - 1e-9))
          expect(n).toBeLessThanOrEqual(predicted.high * (1 + 1e-9))
        },
      ),
    )
  })
})
