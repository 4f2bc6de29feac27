/**
 * The capability report: what this browser and this adapter are and do, measured here, now. Never a
 * datasheet. Shown as 'Your device' and included in every report.
 */
import {
  encodePass,
  RunContext,
  USAGE,
  type Dispatch,
  type AdapterFacts,
  type LabDevice,
  type RunLimits,
} from '../gpu'
import { measureHostClockStepUs } from '../base/host-clock'
import { spinKernel } from '../gpu/kernels/calibrate/spin'
import { createTick } from '../gpu/kernels/calibrate/tick'
import { kernelCall } from '../gpu/kernels/kernel'
import { timeDispatch } from '../gpu/kernels/calibrate/timing'
import { median } from '../base/stats'
import { selfTestCopyTiming } from '../recorder'
import type { DeviceFacts, Environment } from '../trace/report'
import type { RunInfo, Trace } from '../trace/schema'
import { prepareMatmul } from './matmul-workload'

/**
 * Round trips of each kind: at most so many, and no more once they have taken LONG_ENOUGH_MS
 * (Firefox: 100 ms each).
 */
const EMPTY_SUBMITS = 20
const ROUND_TRIPS = 10
const LEAST_TRIPS = 3
const LONG_ENOUGH_MS = 400
/**
 * Kernels timed for the completion latency last about this long: well above a timestamp quantum,
 * well below a frame.
 */
const SPIN_MS = 2
const MATMUL_TARGET_MS = 4
/** Bytes of the copies by which copy timing is tried on a software adapter, which is slow. */
const SOFTWARE_COPIES = [2 ** 20, 8 * 2 ** 20] as const

const probeInfo = (device: LabDevice): RunInfo => ({
  experiment: 'environment',
  params: {},
  derived: {},
  adapter: device.info,
  userAgent: navigator.userAgent,
  crossOriginIsolated: globalThis.crossOriginIsolated,
  startedAt: new Date().toISOString(),
  origin: 'live',
})

/** Describes a device without measuring: nothing runs on it. */
export const describeDevice = (device: AdapterFacts): DeviceFacts => ({
  adapter: device.info,
  adapterName: device.name,
  isSoftware: device.isSoftware,
  features: device.features,
  limits: device.limits,
  userAgent: navigator.userAgent,
  crossOriginIsolated: globalThis.crossOriginIsolated,
  hardwareConcurrency: navigator.hardwareConcurrency,
})

export interface ProbeOptions {
  /** Each part has a context of its own, by which it can be cancelled. */
  readonly opened?: ((context: RunContext) => void) | undefined
  /** Tests set them. */
  readonly limits?: RunLimits | undefined
}

/**
 * Clock steps, latencies and rates: a second or two on a GPU. Throws FaultError or CancelledError.
 */
export async function measureEnvironment(
  device: LabDevice,
  options: ProbeOptions = {},
): Promise<Environment> {
  const clocks = await measureClocks(device, options)
  const rates = await measureRates(device, clocks.hostClockStepUs, clocks.deviceClockStepNs, options)
  return { ...describeDevice(device), ...clocks, ...rates }
}

/** Measures by 60 passes of next to nothing, if the device has timestamps. */
export async function measureClocks(
  device: LabDevice,
  options: ProbeOptions = {},
): Promise<Pick<Environment, 'hostClockStepUs' | 'deviceClockStepNs'>> {
  const hostClockStepUs = measureHostClockStepUs()
  const deviceClockStepNs = device.hasTimestamps
    ? await measureDeviceStep(device, hostClockStepUs, options)
    : null
  return { hostClockStepUs, deviceClockStepNs }
}

/** Opens the context of a part of the measuring. */
function openProbe(
  device: LabDevice,
  hostStepUs: number,
  deviceStepNs: number | null,
  { opened, limits }: ProbeOptions,
): RunContext {
  const info = probeInfo(device)
  const context = RunContext.open(device, { record: true, hostStepUs, deviceStepNs, info, limits })
  opened?.(context)
  return context
}

