/**
 * A profile from elsewhere, read and worked out: placed, its gaps as the timeline draws them, and figures of its busiest device by the
 * analysis that `lab analyze` uses. Loaded when first asked for. Times of figures in ms, shares of the time from first begin to last end.
 */
import { fail, succeed, type Result } from '../../base/result'
import { upperBound } from '../../base/search'
import { median } from '../../base/stats'
import type { RecordedOrigin } from '../../text/recorded'
import type { DeviceSummary } from '../../analysis/devices'
import type { Interval } from '../../analysis/types'
import type { Gap, GapCause } from '../../trace/gaps'
import type { PlacedTrace } from '../../trace/place'
import { spanKindIndex, type Lane, type RunInfo, type Trace } from '../../trace/schema'

/** What the files say, worked out by the page's own analysis; null until it is read, or where the file does not say. */
interface CudaFigures {
  /** Share of the time, first begin to last end on the device, in which kernels ran. */
  readonly kernelRatio: number | null
  /** The same with copies and memsets. */
  readonly busyRatio: number | null
  /**
   * Mean from the end of the first step to that of the last, by the device's kernels; by the host's
   * ranges where no device did anything.
   */
  readonly stepMs: number | null
  /** Median length of a kernel. */
  readonly kernelMs: number | null
  /** Median time of the operation of PyTorch that launches a kernel, from begin to end on the host, the profiler's own time included. */
  readonly launchUs: number | null
  /** Share of the copies' time in which kernels ran too. */
  readonly hiddenCopyRatio: number | null
}

export interface Profile {
  readonly placed: PlacedTrace
  readonly gaps: readonly Gap[]
  /** Null where no device did anything. */
  readonly device: DeviceSummary | null
  readonly figures: CudaFigures
  /** Why that device was idle, longest first. */
  readonly causes: readonly IdleCause[]
  /** Lanes that are not drawn: the profiler's own, and ranges that repeat on the device what the host's say. */
  readonly lanesLeftOut: readonly string[]
  /** Steps of the device's kernels, as the profiler marked them; 0 where it did not. */
  readonly steps: number
  /** What the file says of where it is from; '' where it says nothing. */
  readonly origin: RecordedOrigin & {
    /** 'PyTorch 2.11.0, CUDA 13.0' */
    readonly software: string
  }
}

interface IdleCause {
  readonly cause: GapCause
  /** 'The device was idle because …'. */
  readonly words: string
  readonly count: number
  readonly us: number
}

/** @param causes false for who asks for no cause of a gap */
export async function readProfile(
  bytes: Uint8Array,
  origin: RunInfo['origin'],
  { causes = true } = {},
): Promise<Result<Profile>> {
  const [
    { openTraceFile },
    { placeTrace },
    { selectSpans },
    { knownUs, reasonsOf, summariseDevices },
    { CAUSES },
    { GAP_CAUSES },
    intervals,
  ] = await Promise.all([
    import('../../trace/formats/import/open-trace'),
    import('../../trace/place'),
    import('../../trace/select'),
    import('../../analysis/devices'),
    import('../../trace/gap-causes'),
    import('../../trace/gaps'),
    import('../../analysis/intervals'),
  ])
  const opened = await openTraceFile(bytes)
  if (!opened.ok)
    return fail({ code: 'file', message: opened.error.message, data: { problem: opened.error.code } })
  const { trace: read } = opened.value
  const isDrawn = ({ kind }: Lane) => kind === 'host' || kind === 'device'
  const placed = placeTrace(selectSpans({ ...read, info: { ...read.info, origin } }, { lane: isDrawn }))
  const { spans, lanes, info } = placed.trace
  const devices = summariseDevices(placed, reasonsOf(placed, null, causes))
  const device = devices.reduce<DeviceSummary | null>(
    (most, each) => (most === null || each.busyUs > most.busyUs ? each : most),
    null,
  )
  const kernels: Interval[] = []
  const copies: Interval[] = []
  const steps = new Map<number, Interval>()
  const hostSteps = new Map<number, Interval>()
  for (let span = 0; span < spans.length; span += 1) {
    const lane = lanes[spans.lane[span] ?? -1]
    const work = { start: spans.start[span] ?? 0, end: spans.end[span] ?? 0 }
    if (lane?.kind === 'host') addTo(hostSteps, spans.step[span] ?? -1, work)
    if (lane?.kind !== 'device' || lane.group !== device?.id) continue
    if (isCopy(placed.trace, span)) copies.push(work)
    if (spans.kind[span] !== spanKindIndex('compute')) continue
    kernels.push(work)
    addTo(steps, spans.step[span] ?? -1, work)
  }
  const running = intervals.union(kernels)
  const copying = intervals.union(copies)
  const [kernelNs, copyNs] = [intervals.total(running), intervals.total(copying)]
  return succeed({
    placed,
    gaps: devices.flatMap(({ gaps }) => gaps),
    device,
    figures: {
      kernelRatio: device?.busyRatio == null ? null : kernelNs / (knownUs(device) * 1e3),
      busyRatio: device?.busyRatio ?? null,
      stepMs: perStepMs(device ? steps : hostSteps),
      kernelMs: kernels.length > 0 ? median(kernels.map(({ start, end }) => end - start)) / 1e6 : null,
      launchUs: launchUs(placed.trace),
      hiddenCopyRatio: copyNs > 0 ? intervals.total(intervals.intersect(running, copying)) / copyNs : null,
    },
    causes: GAP_CAUSES.flatMap((cause) => {
      const { count = 0, us = 0 } = device?.totals[cause] ?? {}
      return count > 0 ? [{ cause, words: CAUSES[cause].because, count, us }] : []
    }).sort((a, b) => b.us - a.us),
    lanesLeftOut: read.lanes.filter((lane) => !isDrawn(lane)).map(({ name }) => name),
    steps: steps.size,
    origin: {
      device: device?.name ?? '',
      date: info.startedAt,
      software: [said(info, 'PyTorch'), said(info, 'CUDA')].filter((part) => part !== '').join(', '),
    },
  })
}

