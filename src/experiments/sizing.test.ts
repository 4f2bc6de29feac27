import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundedKernelMs,
  fitRun,
  largestSize,
  MAX_DISPATCH_MS,
  MAX_QUEUED_MS,
  nextSize,
  roundSize,
  roundSizeInSoftware,
  wholeTiles,
} from './sizing'
import { forAll } from '../testing/for-all'

const milliseconds = fc.double({ min: 0.001, max: 1000, noNaN: true })

describe('sizing', () => {
  it('never queues more than the bound, nor a dispatch above its own', () => {
    forAll(milliseconds, fc.integer({ min: 1, max: 512 }), (target, steps) => {
      const bounded = boundedKernelMs(target, steps)
      expect(bounded).toBeLessThanOrEqual(Math.min(target, MAX_DISPATCH_MS))
      expect(bounded * steps).toBeLessThanOrEqual(MAX_QUEUED_MS)
    })
  })

  it('finds the size on a device whose time grows with n³, in few rounds', () => {
    forAll(fc.double({ min: 1e5, max: 1e11, noNaN: true }), milliseconds, (flopsPerMs, target) => {
      const took = (n: number) => (2 * n ** 3) / flopsPerMs
      let n = 64
      for (let round = 0; round < 8; round += 1) n = nextSize(n, took(n), target, 8192)
      // The size is as near as the grain allows, unless it met a bound.
      const neighbours = [roundSize(n * 0.9), n, roundSize(n * 1.1)]
      const best = Math.min(...neighbours.map((size) => Math.abs(Math.log(took(size) / target))))
      if (n > 8 && n < 8192) expect(Math.abs(Math.log(took(n) / target))).toBeLessThanOrEqual(best + 0.5)
    })
  })

  it('rounds to a grain and never to nothing', () =>
    expect([1, 5, 60, 130, 700, 3000].map(roundSize)).toEqual([8, 8, 64, 128, 704, 2944]))

  it('rounds to tiles of 32 × 16 × 4 in software, where matrices are not small', () =>
    expect([60, 111, 112, 130, 150, 700].map(roundSizeInSoftware)).toEqual([64, 112, 128, 128, 160, 704]))

  it('rounds to whole tiles, and down', () => {
    expect([70, 100, 511, 512, 700, 768, 1000, 1024, 1537, 2437].map(wholeTiles)).toEqual([
      64, 96, 384, 512, 512, 768, 768, 1024, 1536, 2048,
    ])
  })

  it('keeps three matrices within the limits', () => {
    expect(largestSize({ maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28 })).toBe(5760)
    expect(largestSize({ maxStorageBufferBindingSize: 2 ** 32, maxBufferSize: 2 ** 32 })).toBe(8192)
  })
})

describe('fitRun', () => {
  const size = fc.record({
    steps: fc.integer({ min: 1, max: 512 }),
    repeats: fc.integer({ min: 1, max: 15 }),
  })
  /** A step that waits takes a round trip, and so does a window. */
  const roundOf = (stepMs: number, roundTripMs: number) => (steps: number) => steps * stepMs + roundTripMs

  it('gives what was asked for wherever it fits, with the warm-up', () => {
    expect(fitRun({ steps: 32, repeats: 5, seconds: 0.6 }, () => 100)).toEqual({ steps: 32, repeats: 5 })
    expect(fitRun({ steps: 32, repeats: 5, seconds: 0.599 }, () => 100)).toEqual({ steps: 32, repeats: 4 })
  })

  it('gives up repeats down to three, then steps down to the least, then one repeat more', () => {
    const steps = (budgetMs: number) =>
      fitRun({ steps: 32, repeats: 5, seconds: budgetMs / 1e3 }, roundOf(100, 0))
    expect(steps(4 * 3200)).toEqual({ steps: 32, repeats: 3 })
    expect(steps(4 * 2400)).toEqual({ steps: 24, repeats: 3 })
    expect(steps(4 * 800)).toEqual({ steps: 8, repeats: 3 })
    expect(steps(3 * 800)).toEqual({ steps: 8, repeats: 2 })
    // There is no smaller run than this, whatever the time.
    expect(steps(0)).toEqual({ steps: 8, repeats: 2 })
    expect(fitRun({ steps: 32, repeats: 5, seconds: 0 }, roundOf(100, 0), 4)).toEqual({
      steps: 4,
      repeats: 2,
    })
  })

  it('never gives more than was asked for, nor less than the least; and fits, or is the least', () => {
    forAll(
      size,
      milliseconds,
      milliseconds,
      fc.integer({ min: 1, max: 60_000 }),
      (asked, step, trip, budget) => {
        const round = roundOf(step, trip)
        const { steps, repeats } = fitRun({ ...asked, seconds: budget / 1e3 }, round)
        expect(steps).toBeLessThanOrEqual(asked.steps)
        expect(repeats).toBeLessThanOrEqual(asked.repeats)
        expect(steps).toBeGreaterThanOrEqual(Math.min(8, asked.steps))
        expect(repeats).toBeGreaterThanOrEqual(Math.min(2, asked.repeats))
        const isLeast = steps === Math.min(8, asked.steps) && repeats === Math.min(2, asked.repeats)
        if (!isLeast) expect((repeats + 1) * round(steps)).toBeLessThanOrEqual(budget * (1 + 1e-12))
      },
    )
  })
})
