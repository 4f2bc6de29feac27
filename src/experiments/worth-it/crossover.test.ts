import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCrossover, type Crossing, type Timed } from './crossover'
import { crossoverByRule, predict, type Bounded } from './rule'

const SIZES = [32, 64, 128, 256, 512, 1024]
const curve = (time: (n: number) => number, spread = 0): readonly Timed[] =>
  SIZES.map((n) => ({ n, value: time(n), low: time(n) * (1 - spread), high: time(n) * (1 + spread) }))
const cubic = (scale: number) => (n: number) => scale * n ** 3
/** Crossings in order: 'below' before every size, 'above' behind every size. */
const rank = (crossing: Crossing): number =>
  crossing.kind === 'at' ? crossing.n : crossing.kind === 'below' ? 0 : Infinity

describe('findCrossover', () => {
  it('is exact for power laws, whatever sizes were run', () => {
    fc.assert(
      fc.property(fc.double({ min: 40, max: 1000, noNaN: true }), (crossing) => {
        // n³ against a constant: equal at `crossing`.
        const found = findCrossover(
          curve(cubic(1)),
          curve(() => crossing ** 3),
        )
        expect(found?.value.kind).toBe('at')
        if (found?.value.kind === 'at') expect(found.value.n / crossing).toBeCloseTo(1, 9)
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
        expect(rank(found.earliest)).toBeLessThanOrEqual(rank(found.value) * (1 + 1e-12))
        expect(rank(found.value)).toBeLessThanOrEqual(rank(found.latest) * (1 + 1e-12))
        const sharp = findCrossover(
          one.map((point) => ({ ...point, low: point.value, high: point.value })),
          other.map((point) => ({ ...point, low: point.value, high: point.value })),
        )
        expect(sharp?.earliest).toEqual(sharp?.latest)
        expect(sharp?.value).toEqual(found.value)
      }),
    )
  })

  it('says so where the lines do not cross within the sizes run', () => {
    expect(
      findCrossover(
        curve(() => 2),
        curve(() => 1),
      )?.value,
    ).toEqual({ kind: 'below' })
    expect(
      findCrossover(
        curve(() => 1),
        curve(() => 2),
      )?.value,
    ).toEqual({ kind: 'above' })
    // Open to one side only by the interval.
    const open = findCrossover(
      curve((n) => n ** 3, 0.5),
      curve(() => 1000 ** 3, 0.5),
    )
    expect(open?.value.kind).toBe('at')
    expect(open?.latest).toEqual({ kind: 'above' })
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
    expect(found?.value.kind === 'at' && found.value.n > 256 && found.value.n < 512).toBe(true)
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
          const n = crossoverByRule(times, processor, device, upload, readback, latencyMs)
          const cpuNs = (times * 2 * n ** 3) / processor
          const deviceNs =
            (times * 2 * n ** 3) / device + (8 * n * n) / upload + (4 * n * n) / readback + latencyMs * 1e6
          expect(cpuNs / deviceNs).toBeCloseTo(1, 6)
        },
      ),
    )
  })

  it('falls by exactly the number of uses where only bytes count', () => {
    const once = crossoverByRule(1, 100, 10_000, 4, 5, 0)
    expect(crossoverByRule(16, 100, 10_000, 4, 5, 0)).toBeCloseTo(once / 16, 9)
    expect(once).toBeCloseTo((8 / 4 + 4 / 5) / (2 * (1 / 100 - 1 / 10_000)), 9)
  })

  it('never is worth it where the device computes no faster', () => {
    expect(crossoverByRule(1, 100, 100, 4, 5, 0)).toBe(Infinity)
    const sharp = (value: number): Bounded => ({ value, low: value, high: value })
    const given = { uses: 1, upload: sharp(4), readback: sharp(4), latencyMs: null }
    expect(predict({ ...given, processor: sharp(30), device: sharp(3) })).toBeNull()
    // Only the interval reaches there: then the prediction is open above.
    expect(
      predict({
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
        (times, processor, device, upload, readback, latency) => {
          const predicted = predict({
            uses: times,
            processor: processor.bounds,
            device: device.bounds,
            upload: upload.bounds,
            readback: readback.bounds,
            latencyMs: latency.bounds,
          })
          if (!predicted) return
          const n = crossoverByRule(
            times,
            processor.inside,
            device.inside,
            upload.inside,
            readback.inside,
            latency.inside,
          )
          expect(n).toBeGreaterThanOrEqual(predicted.low * (1 - 1e-9))
          expect(n).toBeLessThanOrEqual(predicted.high * (1 + 1e-9))
        },
      ),
    )
  })
})