/** Work that the profiler marked as of no step is of none. */
function addTo(steps: Map<number, Interval>, step: number, { start, end }: Interval): void {
  if (step < 0) return
  const { start: first, end: last } = steps.get(step) ?? { start, end }
  steps.set(step, { start: Math.min(first, start), end: Math.max(last, end) })
}

/** What the host does before the first kernel is in no step of the device: only ends are a step apart. */
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

const nameOf = ({ spans, strings }: Trace, span: number): string => strings[spans.name[span] ?? -1] ?? ''

const isCopy = (trace: Trace, span: number): boolean =>
  trace.spans.kind[span] === spanKindIndex('transfer') && /^memcpy/i.test(nameOf(trace, span))

/** Median time of the outermost operations of PyTorch within which a kernel was launched, µs. */
function launchUs(trace: Trace): number | null {
  const { spans, lanes } = trace
  const begin = (span: number) => spans.start[span] ?? 0
  const end = (span: number) => spans.end[span] ?? 0
  const length = (span: number) => end(span) - begin(span)
  const byLane = lanes.map(() => ({ operations: new Array<number>(), launches: new Array<number>() }))
  for (let span = 0; span < spans.length; span += 1) {
    const lane = spans.lane[span] ?? -1
    if (lanes[lane]?.kind !== 'host') continue
    const name = nameOf(trace, span)
    if (name.startsWith('aten::')) byLane[lane]?.operations.push(span)
    else if (/^cu(da)?LaunchKernel/.test(name)) byLane[lane]?.launches.push(span)
  }
  const outermost = new Set<number>()
  for (const { operations, launches } of byLane) {
    // One that another contains is round no launch that the other is not round too: what is left both begins and ends one after the other.
    let last = -Infinity
    const outer = operations
      .toSorted((a, b) => begin(a) - begin(b) || end(b) - end(a))
      .filter((each) => {
        const isOuter = end(each) > last
        if (isOuter) last = end(each)
        return isOuter
      })
    const begins = outer.map(begin)
    for (const launch of launches) {
      let longest: number | null = null
      for (let at = upperBound(begins, begin(launch)) - 1; at >= 0; at -= 1) {
        const each = outer[at] ?? -1
        if (end(each) < end(launch)) break
        if (longest === null || length(each) >= length(longest)) longest = each
      }
      if (longest !== null) outermost.add(longest)
    }
  }
  return outermost.size > 0 ? median([...outermost].map(length)) / 1e3 : null
}
