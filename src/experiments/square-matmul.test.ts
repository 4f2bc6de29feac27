/**
 * Sizing on a device that multiplies at a rate of its own, by clocks that are right and by clocks
 * that cannot be believed.
 */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { findMatmul } from '../gpu/kernels/catalog'
import { fakeContext, STAMPS, type FakeClock } from '../gpu/testing/fake-context'
import { MAX_DISPATCH_MS } from '../gpu/kernels/calibrate/timing'
import { wholeTiles } from './sizing'
import { sizeSquare, type SquareOptions } from './square-matmul'
import { stubWebGpu } from './testing/tiny'
import { forAllAwaited } from '../testing/for-all'

beforeEach(stubWebGpu)

/** A matmul is told by its uniforms, m, n and k first; other kernels take no time. */
const flopsOf = ({ label, uniforms }: Parameters<FakeClock['msOf']>[0]): number => {
  if (!label.startsWith('matmul/')) return 0
  const [m = 0, n = 0, k = 0] = new Uint32Array(uniforms)
  return 2 * m * n * k
}
const SLOWER: Readonly<Record<string, number>> = { naive: 40, vectorised: 1 }
const slowerOf = (label: string): number => SLOWER[label.replace('matmul/', '')] ?? 1

async function size(
  ids: readonly string[],
  gflops: number,
  options: Partial<SquareOptions> & Pick<SquareOptions, 'targetMs'>,
  clock: Omit<FakeClock, 'msOf'> = {},
) {
  const msOf: FakeClock['msOf'] = (call) => (flopsOf(call) * slowerOf(call.label)) / (gflops * 1e6)
  const { context, submissions } = fakeContext({ ...clock, msOf })
  const square = await sizeSquare(
    context,
    ids.map((id) => findMatmul(id, context.device)),
    { deviceStepNs: 1, ...options },
  )
  const trueMs = (2 * square.n ** 3 * Math.max(...ids.map(slowerOf))) / (gflops * 1e6)
  return { square, trueMs, submissions }
}
/** Rates reach from SwiftShader to ten times an H200. */
const rate = fc.double({ min: 5, max: 3e5, noNaN: true })
const target = fc.double({ min: 0.3, max: 30, noNaN: true })

describe('the size of a matmul', () => {
  it('takes about the time asked for, on any device', async () => {
    await forAllAwaited()(rate, target, fc.boolean(), async (gflops, targetMs, isKnown) => {
      const { square, trueMs } = await size(['vectorised'], gflops, {
        targetMs,
        matmulGflops: isKnown ? gflops : null,
      })
      // Below 128 a grain of sizes is as much as a third of the time; limits bound the size.
      const near = square.n < 128 ? 2 : 1.35
      expect(trueMs / targetMs).toBeLessThan(near)
      if (square.n < 5000) expect(trueMs / targetMs).toBeGreaterThan(1 / near)
      expect(square.rungs[0]?.ms).toBeCloseTo(trueMs, 6)
    })
  })

  it.each(Object.entries(STAMPS))('is bounded by the host where stamps are %s', async (_, stamp) => {
    await forAllAwaited(40)(rate, target, async (gflops, targetMs) => {
      const { trueMs, submissions } = await size(
        ['naive', 'vectorised'],
        gflops,
        { targetMs, matmulGflops: gflops },
        { stamp },
      )
      // The host sees a kernel and a round trip: never the time of more than was asked for.
      expect(trueMs).toBeLessThan(targetMs * 2)
      const longest = Math.max(...submissions.map((submission) => submission.trueMs))
      expect(longest).toBeLessThanOrEqual(10 * MAX_DISPATCH_MS)
    })
  })

  it('is one for all kernels, which the slowest decides, in whole tiles', async () => {
    const { square, trueMs } = await size(['naive', 'vectorised'], 34_000, {
      targetMs: 30,
      maxSize: 4096,
      round: wholeTiles,
      closeEnough: 0.25,
    })
    expect(square.n).toBe(wholeTiles(square.n))
    expect(trueMs).toBeGreaterThan(8)
    expect(trueMs).toBeLessThan(38)
    expect(square.rungs.map(({ kernel }) => kernel.id)).toEqual(['naive', 'vectorised'])
    expect((square.rungs[0]?.ms ?? 0) / (square.rungs[1]?.ms ?? 1)).toBeCloseTo(40, 3)
  })

  it('is what was asked for, unless that would take too long: then it is never dispatched', async () => {
    const asked = { targetMs: 1, fixedSize: 1000 }
    expect((await size(['vectorised'], 1000, asked)).square.n).toBe(1000)
    const { context, submissions } = fakeContext({ msOf: (call) => flopsOf(call) / 5e6 })
    const refused = sizeSquare(context, [findMatmul('vectorised', context.device)], {
      ...asked,
      deviceStepNs: 1,
    })
    await expect(refused).rejects.toMatchObject({
      fault: { code: 'limit', data: { size: 1000, foretoldMs: expect.closeTo(400, 0) as number } },
    })
    expect(Math.max(...submissions.map(({ trueMs }) => trueMs))).toBeLessThan(4 * MAX_DISPATCH_MS)
  })

  it('is what was asked for also where the machine was paused when a smaller size was timed', async () => {
    let timed = 0
    const { context } = fakeContext({
      isSoftware: true,
      msOf: (call) => {
        if (call.label.startsWith('matmul')) timed += 1
        return timed > 0 && timed <= 4 ? 21 : flopsOf(call) / 5e6
      },
    })
    const kernels = [findMatmul('vectorised', context.device)]
    const { n } = await sizeSquare(context, kernels, { targetMs: 1, fixedSize: 100, deviceStepNs: 1 })
    expect(n).toBe(100)
    expect(timed).toBeGreaterThan(4)
  })
})

describe('the clock of a GPU', () => {
  /** Slow until the device has been busy for 60 ms. */
  const cool = (isSoftware: boolean) => {
    let busyMs = 0
    const { context, submissions } = fakeContext({
      isSoftware,
      msOf: (call) => {
        const ms = flopsOf(call) / (busyMs >= 60 ? 34e9 : 12e9)
        busyMs += ms
        return ms
      },
    })
    return { context, submissions }
  }

  it('is up before a size is settled: it is not the size of a cool one', async () => {
    const { context } = cool(false)
    const { n } = await sizeSquare(context, [findMatmul('vectorised', context.device)], {
      targetMs: 0.3,
      deviceStepNs: 1,
    })
    expect((2 * n ** 3) / 34e9 / 0.3).toBeGreaterThan(0.85)
    expect((2 * n ** 3) / 34e9 / 0.3).toBeLessThan(1.2)
  })

  it('is nothing that a software adapter is kept busy for', async () => {
    const { context, submissions } = cool(true)
    await sizeSquare(context, [findMatmul('vectorised', context.device)], { targetMs: 0.3, deviceStepNs: 1 })
    expect(submissions.filter(({ label }) => label === 'ramp')).toEqual([])
  })
})
