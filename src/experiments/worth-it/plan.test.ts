import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_QUEUED_MS } from '../sizing'
import { longestOnCpu, longestOnDevice, planRun, timeSizes } from './plan'
import { PLACES, sizedOf } from './variants'
import { forAll, forAllAwaited } from '../../testing/for-all'

describe('the plan of worth-it', () => {
  it('does at least one operation, and never more work in a window than the bounds allow', () => {
    const length = fc.double({ min: 1e-4, max: 250, noNaN: true })
    forAll(length, length, fc.integer({ min: 1, max: 64 }), (cpuMs, deviceMs, uses) => {
      const asked = { sizes: [64], uses, repeats: 5, seconds: 6 }
      const plan = planRun(asked, 3, new Map([[64, cpuMs]]), new Map([[64, deviceMs / uses]]))
      for (const count of plan?.counts.values() ?? [])
        expect(Number.isInteger(count) && count >= 1).toBe(true)
      const queued = plan?.counts.get('resident-64') ?? Number.NaN
      expect(queued * deviceMs).toBeLessThanOrEqual(MAX_QUEUED_MS)
      expect(queued === 1 || queued * uses <= 1024).toBe(true)
    })
  })

  it('lets nothing run that holds the host or the queue for longer than the bound', () => {
    expect([longestOnCpu(1), longestOnCpu(10)]).toEqual([250, 25])
    expect([longestOnDevice(1), longestOnDevice(10)]).toEqual([50, 25])
  })

  describe('times sizes', () => {
    const sizes = fc.uniqueArray(fc.integer({ min: 16, max: 3072 }), { minLength: 1 })

    it('only those that take no longer than the limit, and without overhead all of them', async () => {
      const rates = fc.double({ min: 0.5, max: 1e5, noNaN: true })
      await forAllAwaited()(sizes, rates, fc.constantFrom(0, 1, 5), async (asked, gflops, ms) => {
        const timeOf = (n: number) => ms + (2 * n ** 3) / (gflops * 1e6)
        let longest = 0
        const found = await timeSizes(asked, 50, (n) => {
          longest = Math.max(longest, timeOf(n))
          return Promise.resolve(timeOf(n))
        })
        for (const [n, time] of found) {
          expect(asked).toContain(n)
          expect(time).toBeCloseTo(timeOf(n), 3)
        }
        for (const n of asked) {
          if (timeOf(n) > 50.001) expect(found.has(n)).toBe(false)
          else if (ms === 0 && timeOf(n) < 49.999) expect(found.has(n)).toBe(true)
        }
        expect(longest, 'nothing was tried that takes longer').toBeLessThanOrEqual(50.001)
      })
    })

    it('through powers of two, so that overhead does not make a large size seem too slow', async () => {
      const timeOf = (n: number) => 1 + (2 * n ** 3) / 1e9
      const tried: number[] = []
      const found = await timeSizes([32, 2048], 50, (n) => {
        tried.push(n)
        return Promise.resolve(timeOf(n))
      })
      expect([...found.keys()]).toEqual([32, 2048])
      expect(tried).toEqual([32, 64, 128, 256, 512, 1024, 2048])
    })

    it('nothing more once a clock gives no time', async () => {
      let calls = 0
      const time = () => {
        calls += 1
        return Promise.resolve(Number.NaN)
      }
      expect((await timeSizes([32, 1024], 50, time)).size).toBe(0)
      expect(calls).toBe(1)
    })
  })

  const SIZES = [32, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048]
  const asked = { sizes: SIZES, uses: 1, repeats: 5, seconds: 6 }
  const times = (gflops: number, latencyMs: number, most = Infinity) =>
    new Map(SIZES.filter((n) => n <= most).map((n) => [n, latencyMs + (2 * n ** 3) / (gflops * 1e6)]))
  const sizesIn = (variants: Iterable<string>, place: string) =>
    [...variants]
      .flatMap((variant) => {
        const sized = sizedOf(variant)
        return sized?.place === place ? [sized.n] : []
      })
      .toSorted((a, b) => a - b)

  it('runs every size as often as asked where completion is reported within some ms', () => {
    const plan = planRun(asked, 2.7, times(240, 0.02), times(30_000, 0.01))
    expect(plan).toMatchObject({ repeats: 5, leftOut: [] })
    for (const place of PLACES) expect(sizesIn(plan?.counts.keys() ?? [], place)).toEqual(SIZES)
    expect(plan?.counts.get('round-trip-128')).toBe(4)
  })

  it('runs fewer sizes, once each, where completion is reported every 100 ms: those near the crossing, and the one asked about', () => {
    const plan = planRun(asked, 100, times(25, 0.02, 1536), times(30_000, 0.01))
    if (!plan) throw new Error('sizes fit')
    const trips = sizesIn(plan.counts.keys(), 'round-trip')
    expect(trips).toEqual([128, 1024])
    expect(plan.repeats).toBeGreaterThanOrEqual(2)
    expect(plan.leftOut).toEqual(SIZES.filter((n) => !trips.includes(n)))
    for (const variant of ['round-trip-128', 'round-trip-1024']) expect(plan.counts.get(variant)).toBe(1)
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
    expect(software?.leftOut).toEqual([512, 768, 1024, 1536, 2048])
    expect(sizesIn(software?.counts.keys() ?? [], 'resident')).toEqual([32, 64, 128, 192, 256, 384])
    expect(sizesIn(software?.counts.keys() ?? [], 'cpu')).toContain(1024)
  })
})
