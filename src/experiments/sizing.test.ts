import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundedKernelMs, largestSize, MAX_DISPATCH_MS, MAX_QUEUED_MS, nextSize, roundSize } from './sizing'

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
