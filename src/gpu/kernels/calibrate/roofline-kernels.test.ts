import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { FMA_PEAK_INVOCATIONS, FMA_PEAK_MAX_ITERATIONS, fmaPeakFlops, fmaPeakValue } from './fma-peak'
import { streamCopyKernel, streamCopyWork } from './stream-copy'
import { forAll } from '../../../testing/for-all'

/** Steps of each chain in one iteration. */
const STEPS = 8

/** The WGSL's thread, step by step, rounded to f32 after each operation. */
function simulate(local: number, iterations: number, chains: number): number {
  const sums = [0, 0, 0, 0]
  for (let chain = 0; chain < 4 * chains; chain += 1) {
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
    fc.integer({ min: 1, max: 8 }),
    (thread, iterations, chains) => {
      expect(fmaPeakValue(thread, { iterations, chains })).toBe(
        simulate(thread % FMA_PEAK_INVOCATIONS, iterations, chains),
      )
    },
  )
})

it('stays exact at its bound: below 2^24, whatever the thread', () => {
  const largest = fmaPeakValue(FMA_PEAK_INVOCATIONS - 1, { iterations: FMA_PEAK_MAX_ITERATIONS, chains: 8 })
  expect(largest).toBeLessThan(2 ** 24)
})

it('counts as many steps as the WGSL calls, and as many threads as it has', () => {
  const text = readFileSync('shaders/calibrate/fma-peak.wgsl', 'utf8')
  expect(text.match(/^ {4}advance\(&chains/gm)).toHaveLength(STEPS)
  expect(text).toContain(`@workgroup_size(${String(FMA_PEAK_INVOCATIONS)})`)
  const one = { workgroups: 3, iterations: 5, chains: 7 }
  expect(fmaPeakFlops(one)).toBe(2 * 4 * 7 * STEPS * 5 * FMA_PEAK_INVOCATIONS * 3)
})

it('counts the bytes of a copy both ways', () => {
  expect(streamCopyWork({ count4: 100, addend: 1 }).bytes).toBe(3200)
  expect(streamCopyKernel.workgroups({ count4: 2 ** 24, addend: 1 })).toEqual([4096, 1, 1])
  expect(streamCopyKernel.workgroups({ count4: 257, addend: 1 })).toEqual([2, 1, 1])
})
