import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import {
  FMA_PEAK_INVOCATIONS,
  FMA_PEAK_MAX_ITERATIONS,
  fmaPeakFlops,
  fmaPeakValue,
  planFmaPeak,
} from './fma-peak'
import { streamCopyKernel, streamCopyWork } from './stream-copy'
import { forAll } from '../../../testing/for-all'

/** Steps of each chain in one iteration. */
const STEPS = 8

/** The WGSL's thread, step by step, rounded to f32 after each operation. */
function simulate(local: number, iterations: number): number {
  const sums = [0, 0, 0, 0]
  for (let chain = 0; chain < 4 * 8; chain += 1) {
    let value = Math.fround(chain + local)
    for (let step = 0; step < iterations * STEPS; step += 1) value = Math.fround(value * 1 + 1)
    const component = chain % 4
    sums[component] = Math.fround((sums[component] ?? 0) + value)
  }
  return sums.reduce((sum, value) => Math.fround(sum + value), 0)
}

it('knows the result of every FMA chain, exactly', () => {
  forAll(
    fc.integer({ min: 0, max: 10 * FMA_PEAK_INVOCATIONS }),
    fc.integer({ min: 1, max: 60 }),
    (thread, iterations) => {
      expect(fmaPeakValue(thread, iterations)).toBe(simulate(thread % FMA_PEAK_INVOCATIONS, iterations))
    },
  )
})

it('stays exact at its bound: below 2^24, whatever the thread', () => {
  const largest = fmaPeakValue(FMA_PEAK_INVOCATIONS - 1, FMA_PEAK_MAX_ITERATIONS)
  expect(largest).toBeLessThan(2 ** 24)
})

it('counts as many steps as the WGSL calls, and as many threads as it has', () => {
  const text = readFileSync('shaders/calibrate/fma-peak.wgsl', 'utf8')
  expect(text.match(/^ {4}advance\(&chains/gm)).toHaveLength(STEPS)
  expect(text).toContain(`@workgroup_size(${String(FMA_PEAK_INVOCATIONS)})`)
  const one = { workgroups: 3, iterations: 5 }
  expect(fmaPeakFlops(one)).toBe(2 * 4 * 8 * STEPS * 5 * FMA_PEAK_INVOCATIONS * 3)
})

it('counts the bytes of a copy both ways', () => {
  expect(streamCopyWork({ count4: 100, addend: 1 }).bytes).toBe(3200)
  expect(streamCopyKernel.workgroups({ count4: 2 ** 24, addend: 1 })).toEqual([4096, 1, 1])
  expect(streamCopyKernel.workgroups({ count4: 257, addend: 1 })).toEqual([2, 1, 1])
})

/** From a slow processor to ten times an H200. */
const flopsPerMs = fc.double({ min: 1e5, max: 7e11, noNaN: true })
const targetMs = fc.double({ min: 0.5, max: 20, noNaN: true })

it('plans about the work asked for, on any device', () => {
  forAll(flopsPerMs, targetMs, (rate, target) => {
    const shape = planFmaPeak(rate, target)
    const least = fmaPeakFlops({ workgroups: 1, iterations: 32 })
    // Counters must stay exact.
    const most = fmaPeakFlops({ workgroups: 16384, iterations: FMA_PEAK_MAX_ITERATIONS })
    const share = fmaPeakFlops(shape) / Math.min(most, rate * target)
    // Below one workgroup's least work it can only be exact to a workgroup.
    if (rate * target > 4 * least) expect(Math.abs(share - 1)).toBeLessThan(0.25)
    expect(shape.iterations).toBeLessThanOrEqual(FMA_PEAK_MAX_ITERATIONS)
    expect(shape.workgroups).toBeLessThanOrEqual(16384)
  })
})

it('fills a large device before it lengthens the loop', () => {
  expect(planFmaPeak(6e10, 6).workgroups).toBe(16384)
  expect(planFmaPeak(2e7, 6).iterations).toBeLessThanOrEqual(64)
})
