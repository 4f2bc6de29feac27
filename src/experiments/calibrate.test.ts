/** Sizing by a clock that cannot be believed: work must be bounded by the host's then, and no time may be nought. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RunContext, USAGE } from '../engine'
import { fakeLabDevice, followHostClock, type FakeOptions } from '../engine/testing/fake-device'
import { tickKernel } from '../kernels/calibrate/tick'
import { kernelCall } from '../kernels/kernel'
import type { RunInfo } from '../trace/schema'
import { timeDispatch, timeEach, type DispatchTiming } from './calibrate'
import { stubWebGpu } from './testing/tiny'

const INFO: RunInfo = {
  experiment: 'test',
  params: {},
  derived: {},
  adapter: { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false },
  userAgent: '',
  crossOriginIsolated: true,
  startedAt: '',
  origin: 'live',
}

beforeEach(stubWebGpu)
afterEach(() => {
  vi.unstubAllGlobals()
})

async function timed(
  options: FakeOptions,
  isRunning = true,
): Promise<{ readonly one: DispatchTiming; readonly each: readonly number[] }> {
  const { device, fake } = fakeLabDevice(options)
  if (isRunning) followHostClock(fake)
  const context = RunContext.open(device, { record: true, hostStepUs: 5, deviceStepNs: 1, info: INFO })
  return await context.use(async () => {
    const target = await context.buffer('tick', 16, USAGE.storage)
    const tick = await context.dispatch(kernelCall(tickKernel, {}), [target])
    return { one: await timeDispatch(context, tick, 1), each: await timeEach(context, [tick, tick], 1) }
  })
}

describe('timeDispatch', () => {
  it('takes the time of the device where it has one, over as many dispatches as it looked at', async () => {
    // A pass takes as long with one dispatch as with many here, and is never long enough.
    const { one, each } = await timed({ passTicks: 10_000, gapTicks: 1000 })
    expect(one).toEqual({ ms: 0.01 / 256, dispatches: 256, by: 'device-clock' })
    expect(each).toEqual([0.01, 0.01])
  })

  it('takes the time of the host where the clock of the device stands still, and never none', async () => {
    const { one, each } = await timed({ passTicks: 0, gapTicks: 0 }, false)
    expect(one.by).toBe('host-clock')
    for (const ms of [one.ms, ...each]) expect(ms).toBeGreaterThan(0)
  })

  it('takes the time of the host where there are no timestamps', async () => {
    const { one } = await timed({ timestamps: false, passTicks: 1000, gapTicks: 0 })
    expect(one.by).toBe('host-clock')
    expect(one.ms).toBeGreaterThan(0)
  })
})
