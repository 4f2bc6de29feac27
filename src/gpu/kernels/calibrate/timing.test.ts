/**
 * Sizing by a clock that cannot be believed: work must be bounded by the host's then, and no time
 * may be nought.
 */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { USAGE } from '../..'
import { openFakeContext, type FakeOptions } from '../../testing/fake-device'
import { tickKernel } from './tick'
import { kernelCall } from '../kernel'
import { fakeContext, STAMPS, type FakeClock } from '../../testing/fake-context'
import { keepBusy } from './keep-busy'
import { MAX_DISPATCH_MS, timeDispatch, timeEach, type DispatchTiming } from './timing'
import { stubWebGpu } from '../../../experiments/testing/tiny'
import { forAllAwaited } from '../../../testing/for-all'

beforeEach(stubWebGpu)

async function timed(
  options: FakeOptions,
  isRunning = true,
): Promise<{ readonly one: DispatchTiming; readonly each: readonly number[] }> {
  const { context } = openFakeContext(options, isRunning)
  return await context.use(async () => {
    const target = await context.buffer('tick', 16, USAGE.storage)
    const tick = await context.dispatch(kernelCall(tickKernel, {}), [target])
    return { one: await timeDispatch(context, tick, 1), each: await timeEach(context, [tick, tick], 1) }
  })
}

describe('timeDispatch', () => {
  it('takes the time of the device where it has one, over as many dispatches as it looked at', async () => {
    // A pass takes as long with one dispatch as with many here, and is never long enough.
    const { context } = fakeContext({ msOf: () => 0, stamp: () => 0.01 })
    const tick = await context.dispatch(kernelCall(tickKernel, {}), [])
    const one = await timeDispatch(context, tick, 1)
    expect(one).toEqual({ ms: 0.01 / 256, dispatches: 256, by: 'device-clock' })
    expect(await timeEach(context, [tick, tick], 1)).toEqual([0.01 / 256, 0.01 / 256])
  })

  it('takes the time of the host where the clock of the device stands still, and never none', async () => {
    const { one, each } = await timed({ passNs: 0, gapNs: 0 }, false)
    expect(one.by).toBe('host-clock')
    for (const ms of [one.ms, ...each]) expect(ms).toBeGreaterThan(0)
  })

  it('takes the time of the host where there are no timestamps', async () => {
    const { one } = await timed({ timestamps: false, passNs: 1000, gapNs: 0 })
    expect(one.by).toBe('host-clock')
    expect(one.ms).toBeGreaterThan(0)
  })
})

const call = kernelCall(tickKernel, {})
/**
 * Long enough that 256 of them, twice, take longer than a round trip: shorter ones the host's clock
 * cannot tell from none.
 */
const trueTime = fc.double({ min: 0.1, max: MAX_DISPATCH_MS, noNaN: true })

describe('the bound of the host', () => {
  const timedBy = async (ms: number, clock: Omit<FakeClock, 'msOf'>) => {
    const { context, submissions } = fakeContext({ ...clock, msOf: () => ms })
    const dispatch = await context.dispatch(call, [])
    const { ms: found } = await timeDispatch(context, dispatch, 1)
    const [each = 0] = await timeEach(context, [dispatch, dispatch], 1)
    return { found, each, longestMs: Math.max(...submissions.map(({ trueMs }) => trueMs)) }
  }
  const roundTrip = fc.constantFrom(1, 3, 100)

  it('leaves a clock that is right alone', async () => {
    await forAllAwaited()(trueTime, roundTrip, async (ms, roundTripMs) => {
      const { found, each } = await timedBy(ms, { roundTripMs })
      expect(found / ms).toBeCloseTo(1, 6)
      expect(each / ms).toBeCloseTo(1, 6)
    })
  })

  it.each(Object.entries(STAMPS))(
    'no kernel is taken for shorter than it is by stamps that are %s',
    async (_, stamp) => {
      await forAllAwaited()(trueTime, fc.constantFrom(1, 3), async (ms, roundTripMs) => {
        const { found, each, longestMs } = await timedBy(ms, { stamp, roundTripMs })
        // One of each takes no longer than a round trip may: sizing goes on from there, and times
        // again.
        for (const time of ms > 12 ? [found, each] : [found]) {
          expect(time).toBeGreaterThanOrEqual(ms * 0.99)
          // The round trip is in it.
          expect(time).toBeLessThanOrEqual(ms * 1.2 + roundTripMs)
        }
        expect(longestMs).toBeLessThanOrEqual(10 * MAX_DISPATCH_MS)
      })
    },
  )

  it('nor by stamps that are nonsense, by more than the round trip hides', async () => {
    const nonsense = fc.infiniteStream(fc.double({ min: -1e6, max: 1e6, noNaN: true }))
    await forAllAwaited()(
      fc.double({ min: 20, max: MAX_DISPATCH_MS, noNaN: true }),
      nonsense,
      async (ms, stream) => {
        const { found } = await timedBy(ms, { stamp: () => Number(stream.next().value) })
        expect(found).toBeGreaterThanOrEqual(ms * 0.3)
      },
    )
  })
})

describe('keepBusy', () => {
  it('works for about as long as it is told, in submissions that are each over before the next', async () => {
    const { context, submissions } = fakeContext({ msOf: () => 0.5 })
    const dispatch = await context.dispatch(call, [])
    await keepBusy(context, dispatch, 0.5, 10)
    // A round trip of 2 ms is in each.
    expect(submissions.map(({ trueMs }) => trueMs)).toEqual([0.5, 4, 10])
    expect(context.session.tag).toEqual({ repeat: -1, step: -1 })
  })

  it('never queues much more at once than it took, however short a dispatch was foretold to be', async () => {
    const { context, submissions } = fakeContext({ msOf: () => 15 })
    await keepBusy(context, await context.dispatch(call, []), 1e-4)
    expect(Math.max(...submissions.map(({ trueMs }) => trueMs))).toBeLessThanOrEqual(8 * 15)
  })

  it('does nothing on a software adapter, which has no clock of its own', async () => {
    const { context, submissions } = fakeContext({ msOf: () => 0.5, isSoftware: true })
    await keepBusy(context, await context.dispatch(call, []), 0.5)
    expect(submissions).toEqual([])
  })
})
