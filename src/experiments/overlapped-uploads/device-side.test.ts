/** The matmul on a batch, planned on devices of any rate, by clocks that are right and by clocks that cannot be believed. */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { findMatmul } from '../../gpu/kernels/catalog'
import { fakeContext, STAMPS, type FakeClock } from '../../gpu/testing/fake-context'
import { stubWebGpu } from '../testing/tiny'
import { prepareWork } from './device-side'
import { candidateSizes } from './sizes'
import { forAllAwaited } from '../../testing/for-all'

beforeEach(stubWebGpu)

/** So many entries of C fill a device of this rate, 15 tiles of 128 × 128 one of 30 TFLOP/s: fewer take as long. */
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
  const n = Math.cbrt((targetMs * gflops * 1e6) / 2)
  const sizeBytes = 2 ** log2Bytes
  const s = candidateSizes(sizeBytes).findLast((size) => size <= Math.max(64, n)) ?? 64
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
      // A device that a small batch does not fill takes as long for less; 64 dispatches are the most.
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
