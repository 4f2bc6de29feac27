/**
 * A profile from elsewhere, read and worked out: placed, its gaps as the timeline draws them, and figures of its busiest device by the
 * analysis that `lab analyze` uses. Loaded when first asked for. Times of figures in ms, shares of the time from first begin to last end.
 */
import { fail, succeed, type Result } from '../base/result'
import type { CudaFigures } from '../lessons/lesson'
import type { DeviceSummary } from '../analysis/devices'
import type { Gap, GapCause } from '../analysis/types'
import type { PlacedTrace } from '../trace/place'
import { spanKindIndex, type Lane, type RunInfo } from '../trace/schema'

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
  /** What the file says of the software that wrote it: 'PyTorch 2.11.0, CUDA 13.0'; '' where it says nothing. */
  readonly software: string
}

export interface IdleCause {
  readonly cause: GapCause
  /** 'The device was idle because …'. */
  readonly words: string
  readonly count: number
  readonly us: number
}

export async function readProfile(bytes: Uint8Array, origin: RunInfo['origin']): Promise<Result<Profile>> {
  const [
    { openTraceFile },
    { placeTrace },
    { selectSpans },
    { summariseDevices },
    { drawnGaps },
    { causeWords, GAP_CAUSES },
    intervals,
  ] = await Promise.all([
    import('../formats/import/open-trace'),
    import('../trace/place'),
    import('../trace/select'),
    import('../analysis/devices'),
    import('../analysis/drawn-gaps'),
    import('../analysis/gap-questions'),
    import('../analysis/intervals'),
  ])
  const opened = await openTraceFile(bytes)
  if (!opened.ok)
    return fail({ code: 'file', message: opened.error.message, data: { problem: opened.error.code } })
  const { trace: read } = opened.value
  const isDrawn = ({ kind }: Lane) => kind === 'host' || kind === 'device'
  const placed = placeTrace(selectSpans({ ...read, info: { ...read.info, origin } }, { lane: isDrawn }))
  const { spans, lanes, info } = placed.trace
  const devices = summariseDevices(placed)
  const device = devices.reduce<DeviceSummary | null>(
    (most, each) => (most === null || each.busyUs > most.busyUs ? each : most),
    null,
  )
  const kernels: { start: number; end: number }[] = []
  const steps = new Set<number>()
  for (let span = 0; span < spans.length; span += 1) {
    const lane = lanes[spans.lane[span] ?? -1]
    if (lane?.kind !== 'device' || lane.group !== device?.id) continue
    if (spans.kind[span] !== spanKindIndex('compute')) continue
    kernels.push({ start: spans.start[span] ?? 0, end: spans.end[span] ?? 0 })
    if ((spans.step[span] ?? -1) >= 0) steps.add(spans.step[span] ?? -1)
  }
  const kernelNs = intervals.total(intervals.union(kernels))
  const spanUs = device?.spanUs ?? 0
  return succeed({
    placed,
    gaps: drawnGaps(placed, devices),
    device,
    figures: {
      kernelRatio: spanUs > 0 ? kernelNs / (spanUs * 1e3) : null,
      busyRatio: device?.busyRatio ?? null,
      stepMs: spanUs > 0 && steps.size > 0 ? spanUs / 1e3 / steps.size : null,
    },
    causes: GAP_CAUSES.flatMap((cause) => {
      const { count = 0, us = 0 } = device?.totals[cause] ?? {}
      return count > 0 ? [{ cause, words: causeWords[cause], count, us }] : []
    }).sort((a, b) => b.us - a.us),
    lanesLeftOut: read.lanes.filter((lane) => !isDrawn(lane)).map(({ name }) => name),
    steps: steps.size,
    software: [said(info, 'PyTorch'), said(info, 'CUDA')].filter((part) => part !== '').join(', '),
  })
}

const said = ({ derived }: RunInfo, what: string): string => {
  const version = derived[what]
  return typeof version === 'string' && version !== '' ? `${what} ${version}` : ''
}
