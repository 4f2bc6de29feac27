/**
 * The card of the machine that a run was measured on. The H200 under Chromium has one that was read off recordings. For any other it is fitted
 * from what the run calibrated before it measured: how fast arithmetic and bytes go, and how soon the end of work is known.
 */
import type { Report } from '../trace/report'
import type { Card } from './card'
import { h200 } from './cards/h200'

/** Longer than any browser needs to answer by itself: then it was on a timer of its own that it looked. */
const ON_A_TIMER_MS = 10

type Calibrated = Pick<Report, 'environment' | 'derived'>

const ratioOf = (own: number | null, of: number | null): number =>
  own !== null && own > 0 && of !== null ? own / of : 1

/** Of the run's own kernel where it was timed beforehand, else of the machine. */
function gflopsOf({ environment, derived }: Calibrated): number | null {
  const { flopsPerStep, calibratedKernelMs } = derived
  return typeof flopsPerStep === 'number' && typeof calibratedKernelMs === 'number' && calibratedKernelMs > 0
    ? flopsPerStep / (calibratedKernelMs * 1e6)
    : environment.matmulGflops
}

const times = <T extends Readonly<Record<string, number>>>(costs: T, by: number): T =>
  Object.fromEntries(Object.entries(costs).map(([name, ns]) => [name, ns * by])) as unknown as T

/** Null where nothing of it was calibrated. */
export function cardOf(run: Calibrated): Card | null {
  const { environment } = run
  const isH200 = environment.adapterName === h200.environment.adapter.description
  if (isH200 && /Chrome\//.test(environment.userAgent)) return h200
  const gflops = gflopsOf(run)
  if (gflops === null || gflops <= 0) return null
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
    name: 'fitted',
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
    process: {
      ...process,
      ...times({ messageNs, handleNs, dispatchNs, passNs, commandBufferNs, submitNs, writeNs }, ofCalls),
      freshRate: process.freshRate * up,
      carryRate: process.carryRate * up,
      readbackRate: process.readbackRate * down,
      ...(timerNs === null ? {} : { firstLookNs: timerNs, lookNs: timerNs }),
    },
    device: {
      ...device,
      uploadRate: device.uploadRate * up,
      downloadRate: device.downloadRate * down,
      peakGflops: gflops,
      // What arithmetic takes, and nothing for waves of workgroups: how many there are in one, nobody says.
      matmuls: [...new Set(device.matmuls.map(({ kernel }) => kernel))].map((kernel) => ({
        kernel,
        resident: Infinity,
        stepNs: 0,
        gflops,
      })),
    },
  }
}
