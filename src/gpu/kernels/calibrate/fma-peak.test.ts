import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FMA_PEAK_MAX_ITERATIONS, fmaPeakFlops, CHAIN_COUNTS, planFmaPeak } from './fma-peak'
import { forAll } from '../../../testing/for-all'

/** From a slow processor to ten times an H200. */
const flopsPerMs = fc.double({ min: 1e5, max: 7e11, noNaN: true })
const targetMs = fc.double({ min: 0.5, max: 20, noNaN: true })

it('plans about the work asked for, on any device', () => {
  forAll(flopsPerMs, targetMs, fc.constantFrom(...CHAIN_COUNTS), (rate, target, chains) => {
    const shape = planFmaPeak(rate, target, chains)
    const least = fmaPeakFlops({ workgroups: 1, iterations: 32, chains })
    // Ten times an H200 for 20 ms is more than one chain can be given: its counters must stay
    // exact.
    const most = fmaPeakFlops({ workgroups: 16384, iterations: FMA_PEAK_MAX_ITERATIONS, chains })
    const share = fmaPeakFlops(shape) / Math.min(most, rate * target)
    // Below one workgroup's least work it can only be exact to a workgroup.
    if (rate * target > 4 * least) expect(Math.abs(share - 1)).toBeLessThan(0.25)
    expect(shape.iterations).toBeLessThanOrEqual(FMA_PEAK_MAX_ITERATIONS)
    expect(shape.workgroups).toBeLessThanOrEqual(16384)
  })
})

it('fills a large device before it lengthens the loop', () => {
  expect(planFmaPeak(6e10, 6, 8).workgroups).toBe(16384)
  expect(planFmaPeak(2e7, 6, 2).iterations).toBeLessThanOrEqual(64)
})
