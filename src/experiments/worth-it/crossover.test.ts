import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bounded } from '../../base/crossover'
import { predictSize, sizeByRule } from './crossover'
import { forAll } from '../../testing/for-all'

describe('the rule of thumb', () => {
  const rate = fc.double({ min: 1, max: 1e5, noNaN: true })
  const bandwidth = fc.double({ min: 0.1, max: 100, noNaN: true })
  const uses = fc.integer({ min: 1, max: 64 })

  it('gives the n at which both sides are equal, also with latency', () => {
    forAll(
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
    forAll(
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
    )
  })
})
