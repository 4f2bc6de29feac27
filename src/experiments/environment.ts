/**
 * The capability report: what this browser and this adapter are and do, measured here, now. Never a datasheet.
 * Shown as 'Your device' and included in every report.
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
import { MIB } from '../base/figures'
import { spinKernel } from '../gpu/kernels/calibrate/spin'
import { createTick } from '../gpu/kernels/calibrate/tick'
import { kernelCall } from '../gpu/kernels/kernel'
import { timeDispatch } from '../gpu/kernels/calibrate/timing'
import { createReadback, createStaging } from '../lab/staging'
import { median } from '../base/stats'
import { selfTestCopyTiming } from '../recorder'
import type { Completion, DeviceFacts, Environment } from '../trace/report'
import type { RunInfo, Trace } from '../trace/schema'
import { prepareMatmul } from './matmul-workload'

/** Round trips of each kind: at most so many, and no more once they have taken LONG_ENOUGH_MS (Firefox: 100 ms each). */
const EMPTY_SUBMITS = 20
const ROUND_TRIPS = 10
const LEAST_TRIPS = 3
const LONG_ENOUGH_MS = 400
/** Kernels timed for the completion latency last about this long: well above a timestamp quantum, well below a frame. */
const SPIN_MS = 2
const MATMUL_TARGET_MS = 4
const TRANSFERS = 4
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

/** Clock steps, latencies and rates: a second or two on a GPU. Throws FaultError or CancelledError. */
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
      ...(await completionLatencies(context, deviceStepNs)),
      copyTimingWorks: await selfTestCopyTiming(
        device.gpu,
        context.session,
        device.isSoftware ? { bytes: SOFTWARE_COPIES } : {},
      ),
      ...(await transferRates(context, device.isSoftware)),
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

/** Lengths of kernel over which completion is timed, ms: close enough to see steps of 1 ms, and the first look at 2 ms. */
const COMPLETION_MS = [0.2, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5] as const
const COMPLETION_TRIPS = 3
const COMPLETIONS_IN_MS = 800

/**
 * Measures how late completion is observed: with the queue idle, with other work behind, and over
 * the kernel's length. It needs timestamps.
 */
async function completionLatencies(
  context: RunContext,
  deviceStepNs: number | null,
): Promise<Pick<Environment, 'completionLatencyMs' | 'completionLatencyBusyMs' | 'completions'>> {
  const unknown = { completionLatencyMs: null, completionLatencyBusyMs: null, completions: [] }
  if (deviceStepNs === null) return unknown
  const { queue, session } = context
  const target = await context.buffer('spin', 1024, USAGE.storage)
  const spin = async (iterations: number): Promise<Dispatch> =>
    await context.dispatch(kernelCall(spinKernel, { iterations }), [target])
  const short = await spin(4096)
  const { ms, by } = await timeDispatch(context, short, deviceStepNs)
  // A clock that can't be right about when an end was does not tell how late it was seen.
  if (by !== 'device-clock') return unknown
  const spinFor = (wantedMs: number) => spin(Math.max(1, Math.round((4096 * wantedMs) / ms)))

  const trip = async (dispatch: Dispatch, behind: number): Promise<Completion | null> => {
    let pass: GPUComputePassEncoder | undefined
    const submission = queue.submit('latency', (encoder) => (pass = encodePass(encoder, 'spin', [dispatch])))
    const others = Array.from({ length: behind }, () =>
      queue.submit('behind', (encoder) => encodePass(encoder, 'spin', [dispatch])),
    )
    await queue.wait(submission)
    for (const other of others) await queue.wait(other)
    await queue.collect()
    const ticks = pass && session.ticksOf(pass)
    if (ticks === undefined || submission.completedNs === null) return null
    return { kernelMs: ticks / 1e6, observedMs: (submission.completedNs - submission.submitStartNs) / 1e6 }
  }
  const trips = async (dispatch: Dispatch, behind: number, most: number): Promise<readonly Completion[]> => {
    const found: Completion[] = []
    const goesOn = bounded(most)
    for (let count = 0; goesOn(count); count += 1) {
      const completion = await trip(dispatch, behind)
      if (completion) found.push(completion)
    }
    return found
  }
  const latencyOf = (found: readonly Completion[]): number | null =>
    found.length > 0 ? median(found.map(({ kernelMs, observedMs }) => observedMs - kernelMs)) : null

  const usual = await spinFor(SPIN_MS)
  const idle = await trips(usual, 0, ROUND_TRIPS)
  const busy = await trips(usual, 3, ROUND_TRIPS)
  const completions: Completion[] = []
  const start = performance.now()
  for (const wantedMs of COMPLETION_MS) {
    if (performance.now() - start > COMPLETIONS_IN_MS) break
    const found = await trips(await spinFor(wantedMs), 0, COMPLETION_TRIPS)
    if (found.length > 0)
      completions.push({
        kernelMs: median(found.map(({ kernelMs }) => kernelMs)),
        observedMs: median(found.map(({ observedMs }) => observedMs)),
      })
  }
  return { completionLatencyMs: latencyOf(idle), completionLatencyBusyMs: latencyOf(busy), completions }
}

/** One reused staging buffer each way, awaited every time: fill, unmap, copy, done; and copy, mapAsync, read. */
async function transferRates(context: RunContext, isSoftware: boolean) {
  const { queue, session } = context
  const sizeBytes = (isSoftware ? 4 : 32) * MIB
  const source = new Uint8Array(sizeBytes).fill(1)
  const target = await context.buffer('rate target', sizeBytes, USAGE.copyDst | USAGE.copySrc)
  const staging = await createStaging(context, 1, sizeBytes)
  const [upload] = staging.buffers
  if (!upload) throw new Error('one buffer was asked for')
  const readback = await createReadback(context, sizeBytes)
  const uploads: number[] = []
  const readbacks: number[] = []
  for (let trip = 0; trip <= TRANSFERS; trip += 1) {
    await staging.map(1)
    const uploadStart = session.now()
    new Uint8Array(upload.getMappedRange()).set(source)
    upload.unmap()
    const sent = queue.submit('upload', (encoder) =>
      encoder.copyBufferToBuffer(upload, 0, target.gpu, 0, sizeBytes),
    )
    await queue.wait(sent)
    const uploadEnd = session.now()
    // The buffer is asked for back at once, as in a ring; a run that is cancelled meanwhile awaits
    // it no more.
    upload.mapAsync(GPUMapMode.WRITE).catch(() => undefined)
    queue.submit('readback', (encoder) => encoder.copyBufferToBuffer(target.gpu, 0, readback, 0, sizeBytes))
    await context.race(readback.mapAsync(GPUMapMode.READ))
    readback.getMappedRange().slice(0)
    readback.unmap()
    const readbackEnd = session.now()
    if (trip === 0) continue // the first trip touches new memory
    uploads.push(sizeBytes / (uploadEnd - uploadStart))
    readbacks.push(sizeBytes / (readbackEnd - uploadEnd))
  }
  await staging.unmap()
  await queue.collect()
  return { uploadGbPerS: median(uploads), readbackGbPerS: median(readbacks) }
}

const greatestCommonDivisor = (a: number, b: number): number => {
  let [x, y] = [Math.abs(a), Math.abs(b)]
  while (y > 0) [x, y] = [y, x % y]
  return x
}

/** Chromium floors timestamps to 2^16 ns unless developer features are on (Dawn `timestamp_quantization`). */
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
