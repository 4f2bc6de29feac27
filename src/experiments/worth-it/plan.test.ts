import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_QUEUED_MS } from '../sizing'
import {
  fitsCpu,
  fitsDevice,
  foretell,
  MAX_OPERATION_MS,
  operationsFor,
  readCounts,
  stepsTo,
  writeCounts,
} from './plan'
import { parseVariant, PLACES, sizedVariant } from './variants'

const milliseconds = fc.double({ min: 0, max: 1000, noNaN: true })
const uses = fc.integer({ min: 1, max: 64 })

describe('the plan of worth-it', () => {
  it('does at least one operation, and never more work in a window than the bounds allow', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLACES), milliseconds, uses, (place, ms, times) => {
        const count = operationsFor(place, ms, times)
        expect(Number.isInteger(count) && count >= 1).toBe(true)
        const fits = place === 'cpu' ? fitsCpu(ms, times) : fitsDevice(ms, times)
        if (!fits) return
        expect(ms * times * count).toBeLessThanOrEqual(MAX_QUEUED_MS)
        if (place === 'resident') expect(count * times).toBeLessThanOrEqual(1024)
      }),
    )
  })

  it('lets nothing run that holds the host or the queue for longer than the bound', () => {
    expect(fitsCpu(MAX_OPERATION_MS, 1)).toBe(true)
    expect(fitsCpu(MAX_OPERATION_MS, 2)).toBe(false)
    expect(fitsDevice(51, 1)).toBe(false)
    expect(fitsDevice(20, 16)).toBe(false)
    expect(foretell(1, 100, 200)).toBe(8)
  })

  it('goes up to the sizes asked for in steps of at most twice, and through each of them', () => {
    expect(stepsTo([32, 128, 256])).toEqual([32, 64, 128, 256])
    expect(stepsTo([3072])).toEqual([64, 128, 256, 512, 1024, 2048, 3072])
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 16, max: 4096 }), { minLength: 1 }), (sizes) => {
        const steps = stepsTo(sizes)
        for (const n of sizes) expect(steps).toContain(n)
        expect(steps[0]).toBeLessThanOrEqual(Math.max(64, Math.min(...sizes)))
        for (const [index, n] of steps.entries()) {
          const before = steps[index - 1] ?? n / 2
          expect(n > before && n <= 2 * before).toBe(true)
        }
      }),
    )
  })

  it('keeps the counts as text', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('cpu-64', 'latency', 'round-trip-1024'),
          fc.integer({ min: 1, max: 999 }),
        ),
        (counts) => {
          const map = new Map(Object.entries(counts))
          expect(readCounts(writeCounts(map))).toEqual(map)
        },
      ),
    )
    expect(readCounts('').size).toBe(0)
    expect(readCounts('cpu-64=0 x').size).toBe(0)
  })

  it('names variants so that they can be read again', () => {
    for (const place of PLACES) expect(parseVariant(sizedVariant(place, 96))).toEqual({ place, n: 96 })
    for (const other of ['latency', 'upload', 'cpu-', 'cpu-x', 'round-trip'])
      expect(parseVariant(other)).toBeNull()
  })
})
