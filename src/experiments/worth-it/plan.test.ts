import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_QUEUED_MS } from '../sizing'
import { fitsCpu, fitsDevice, foretell, MAX_OPERATION_MS, operationsFor, planRun, stepsTo } from './plan'
import { parseVariant, PLACES, readCounts, sizedVariant, writeCounts } from './variants'

const milliseconds = fc.double({ min: 0, max: 1000, noNaN: true })
const uses = fc.integer({ min: 1, max: 64 })

describe('the plan of worth-it', () => {
  it('does at least one operation, and never more work in a window than the bounds allow', () => {
    const sizes = fc.integer({ min: 16, max: 3072 })
    const roundTrips = fc.double({ min: 0.05, max: 150, noNaN: true })
    fc.assert(
      fc.property(
        fc.constantFrom(...PLACES),
        sizes,
        milliseconds,
        uses,
        roundTrips,
        (place, n, ms, times, trip) => {
          const count = operationsFor(place, n, ms, { uses: times, roundTripMs: trip })
          expect(Number.isInteger(count) && count >= 1).toBe(true)
          const fits = place === 'cpu' ? fitsCpu(ms, times) : fitsDevice(ms, times)
          if (!fits) return
          expect(ms * times * count).toBeLessThanOrEqual(MAX_QUEUED_MS)
          if (place === 'resident') expect(count * times).toBeLessThanOrEqual(1024)
        },
      ),
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

  const SIZES = [32, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048]
  const asked = { sizes: SIZES.map(String), uses: 1, repeats: 5, seconds: 6 }
  const times = (gflops: number, latencyMs: number, most = Infinity) =>
    new Map(SIZES.filter((n) => n <= most).map((n) => [n, latencyMs + (2 * n ** 3) / (gflops * 1e6)]))
  const sizesIn = (variants: Iterable<string>, place: string) =>
    [...variants].flatMap((variant) => {
      const sized = parseVariant(variant)
      return sized?.place === place ? [sized.n] : []
    })

  it('runs every size as often as asked where completion is reported within some ms', () => {
    const plan = planRun(asked, 2.7, times(240, 0.02), times(30_000, 0.01))
    expect(plan).toMatchObject({ repeats: 5, tooSlow: [], skipped: [] })
    for (const place of PLACES) expect(sizesIn(plan?.counts.keys() ?? [], place)).toEqual(SIZES)
    expect(plan?.counts.get('round-trip-128')).toBe(4)
    expect([...(plan?.counts.keys() ?? [])].slice(-3)).toEqual(['upload', 'readback', 'latency'])
  })

  it('runs fewer sizes, once each, where completion is reported every 100 ms: those near the crossing, and the one asked about', () => {
    const plan = planRun(asked, 100, times(25, 0.02, 1536), times(30_000, 0.01))
    if (!plan) throw new Error('sizes fit')
    const trips = sizesIn(plan.counts.keys(), 'round-trip')
    expect(trips).toEqual([128, 1024])
    expect(plan.repeats).toBeGreaterThanOrEqual(2)
    expect(plan.skipped).toEqual([32, 64, 192, 256, 384, 512, 768, 1536, 2048])
    expect(plan.tooSlow).toEqual([2048])
    for (const variant of ['round-trip-128', 'round-trip-1024', 'upload', 'readback', 'latency'])
      expect(plan.counts.get(variant)).toBe(1)
    // Each awaited trip, and two more of each variant on the device, over all rounds.
    const devices = [...plan.counts].filter(([variant]) => !variant.startsWith('cpu'))
    const awaited = devices.reduce(
      (sum, [variant, count]) => sum + (variant.startsWith('resident') ? 1 : count) + 1.5,
      0,
    )
    expect(awaited * 100 * (plan.repeats + 1)).toBeLessThanOrEqual(1.25 * asked.seconds * 1e3)
  })

  it('needs a size that both can run', () => {
    expect(planRun(asked, 1, times(25, 0), new Map())).toBeNull()
    const software = planRun(asked, 1, times(25, 0, 1536), times(5, 0, 384))
    expect(software?.tooSlow).toEqual([512, 768, 1024, 1536, 2048])
    expect(sizesIn(software?.counts.keys() ?? [], 'resident')).toEqual([32, 64, 128, 192, 256, 384])
    expect(sizesIn(software?.counts.keys() ?? [], 'cpu')).toContain(1024)
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
