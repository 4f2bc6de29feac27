import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candidateSizes, MAX_BATCH_BYTES, nextBatchBytes, planCompute } from './overlapped-uploads/sizes'
import {
  boundedKernelMs,
  largestSize,
  MAX_DISPATCH_MS,
  MAX_QUEUED_MS,
  nextSize,
  roundSize,
  tuningSize,
} from './sizing'

const milliseconds = fc.double({ min: 0.001, max: 1000, noNaN: true })

describe('sizing', () => {
  it('never queues more than the bound, nor a dispatch above its own', () => {
    fc.assert(
      fc.property(milliseconds, fc.integer({ min: 1, max: 512 }), (target, steps) => {
        const bounded = boundedKernelMs(target, steps)
        expect(bounded).toBeLessThanOrEqual(Math.min(target, MAX_DISPATCH_MS))
        expect(bounded * steps).toBeLessThanOrEqual(MAX_QUEUED_MS)
      }),
    )
  })

  it('finds the size on a device whose time grows with n³, in few rounds', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e5, max: 1e11, noNaN: true }), milliseconds, (flopsPerMs, target) => {
        const took = (n: number) => (2 * n ** 3) / flopsPerMs
        let n = 64
        for (let round = 0; round < 8; round += 1) n = nextSize(n, took(n), target, 8192)
        // As near as the grain allows, unless a bound was met.
        const neighbours = [roundSize(n * 0.9), n, roundSize(n * 1.1)]
        const best = Math.min(...neighbours.map((size) => Math.abs(Math.log(took(size) / target))))
        if (n > 8 && n < 8192) expect(Math.abs(Math.log(took(n) / target))).toBeLessThanOrEqual(best + 0.5)
      }),
    )
  })

  it('rounds to a grain and never to nothing', () => {
    expect([1, 5, 60, 130, 700, 3000].map(roundSize)).toEqual([8, 8, 64, 128, 704, 2944])
  })

  it('keeps three matrices within the limits', () => {
    expect(largestSize({ maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28 })).toBe(5760)
    expect(largestSize({ maxStorageBufferBindingSize: 2 ** 32, maxBufferSize: 2 ** 32 })).toBe(8192)
  })
})

describe('overlapped-uploads sizes', () => {
  it('doubles the batch until an upload is long enough or the bound is met', () => {
    expect(nextBatchBytes(2 ** 20, 1)).toBe(2 ** 21)
    expect(nextBatchBytes(2 ** 20, 100)).toBeNull()
    expect(nextBatchBytes(MAX_BATCH_BYTES, 0.1)).toBeNull()
  })

  it('plans rows that lie inside the batch, and work near the target', () => {
    fc.assert(
      fc.property(fc.integer({ min: 18, max: 26 }), milliseconds, milliseconds, (log2, cubeMs, targetMs) => {
        const batchBytes = 2 ** log2
        for (const s of candidateSizes(batchBytes)) {
          const plan = planCompute(s, cubeMs, targetMs, batchBytes)
          expect(plan.rows * s * 4).toBeLessThanOrEqual(batchBytes)
          expect(plan.rows).toBeGreaterThanOrEqual(1)
          const ms = (plan.rows * plan.dispatches * cubeMs) / s
          // Rounding to whole tiles: below one tile of rows it cannot come nearer; above 64 dispatches it stops.
          const grain = s >= 512 ? 128 : 16
          if (targetMs / cubeMs > (2 * grain) / s && plan.dispatches < 64)
            expect(Math.abs(ms / targetMs - 1)).toBeLessThan(0.6)
        }
      }),
    )
  })
})

it('tunes at sizes a factor of √1.5 away at most, the same for sizes nearby', () => {
  fc.assert(
    fc.property(fc.integer({ min: 64, max: 8192 }), (n) => {
      const size = tuningSize(n)
      expect(Math.max(size / n, n / size)).toBeLessThan(1.26)
      expect(tuningSize(size)).toBe(size)
      expect(size % 32).toBe(0)
    }),
  )
  expect([8, 64, 100, 1000, 1024, 1100, 1600, 4095].map(tuningSize)).toEqual([
    64, 64, 96, 1024, 1024, 1024, 1536, 4096,
  ])
})
