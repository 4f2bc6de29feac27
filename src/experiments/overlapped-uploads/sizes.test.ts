import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DISPATCH_MS, MAX_QUEUED_MS } from '../sizing'
import { candidateSizes, nextBatchBytes, planCompute, targetUploadMs, windowMs } from './sizes'
import { forAll } from '../../testing/for-all'

const milliseconds = fc.double({ min: 0.001, max: 1000, noNaN: true })

describe('overlapped-uploads sizes', () => {
  it('doubles the batch until an upload is long enough or the bound is met', () => {
    expect(nextBatchBytes(2 ** 20, 1, 6)).toBe(2 ** 21)
    expect(nextBatchBytes(2 ** 20, 100, 6)).toBeNull()
    expect(nextBatchBytes(2 ** 26, 0.1, 6)).toBeNull()
  })

  it('asks for shorter uploads where computing in proportion would queue too much', () => {
    expect(targetUploadMs(1.5, 16)).toBe(6)
    forAll(
      fc.double({ min: 0.25, max: 4, noNaN: true }),
      fc.integer({ min: 2, max: 128 }),
      (balance, steps) => {
        const computeMs = targetUploadMs(balance, steps) * balance
        expect(computeMs).toBeLessThanOrEqual(MAX_DISPATCH_MS)
        expect(computeMs * steps).toBeLessThanOrEqual(MAX_QUEUED_MS)
      },
    )
  })

  it('plans rows that lie inside the batch, and work near the target', () => {
    forAll(fc.integer({ min: 18, max: 26 }), milliseconds, milliseconds, (log2, cubeMs, targetMs) => {
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
    })
  })

  it('foretells windows: of what was recorded on an H200 within a third', () => {
    const times = { uploadMs: 4.2, computeMs: 6.5, roundTripMs: 3 }
    const recorded = {
      'compute-only': 6.5,
      'upload-only': 4.2,
      serial: 13.1,
      'ring-1': 12.4,
      'ring-2': 7.1,
      'ring-3': 6.9,
    }
    for (const [variant, stepMs] of Object.entries(recorded))
      expect(Math.abs(windowMs(variant, 16, times) / (16 * stepMs) - 1), variant).toBeLessThan(0.33)
  })

  it('foretells that each await takes a whole period where completion is reported every 100 ms', () => {
    const times = { uploadMs: 33, computeMs: 28, roundTripMs: 100 }
    expect(windowMs('serial', 8, times)).toBe(1600)
    expect(windowMs('ring-2', 8, times)).toBe(500)
  })
})
