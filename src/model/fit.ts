/**
 * The card of the machine that a run was measured on. The H200 under Chromium has one that was read off recordings. For any other it is fitted
 * from what the run calibrated before it measured: how fast arithmetic and bytes go, and how soon the end of work is known. A machine's own
 * card has more: what calls cost there, and when its browser looks for ended work.
 */
import type { LaunchCosts, Wait } from '../trace/machine-costs'
import type { Environment, Report } from '../trace/report'
import type { Call, Card, MatmulCost, OwnCard } from './card'
import { h200 } from './cards/h200'

/** Longer than any browser needs to answer by itself: then it was on a timer of its own that it looked. */
const ON_A_TIMER_MS = 10

/** The kernel by which a machine's rate is measured, and that of runs that have no parameter for it. */
const USUAL = 'vectorised'

/** The name of a card that is fitted from one run. */
export const FITTED = 'fitted'

type Calibrated = Pick<Report, 'environment' | 'derived' | 'params'>

const ratioOf = (own: number | null, of: number | null): number =>
  own !== null && own > 0 && of !== null ? own / of : 1

/** What arithmetic takes, and nothing for waves of workgroups. */
const atRate = (kernel: string, gflops: number): MatmulCost => ({
  kernel,
  resident: Number.MAX_SAFE_INTEGER,
  stepNs: 0,
  gflops,
})

/** The kernel that a run timed beforehand, as fast as it was; none where it timed none. */
function timedIn({ derived, params }: Calibrated): readonly MatmulCost[] {
  const { flopsPerStep, calibratedKernelMs } = derived
  const { kernel = USUAL } = params
  return typeof flopsPerStep === 'number' &&
    typeof calibratedKernelMs === 'number' &&
    calibratedKernelMs > 0 &&
    typeof kernel === 'string'
    ? [atRate(kernel, flopsPerStep / (calibratedKernelMs * 1e6))]
    : []
}

/** As on the H200, of which a slower device has fewer multiprocessors. A software adapter has none: whatever the kernel, it computes at one rate. */
function kernelsAt(
  gflops: number,
  isSoftware: boolean,
): Pick<Card['device'], 'multiprocessors' | 'peakGflops' | 'matmuls'> {
  const { multiprocessors, peakGflops, matmuls } = h200.device
  if (isSoftware)
    return {
      multiprocessors,
      peakGflops: gflops,
      matmuls: matmuls.map(({ kernel }) => atRate(kernel, gflops)),
    }
  const by = ratioOf(gflops, h200.environment.matmulGflops)
  return {
    multiprocessors: Math.max(1, Math.round(by * multiprocessors)),
    peakGflops: by * peakGflops,
    matmuls: matmuls.map((cost) => ({ ...cost, gflops: by * cost.gflops })),
  }
}

const times = <T extends Readonly<Record<string, number>>>(costs: T, by: number): T =>
  Object.fromEntries(Object.entries(costs).map(([name, ns]) => [name, ns * by])) as unknown as T

/** Null where nothing of it was calibrated. */
export function cardOf(run: Calibrated): Card | null {
  const { environment } = run
  const isH200 = environment.adapterName === h200.environment.adapter.description
  return isH200 && /Chrome\//.test(environment.userAgent) ? h200 : fitted(run)
}

/** The machine's own card, with the kernel that the run timed beforehand as fast as it was. */
export const cardForRun = ({ card }: OwnCard, run: Calibrated): Card => ({
  ...card,
  device: { ...card.device, matmuls: [...timedIn(run), ...card.device.matmuls] },
})

