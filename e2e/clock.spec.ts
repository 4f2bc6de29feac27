/**
 * Ground truth for the clock fit. SwiftShader's timestamps are CLOCK_MONOTONIC nanoseconds, and
 * NavigationStart of the DevTools protocol is the page's time origin in seconds of that same clock:
 * so where each device edge truly was on the host's clock is known exactly, and the fitted band
 * must hold it. WebGPU offers no such relation; only a test may use it.
 */
/* oxlint-disable typescript/unbound-method -- methods are taken from prototypes to be wrapped, and called with their this */
import { NS_PER_MS } from '../src/base/figures'
import { hostBand } from '../src/trace/clock'
import { placeTrace } from '../src/trace/place'
import type { ClockSnapshot, Trace } from '../src/trace/schema'
import { expect, test } from './fixtures'
import type { LabPage } from './lab'
import { prefixWorker } from './worker-prefix'

/**
 * Chrome offers the software adapter only with --enable-unsafe-webgpu, and that flag turns an
 * ordinary visitor's quantization off for good (Chromium 156). So the worker's script does what
 * Dawn's resolve does to each timestamp: the low 16 bits are cleared.
 */
const QUANTUM_NS = 65_536

/**
 * Runs in the worker, before its own script. Follows the timestamps: query set → resolve buffer →
 * copies of it → mapped range.
 */
function installQuantization(): void {
  const holdTimestamps = new WeakSet<GPUBuffer>()
  const { resolveQuerySet, copyBufferToBuffer } = GPUCommandEncoder.prototype
  const { getMappedRange } = GPUBuffer.prototype
  GPUCommandEncoder.prototype.resolveQuerySet = function (querySet, first, count, destination, offset) {
    holdTimestamps.add(destination)
    resolveQuerySet.call(this, querySet, first, count, destination, offset)
  }
  GPUCommandEncoder.prototype.copyBufferToBuffer = function (this: GPUCommandEncoder, ...args: unknown[]) {
    const [source, second, third] = args
    const destination = second instanceof GPUBuffer ? second : third
    if (source instanceof GPUBuffer && destination instanceof GPUBuffer && holdTimestamps.has(source)) {
      holdTimestamps.add(destination)
    }
    Reflect.apply(copyBufferToBuffer, this, args)
  }
  GPUBuffer.prototype.getMappedRange = function (offset, size) {
    const range = getMappedRange.call(this, offset, size)
    if (holdTimestamps.has(this)) {
      const timestamps = new BigUint64Array(range)
      for (const [index, timestamp] of timestamps.entries()) timestamps[index] = timestamp & ~0xffffn
    }
    return range
  }
}

/** ns of the trace's host clock at which a device tick truly was. */
type TrueHostNs = (tick: number) => number

async function groundTruth({ page }: LabPage, trace: Trace, deviceClock: number): Promise<TrueHostNs> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  const navigationStartS = metrics.find(({ name }) => name === 'NavigationStart')?.value
  if (navigationStartS === undefined) throw new Error('The browser gives no NavigationStart.')
  const pageOriginMs = await page.evaluate(() => performance.timeOrigin)
  const host = trace.clocks.find(({ kind }) => kind === 'host')
  const device = trace.clocks[deviceClock]
  if (!host || !device) throw new Error('The trace lacks a clock.')
  // The run's clock is the worker's: its zero lies this long after the page's time origin (both are
  // Unix times of one process).
  const traceZeroMs = host.originMs - pageOriginMs
  // As integers: a raw timestamp has more digits than a double.
  const originNs = BigInt(device.originTick) - BigInt(Math.round(navigationStartS * 1e9))
  return (tick) => Number(originNs) + tick - traceZeroMs * NS_PER_MS
}

/**
 * What a clock's own coarseness may add: a step of the device's, three of the host's (page origin,
 * worker origin, trace origin).
 */
const slackNs = (trace: Trace, deviceClock: number): number => {
  const host = trace.clocks.find(({ kind }) => kind === 'host')
  return (trace.clocks[deviceClock]?.stepNs ?? 0) + 3 * (host?.stepNs ?? 0)
}

/**
 * How far a bracket leaves the clock free: what it lasted on the host, less what the device worked
 * in it.
 */
const freedomNs = ({ hostBeforeNs, hostAfterNs, beginTick, endTick }: ClockSnapshot): number =>
  hostAfterNs - hostBeforeNs - (endTick - beginTick)

for (const experiment of ['async-submission', 'overlapped-uploads']) {
  test(`${experiment}: the band holds the true clock at every device edge`, async ({ lab }) => {
    const isQuantized = test.info().project.name === 'quantized'
    if (isQuantized) await prefixWorker(lab.page, installQuantization)
    await lab.openRun(experiment)
    const outcome = await lab.runBare(experiment)
    expect(outcome).toMatchObject({ status: 'done', report: { clock: { state: 'fitted' } } })
    const { trace } = await lab.savedRun()
    const placed = placeTrace(trace)
    const deviceClock = trace.clocks.findIndex(({ kind }) => kind === 'device')
    const fit = placed.fits[deviceClock]
    if (!fit) throw new Error('The device clock has no fit.')
    const trueHostNs = await groundTruth(lab, trace, deviceClock)
    const slack = slackNs(trace, deviceClock)
    const { spans, lanes } = trace

    const edges: {
      readonly tick: number
      readonly low: number
      readonly high: number
      readonly truth: number
    }[] = []
    for (let span = 0; span < spans.length; span += 1) {
      const lane = lanes.find(({ id }) => id === spans.lane[span])
      if (lane?.clock !== deviceClock) continue
      for (const tick of [spans.start[span], spans.end[span]]) {
        if (tick === undefined) continue
        const [low, high] = hostBand(fit, tick)
        edges.push({ tick, low, high, truth: trueHostNs(tick) })
      }
    }
    expect(edges.length).toBeGreaterThan(10)
    const outside = edges.filter(({ low, high, truth }) => truth < low - slack || truth > high + slack)
    expect(outside).toEqual([])

    await test.step('the band is no wider than its best bracket allows, so that holding the truth means something', () => {
      const own = trace.snapshots.filter(({ clock }) => clock === deviceClock)
      expect(own.length).toBeGreaterThan(0)
      for (const snapshot of own) {
        const [low, high] = hostBand(fit, snapshot.beginTick)
        expect(high - low).toBeLessThanOrEqual(freedomNs(snapshot) + 4 * slack)
      }
    })

    await test.step('a clock that is off by the width of the band is outside it', () => {
      const widest = Math.max(...edges.map(({ low, high }) => high - low))
      const shifted = edges.filter(({ low, high, truth }) => {
        const wrong = truth + widest + 2 * slack + 1
        return wrong < low - slack || wrong > high + slack
      })
      expect(shifted.length).toBe(edges.length)
    })

    await test.step('timestamps have the step that this browser is said to have', () => {
      const stepNs = trace.clocks[deviceClock]?.stepNs ?? 0
      if (isQuantized) expect(stepNs).toBe(QUANTUM_NS)
      else expect(stepNs).toBeLessThan(QUANTUM_NS)
    })
  })
}
