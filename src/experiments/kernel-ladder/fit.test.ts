import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_QUEUED_MS } from '../sizing'
import { dispatchesPerPass, fitLadder, roundMs } from './fit'
import { forAll } from '../../testing/for-all'

const rung = fc.record({
  ms: fc.double({ min: 0.01, max: 50, noNaN: true }),
  times: fc.integer({ min: 1, max: 4 }),
})
const costs = fc.record({
  rooflineMs: fc.double({ min: 1, max: 10, noNaN: true }),
  transfersMs: fc.option(fc.double({ min: 0.5, max: 100, noNaN: true })),
  roundTripMs: fc.double({ min: 0.5, max: 100, noNaN: true }),
})
const asked = fc.record({ steps: fc.integer({ min: 1, max: 32 }), repeats: fc.integer({ min: 1, max: 15 }) })

it('never runs more than was asked for, nor queues too much', () => {
  forAll(asked, fc.array(rung, { minLength: 1, maxLength: 6 }), costs, (wanted, rungs, cost) => {
    const { steps, repeats } = fitLadder({ ...wanted, seconds: 5 }, rungs, cost)
    expect(steps).toBeGreaterThanOrEqual(1)
    expect(steps).toBeLessThanOrEqual(wanted.steps)
    expect(repeats).toBeLessThanOrEqual(wanted.repeats)
    expect(repeats).toBeGreaterThanOrEqual(Math.min(2, wanted.repeats))
    for (const { ms, times } of rungs)
      if (steps > 1) expect(steps * ms * times).toBeLessThanOrEqual(MAX_QUEUED_MS)
    const isLeast = steps === 1 && repeats <= 2
    if (!isLeast) expect((repeats + 1) * roundMs(rungs, steps, cost)).toBeLessThanOrEqual(5000)
  })
})

it('runs all that was asked for on a GPU', () => {
  const ladder = [30, 10, 4, 1.2, 1, 0.8].map((ms) => ({ ms, times: 1 }))
  const wanted = { steps: 3, repeats: 5 }
  const gpu = { rooflineMs: 6, transfersMs: 14, roundTripMs: 3 }
  expect(fitLadder({ ...wanted, seconds: 5 }, ladder, gpu)).toEqual(wanted)
})

it('makes a pass long enough for the clock at hand', () => {
  expect(dispatchesPerPass(2, 32)).toBe(1)
  expect(dispatchesPerPass(0.1, 32)).toBe(5)
  expect(dispatchesPerPass(0.1, 65_536)).toBe(14)
  expect(dispatchesPerPass(4, null)).toBe(5)
  expect(dispatchesPerPass(0, 32)).toBe(64)
})