function fitted(run: Calibrated): Card | null {
  const { environment } = run
  const timed = timedIn(run)
  const gflops = environment.matmulGflops ?? timed[0]?.gflops ?? 0
  if (gflops <= 0) return null
  const kernels = kernelsAt(gflops, environment.isSoftware)
  const { emptySubmitLatencyMs, uploadGbPerS, readbackGbPerS } = environment
  const timerNs =
    emptySubmitLatencyMs !== null && emptySubmitLatencyMs > ON_A_TIMER_MS ? emptySubmitLatencyMs * 1e6 : null
  // On a timer the calibration says nothing but the timer.
  const ofCalls = timerNs === null ? ratioOf(emptySubmitLatencyMs, h200.environment.emptySubmitLatencyMs) : 1
  const up = timerNs === null ? ratioOf(uploadGbPerS, h200.environment.uploadGbPerS) : 1
  const down = timerNs === null ? ratioOf(readbackGbPerS, h200.environment.readbackGbPerS) : 1
  const { host, process, device } = h200
  const { messageNs, handleNs, dispatchNs, passNs, commandBufferNs, submitNs, writeNs } = process
  return {
    name: FITTED,
    source: `${environment.adapterName}, fitted from what this run calibrated`,
    environment,
    host: {
      ...host,
      calls: times(host.calls, ofCalls),
      wakeNs: host.wakeNs * ofCalls,
      coldNs: host.coldNs * ofCalls,
      writeRate: host.writeRate * up,
      fillRate: host.fillRate * up,
      readRate: host.readRate * down,
      newMemoryRate: host.newMemoryRate * down,
    },
    processor: h200.processor,
    ...(h200.ranks ? { ranks: h200.ranks } : {}),
    process: {
      ...process,
      ...times({ messageNs, handleNs, dispatchNs, passNs, commandBufferNs, submitNs, writeNs }, ofCalls),
      freshRate: process.freshRate * up,
      carryRate: process.carryRate * up,
      readbackRate: process.readbackRate * down,
      ...(timerNs === null ? {} : { looksAtMessages: false, firstLookNs: timerNs, lookNs: timerNs }),
    },
    device: {
      ...device,
      uploadRate: device.uploadRate * up,
      downloadRate: device.downloadRate * down,
      ...kernels,
      matmuls: [...timed, ...kernels.matmuls],
    },
  }
}

interface Measured {
  readonly environment: Environment
  /** Null where they were not measured. */
  readonly launches: LaunchCosts | null
  /** What a host that reads waited; none without timestamps. */
  readonly waits: readonly Wait[]
}

const NO_LAUNCHES = 'what each call costs; all calls are taken in proportion to an empty submission'
const NO_STAMPS = 'when the browser looks for ended work: this browser gives no timestamps'
const NO_LOOKS = 'when the browser looks for ended work: too few kernels were timed'
/** In every card, whatever was measured. */
const NEVER =
  'how long a message between page and GPU process takes by itself, how the time of a copy and of a group of calls divides, how long a thread ' +
  'that slept takes to run again, how kernels fill the device, and what ranks send and add; these are as on an NVIDIA H200, or in proportion to it'

/** Null where the device's rates are not known. */
export function ownCard({ environment, launches, waits }: Measured, measuredAt: string): OwnCard | null {
  const base = fitted({ environment, derived: {}, params: {} })
  if (!base) return null
  const looks = looksOf(environment, waits)
  const isOnTimer = base.process.lookNs !== h200.process.lookNs
  return {
    card: {
      ...base,
      name: 'own',
      source: `${environment.adapterName}, measured on ${measuredAt.slice(0, 10)}`,
      host: launches ? { ...base.host, calls: callsOf(launches) } : base.host,
      process: { ...base.process, ...(launches ? processOf(launches) : {}), ...looks },
    },
    measuredAt,
    missing: [
      ...(launches ? [] : [NO_LAUNCHES]),
      ...(looks || isOnTimer ? [] : [environment.deviceClockStepNs === null ? NO_STAMPS : NO_LOOKS]),
      NEVER,
    ],
  }
}

/** Calls that each way of handing a kernel over has beside those of the way before. */
const ADDED: Readonly<Record<keyof LaunchCosts, readonly Call[]>> = {
  onePass: ['setBindGroup', 'dispatch'],
  passes: ['beginPass', 'setPipeline', 'endPass'],
  commandBuffers: ['createCommandEncoder', 'finish'],
  submits: ['submit'],
}
/** Noise may say that a group takes nothing; it takes this part of its share of all calls. */
const LEAST_SHARE = 1 / 4