async function measureDeviceStep(
  device: LabDevice,
  hostStepUs: number,
  options: ProbeOptions,
): Promise<number | null> {
  // The step is unknown yet: with the coarsest known the sanity gate refuses nothing for it.
  const context = openProbe(device, hostStepUs, QUANTUM_NS, options)
  const trace: Trace = await context.use(async ({ queue, session }) => {
    const tick = await createTick(context)
    // 60 passes in 6 round trips: spread over several quanta.
    const goesOn = bounded(6)
    for (let round = 0; goesOn(round); round += 1) {
      const submission = queue.submit('clock step', (encoder) => {
        for (let pass = 0; pass < 10; pass += 1) encodePass(encoder, 'tick', [tick])
      })
      await queue.wait(submission)
    }
    await queue.collect()
    return session.freeze()
  })
  const { spans } = trace
  const ticks: number[] = []
  for (let span = 0; span < spans.length; span += 1)
    if (trace.clocks[trace.lanes[spans.lane[span] ?? 0]?.clock ?? 0]?.kind === 'device')
      ticks.push(spans.start[span] ?? 0, spans.end[span] ?? 0)
  return stepOfTicks(ticks)
}

async function measureRates(
  device: LabDevice,
  hostStepUs: number,
  deviceStepNs: number | null,
  options: ProbeOptions,
) {
  const context = openProbe(device, hostStepUs, deviceStepNs, options)
  return await context.use(async () => {
    const matmul = await prepareMatmul(context, {
      kernel: 'vectorised',
      targetMs: MATMUL_TARGET_MS,
      deviceStepNs,
    })
    const matmulGflops = matmul.gflops
    matmul.release()
    return {
      emptySubmitLatencyMs: await emptySubmitLatency(context),
      completionLatencyMs: await completionLatency(context, deviceStepNs),
      copyTimingWorks: await selfTestCopyTiming(
        device.gpu,
        context.session,
        device.isSoftware ? { bytes: SOFTWARE_COPIES } : {},
      ),
      matmulGflops,
    }
  })
}

/** Says whether one more trip is to be made. */
function bounded(most: number): (trips: number) => boolean {
  const start = performance.now()
  return (trips) => trips < most && (trips < LEAST_TRIPS || performance.now() - start < LONG_ENOUGH_MS)
}

async function emptySubmitLatency(context: RunContext): Promise<number> {
  const { queue } = context
  const latencies: number[] = []
  const goesOn = bounded(EMPTY_SUBMITS)
  for (let trip = 0; goesOn(trip); trip += 1) {
    const submission = queue.submit('empty')
    await queue.wait(submission)
    latencies.push(((submission.completedNs ?? 0) - submission.submitStartNs) / 1e6)
  }
  await queue.collect()
  return median(latencies)
}

/**
 * Measures how late completion is observed: what submit() to its report takes beyond the kernel's
 * own time, with the queue idle. Null without timestamps.
 */
async function completionLatency(context: RunContext, deviceStepNs: number | null): Promise<number | null> {
  if (deviceStepNs === null) return null
  const { queue, session } = context
  const target = await context.buffer('spin', 1024, USAGE.storage)
  const spin = async (iterations: number): Promise<Dispatch> =>
    await context.dispatch(kernelCall(spinKernel, { iterations }), [target])
  const { ms, by } = await timeDispatch(context, await spin(4096), deviceStepNs)
  // A clock that can't be right about when an end was does not tell how late it was seen.
  if (by !== 'device-clock') return null
  const usual = await spin(Math.max(1, Math.round((4096 * SPIN_MS) / ms)))
  const latencies: number[] = []
  const goesOn = bounded(ROUND_TRIPS)
  for (let trip = 0; goesOn(trip); trip += 1) {
    let pass: GPUComputePassEncoder | undefined
    const submission = queue.submit('latency', (encoder) => (pass = encodePass(encoder, 'spin', [usual])))
    await queue.wait(submission)
    await queue.collect()
    const ticks = pass && session.ticksOf(pass)
    if (ticks !== undefined && submission.completedNs !== null)
      latencies.push((submission.completedNs - submission.submitStartNs - ticks) / 1e6)
  }
  return latencies.length > 0 ? median(latencies) : null
}

const greatestCommonDivisor = (a: number, b: number): number => {
  let [x, y] = [Math.abs(a), Math.abs(b)]
  while (y > 0) [x, y] = [y, x % y]
  return x
}

/**
 * Chromium floors timestamps to 2^16 ns unless developer features are on (Dawn
 * `timestamp_quantization`).
 */
const QUANTUM_NS = 65536

/**
 * The step of the device's clock: the greatest common divisor of all ticks seen, relative to the
 * first. It is 1 when none divides. @internal
 */
export function stepOfTicks(ticks: readonly number[]): number | null {
  const divisor = ticks.reduce(greatestCommonDivisor, 0)
  if (divisor === 0) return null
  return divisor % QUANTUM_NS === 0 ? QUANTUM_NS : divisor
}
