/**
 * A recorded profile, read while the site is built: placed, its gaps as the timeline draws them,
 * and figures of its busiest device by the analysis that `lab analyze` uses.
 */
import { summariseDevices, knownUs, reasonsOf, type DeviceSummary } from '../src/analysis/devices'
import { total, union } from '../src/analysis/intervals'
import type { Interval } from '../src/analysis/types'
import type { ProfileOrigin } from '../src/site/exercise/choices-of'
import { openTraceFile } from '../src/trace/formats/import/open-trace'
import { placeTrace } from '../src/trace/place'
import { spanKindIndex, type RunInfo } from '../src/trace/schema'

/**
 * @param causes false for who asks for no cause of a gap
 * @throws where the file is no profile
 */
export async function readProfile(bytes: Uint8Array, origin: RunInfo['origin'], { causes = true } = {}) {
  const opened = await openTraceFile(bytes)
  if (!opened.ok) throw new Error(opened.error.message)
  const { trace: read } = opened.value
  const placed = placeTrace({ ...read, info: { ...read.info, origin } })
  const { spans, lanes, info } = placed.trace
  const devices = summariseDevices(placed, reasonsOf(placed, null, causes))
  const device = devices.reduce<DeviceSummary | null>(
    (most, each) => (most === null || each.busyUs > most.busyUs ? each : most),
    null,
  )
  const kernels: Interval[] = []
  const steps = new Map<number, Interval>()
  const hostSteps = new Map<number, Interval>()
  for (let span = 0; span < spans.length; span += 1) {
    const lane = lanes[spans.lane[span] ?? -1]
    const work = { start: spans.start[span] ?? 0, end: spans.end[span] ?? 0 }
    if (lane?.kind === 'host') addTo(hostSteps, spans.step[span] ?? -1, work)
    if (lane?.kind !== 'device' || lane.group !== device?.id) continue
    if (spans.kind[span] !== spanKindIndex('compute')) continue
    kernels.push(work)
    addTo(steps, spans.step[span] ?? -1, work)
  }
  return {
    placed,
    gaps: devices.flatMap(({ gaps }) => gaps),
    /** Null where no device did anything. */
    device,
    /**
     * Share of the time, first begin to last end on the device, in which kernels ran; null without
     * a device.
     */
    kernelRatio: device?.busyRatio == null ? null : total(union(kernels)) / (knownUs(device) * 1e3),
    /**
     * Mean from the end of the first step to that of the last, by the device's kernels; by the
     * host's ranges where no device did anything. Null where the file marks no steps.
     */
    stepMs: perStepMs(device ? steps : hostSteps),
    origin: {
      device: device?.name ?? '',
      date: info.startedAt,
      software: [said(info, 'PyTorch'), said(info, 'CUDA')].filter((part) => part !== '').join(', '),
    } satisfies ProfileOrigin,
  }
}

/** Work that the profiler marked as of no step is of none. */
function addTo(steps: Map<number, Interval>, step: number, { start, end }: Interval): void {
  if (step < 0) return
  const { start: first, end: last } = steps.get(step) ?? { start, end }
  steps.set(step, { start: Math.min(first, start), end: Math.max(last, end) })
}

/**
 * What the host does before the first kernel is in no step of the device: only ends are a step
 * apart.
 */
function perStepMs(steps: ReadonlyMap<number, Interval>): number | null {
  const [first, ...others] = [...steps.values()].toSorted((a, b) => a.end - b.end)
  if (!first) return null
  const last = others.at(-1)
  return (last ? (last.end - first.end) / others.length : first.end - first.start) / 1e6
}

const said = ({ derived }: RunInfo, what: string): string => {
  const version = derived[what]
  return typeof version === 'string' && version !== '' ? `${what} ${version}` : ''
}