/** In groups, as they were measured, and in a group in proportion to the H200's; calls that no way has in proportion to all that were. */
function callsOf(launches: LaunchCosts): Card['host']['calls'] {
  const { calls } = h200.host
  const sum = (names: readonly Call[]): number => names.reduce((ns, name) => ns + calls[name], 0)
  const ways = ['onePass', 'passes', 'commandBuffers', 'submits'] as const
  const all = (launches.submits.hostUs * 1e3) / sum(ways.flatMap((way) => ADDED[way]))
  return ways.reduce(
    (own, way, index) => {
      const before = ways[index - 1]
      const addedNs = 1e3 * (launches[way].hostUs - (before ? launches[before].hostUs : 0))
      const by = Math.max(addedNs / sum(ADDED[way]), LEAST_SHARE * all)
      return { ...own, ...Object.fromEntries(ADDED[way].map((name) => [name, calls[name] * by])) }
    },
    times(calls, all),
  )
}

/** Of the H200, in the recording of its command queue without stamps, µs: a kernel in a command buffer of its own, and what a submission of its own adds. */
const H200_US = { commandBuffer: 11.8, submit: 24.5 }

/** Where a queue is full, the GPU process sets the pace, or the device: so command buffers are no further off the H200's than submissions. */
function processOf({ commandBuffers, submits }: LaunchCosts): Partial<Card['process']> {
  const { handleNs, passNs, commandBufferNs, submitNs } = h200.process
  const bySubmit = (submits.stepUs - commandBuffers.stepUs) / H200_US.submit
  // Not above the noise.
  if (bySubmit <= 0) return {}
  const byBuffer = Math.min(bySubmit, commandBuffers.stepUs / H200_US.commandBuffer)
  return {
    ...times({ handleNs, submitNs }, bySubmit),
    ...times({ passNs, commandBufferNs }, byBuffer),
  }
}

/** Fewer lengths of kernel show no stairs. */
const LEAST_LENGTHS = 5
/** Between two looks, ms: those of browsers are in here. 0: the device tells. */
const LOOKS_MS: readonly number[] = [0, ...Array.from({ length: 46 }, (_, step) => 0.05 * 1.12 ** step)]
/** From submit() until the kernel begins, and from its end until a look can find it: not in the card, but without it the stairs would be others. */
const LATE_MS: readonly number[] = [0, 0.1, 0.2, 0.4, 0.6, 0.8, 1]
/** Of the first look, as part of the longest time observed. */
const FIRSTS = 60

/**
 * When ended work is looked for: first and then again and again, by whichever of many pairs comes nearest to what was waited over the length
 * of the kernel; else to how late the device's calibration saw its kernels end. Null: nothing to fit to, or a timer that an empty submission
 * meets too.
 */
function looksOf(
  { completions = [], emptySubmitLatencyMs }: Pick<Environment, 'completions' | 'emptySubmitLatencyMs'>,
  waits: readonly Wait[],
): Pick<Card['process'], 'firstLookNs' | 'lookNs'> | null {
  const wayMs = emptySubmitLatencyMs ?? 0
  const seen =
    waits.length >= LEAST_LENGTHS
      ? waits
      : completions.map(({ kernelMs, observedMs }) => ({ kernelMs, waitMs: observedMs }))
  if (seen.length < LEAST_LENGTHS || wayMs > ON_A_TIMER_MS) return null
  const longestMs = Math.max(...seen.map(({ waitMs }) => waitMs))
  let best = { off: Infinity, firstMs: 0, lookMs: 0 }
  for (const lateMs of LATE_MS)
    for (let step = 0; step <= FIRSTS; step += 1) {
      const firstMs = (step / FIRSTS) * longestMs
      for (const lookMs of LOOKS_MS) {
        const off = seen.reduce(
          (sum, { kernelMs, waitMs }) =>
            sum + Math.abs(Math.log((wayMs + seenMs(kernelMs + lateMs, firstMs, lookMs)) / waitMs)),
          0,
        )
        if (off < best.off) best = { off, firstMs, lookMs }
      }
    }
  return { firstLookNs: best.firstMs * 1e6, lookNs: best.lookMs * 1e6 }
}

/** Until the look that finds a kernel of this length ended. */
const seenMs = (kernelMs: number, firstMs: number, lookMs: number): number => {
  if (kernelMs <= firstMs) return firstMs
  return lookMs === 0 ? kernelMs : firstMs + lookMs * Math.ceil((kernelMs - firstMs) / lookMs)
}
