/**
 * Sizes, and the matmul on a batch, planned on devices of any rate, by clocks that are right and by
 * clocks that cannot be believed.
 */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { findMatmul } from '../../gpu/kernels/catalog'
import { fakeContext, STAMPS, type FakeClock } from '../../gpu/testing/fake-context'
import { stubWebGpu } from '../testing/tiny'
import {
  prepareWork,
  largestWeights,
  nextBatchBytes,
  planCompute,
  targetUploadMs,
  windowMs,
} from './device-side'
import { forAllAwaited, forAll } from '../../testing/for-all'
import { MAX_DISPATCH_MS, MAX_QUEUED_MS } from '../sizing'

beforeEach(stubWebGpu)

/**
 * So many entries of C fill a device of this rate, 15 tiles of 128 × 128 one of 30 TFLOP/s: fewer
 * take as long.
 */
const filledBy = (gflops: number): number => Math.max(1024, 8 * gflops)
const timeAt =
  (gflops: number): FakeClock['msOf'] =>
  ({ label, uniforms }) => {
    if (!label.startsWith('matmul/')) return 0
    const [m = 0, n = 0, k = 0] = new Uint32Array(uniforms)
    return (2 * Math.max(m * n, filledBy(gflops)) * k) / (gflops * 1e6)
  }

async function plan(gflops: number, log2Bytes: number, targetMs: number, stamp?: FakeClock['stamp']) {
  const msOf = timeAt(gflops)
  const { context, submissions } = fakeContext({ msOf, ...(stamp ? { stamp } : {}) })
  const sizeBytes = 2 ** log2Bytes
  const s = largestWeights(sizeBytes, targetMs, gflops)
  const batch = await context.buffer('batch', sizeBytes, 0)
  const options = { kernel: findMatmul('vectorised', context.device), s, targetMs, batch, deviceStepNs: 1 }
  const work = await prepareWork(context, options)
  const { rows, dispatches, s: columns } = work.plan
  const trueMs = (dispatches * 2 * Math.max(rows * columns, filledBy(gflops)) * columns) / (gflops * 1e6)
  const longestMs = Math.max(...submissions.map((submission) => submission.trueMs))
  return { work, trueMs, longestMs, sizeBytes }
}
const rate = fc.double({ min: 5, max: 3e4, noNaN: true })
const bytes = fc.integer({ min: 18, max: 26 })
const target = fc.double({ min: 1, max: 28, noNaN: true })

describe('the matmul on a batch', () => {
  it('takes about the time asked for, in rows that lie in the batch', async () => {
    await forAllAwaited()(rate, bytes, target, async (gflops, log2Bytes, targetMs) => {
      const { work, trueMs, sizeBytes } = await plan(gflops, log2Bytes, targetMs)
      const { rows, dispatches, s } = work.plan
      expect(rows * s * 4).toBeLessThanOrEqual(sizeBytes)
      // A device that a small batch does not fill takes as long for less; 64 dispatches are the
      // most.
      const isFilled = rows * s >= filledBy(gflops) && dispatches < 64
      if (isFilled) {
        expect(trueMs / targetMs).toBeGreaterThan(0.5)
        expect(trueMs / targetMs).toBeLessThan(1.8)
        expect(work.computeMs / trueMs).toBeCloseTo(1, 1)
      }
      expect(trueMs).toBeLessThan(3 * targetMs)
    })
  })

  it.each(Object.entries(STAMPS))('is bounded by the host where stamps are %s', async (_, stamp) => {
    await forAllAwaited(40)(rate, bytes, target, async (gflops, log2Bytes, targetMs) => {
      const { trueMs, longestMs } = await plan(gflops, log2Bytes, targetMs, stamp)
      expect(trueMs).toBeLessThan(3 * targetMs)
      expect(longestMs).toBeLessThan(500)
    })
  })
})

const milliseconds = fc.double({ min: 0.001, max: 1000, noNaN: true })

describe('sizes of batches and products', () => {
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
      for (let s = 64; s * s * 4 <= batchBytes; s *= 2) {
        const plan = planCompute(s, cubeMs, targetMs, batchBytes)
        expect(plan.rows * s * 4).toBeLessThanOrEqual(batchBytes)
        expect(plan.rows).toBeGreaterThanOrEqual(1)
        const ms = (plan.rows * plan.dispatches * cubeMs) / s
        // Rounding to whole tiles: below one tile of rows it cannot come nearer; above 64
        // dispatches it stops.
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
