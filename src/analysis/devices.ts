/**
 * Summarises the devices of any trace, live, recorded or imported alike: how busy, which copies,
 * where it was idle and why.
 *
 * A device is the device lanes of one group. Busy is the union of its kernels (passes), copies,
 * memsets and collectives over all its lanes; work is the union without the collectives, in which a
 * device may do no more than wait for another rank. Both reach from the first begin to the last end
 * of the whole trace. In a live run that includes warm-up and probes, unlike in device-windows.ts,
 * which asks for one repeat. Lengths are in the device's own ticks; gaps are placed on the host's
 * axis if the clocks could be fitted. If launches have no record (coverage.ts), a stretch is
 * neither busy nor idle: it is in no ratio.
 */
import { addTo } from '../base/lists'
import { collectiveOfSpan } from '../trace/collectives'
import { isIdle } from '../trace/gap-causes'
import type { Gap, GapCause } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { isLabRun, SPAN_KINDS, SPAN_SOURCES, type SpanColumns, type Trace } from '../trace/schema'
import type { Coverage } from './coverage'
import { DeviceWork } from './device-time'
import { GapEvidence } from './gap-evidence'
import { byStart, gapsIn } from './gaps'
import { IdleReasons } from './idle-reasons'

interface CopyTotal {
  /**
   * 'HtoD pageable', 'DtoH pinned', 'memset'…; of the lab's own traces 'copy, bracketed by passes'
   * (its time an upper bound).
   */
  readonly kind: string
  readonly count: number
  /** Null where no copy of the kind says its size. */
  readonly bytes: number | null
  /** Union of their times. */
  readonly busyUs: number
  /** bytes over their union: GB/s (1e9). Null where either is not known. */
  readonly gbPerS: number | null
}

interface CollectiveTotal {
  /** The file's name for it: 'allreduce'. */
  readonly operation: string
  readonly count: number
  /** The bytes of the messages; null: none says its size. */
  readonly bytes: number | null
  /** Union of their times, waiting for other ranks in it. */
  readonly us: number
}

export interface DeviceSummary {
  readonly id: string
  readonly name: string
  readonly lanes: readonly string[]
  /** Kernels, copies, memsets and collectives. */
  readonly spans: number
  readonly busyUs: number
  /** First begin to last end. */
  readonly spanUs: number
  /** The part in gaps of cause 'not-recorded'. */
  readonly unrecordedUs: number
  /** busyUs of what is recorded of spanUs; null where there is no work, or none that lasted. */
  readonly busyRatio: number | null
  /**
   * Union of what is neither a collective nor a copy from or to the host: as in a diagnosis
   * (device-time.ts).
   */
  readonly workUs: number
  /** workUs of the same; null as busyRatio is. */
  readonly workRatio: number | null
  /** Union of the collectives: busy, and not all of it work. */
  readonly collectiveUs: number
  /** By operation, in the order of their first. */
  readonly collectives: readonly CollectiveTotal[]
  /**
   * 'device': its clock could not be tied to the host's, so its gaps have a place on its own axis
   * only.
   */
  readonly axis: 'host' | 'device'
  /**
   * With the stretches before its first record and after its last in which launches stand that have
   * none.
   */
  readonly gaps: readonly Gap[]
  /**
   * Null where the file marks no launches, or of those without a record it is not known of which
   * device they were.
   */
  readonly coverage: Coverage | null
  readonly copies: readonly CopyTotal[]
  /** Only causes that occur are in it. */
  readonly totals: Readonly<Partial<Record<GapCause, { readonly count: number; readonly us: number }>>>
}

/** Null for runs of the lab's own: their gaps keep the causes that its recorder saw. */
export const reasonsOf = (
  placed: PlacedTrace,
  stepMs: number | null = null,
  isReplayed = true,
): IdleReasons | null => (isLabRun(placed.trace.info) ? null : new IdleReasons(placed, stepMs, isReplayed))

const COMPUTE = SPAN_KINDS.indexOf('compute')
const TRANSFER = SPAN_KINDS.indexOf('transfer')
const COLLECTIVE = SPAN_KINDS.indexOf('collective')
const IMPORTED = SPAN_SOURCES.indexOf('imported')

/** @param reasons as `reasonsOf` gives them, where they are asked for more afterwards */
export function summariseDevices(
  placed: PlacedTrace,
  reasons: IdleReasons | null = reasonsOf(placed),
): readonly DeviceSummary[] {
  const devices = devicesOf(placed.trace)
  if (devices.length === 0) return []
  const evidence = new GapEvidence(placed, reasons?.records)
  const kinds = new DeviceWork(placed)
  return devices.map((device) => summarise(placed, evidence, reasons, kinds, device))
}

/** The device that worked longest; null: the trace has none. */
export function busiestDevice(trace: Trace): { readonly id: string; readonly name: string } | null {
  const [first, ...others] = devicesOf(trace)
  if (!first || others.length === 0) return first ?? null
  const busyNs = ({ work }: Device) => coveredNs(trace.spans, byStart(trace.spans, work))
  return others.reduce((most, each) => (busyNs(each) > busyNs(most) ? each : most), first)
}

function devicesOf({ lanes, spans, info }: Trace): readonly Device[] {
  const groups = new Map<string, number[]>()
  for (const lane of lanes) {
    if (lane.kind !== 'device') continue
    addTo(groups, lane.group, lane.id)
  }
  const workOf = new Map<number, number[]>([...groups.values()].flat().map((lane) => [lane, []]))
  for (let span = 0; span < spans.length; span += 1) {
    const kind = spans.kind[span]
    if (kind === COMPUTE || kind === TRANSFER || kind === COLLECTIVE)
      workOf.get(spans.lane[span] ?? -1)?.push(span)
  }
  return [...groups].map(([id, laneIds]) => {
    const said = info.derived[id]
    return {
      id,
      name: typeof said === 'string' ? said : ((info.adapter?.description || info.adapter?.device) ?? id),
      laneIds,
      work: laneIds.flatMap((lane) => workOf.get(lane) ?? []),
    }
  })
}

interface Device {
  readonly id: string
  readonly name: string
  readonly laneIds: readonly number[]
  readonly work: readonly number[]
}

function summarise(
  placed: PlacedTrace,
  evidence: GapEvidence,
  reasons: IdleReasons | null,
  kinds: DeviceWork,
  device: Device,
): DeviceSummary {
  const { trace, fits } = placed
  const { spans, lanes, clocks } = trace
  const sorted = byStart(spans, device.work)
  const firstNs = spans.start[sorted[0] ?? -1] ?? 0
  const lastNs = sorted.reduce((last, span) => Math.max(last, spans.end[span] ?? 0), firstNs)
  const busyNs = coveredNs(spans, sorted)
  const communication = sorted.filter((span) => spans.kind[span] === COLLECTIVE)
  const others = sorted.filter((span) => kinds.kindOf(span) === 'work')
  const workNs = others.length === sorted.length ? busyNs : coveredNs(spans, others)
  const lane = device.laneIds[0] ?? -1
  const clock = lanes[lane]?.clock ?? -1
  const gaps = gapsIn(
    placed,
    evidence,
    (span) => spans.kind[span] === COMPUTE || spans.source[span] === IMPORTED,
    [{ lane, work: sorted }],
    reasons ? (found) => reasons.of(found, device.id) : undefined,
  )
  const unrecordedNs = gaps.reduce(
    (sum, gap) => (isWithin(gap) && !isIdle(gap.cause) ? sum + gap.durationNs : sum),
    0,
  )
  const knownNs = lastNs - firstNs - unrecordedNs
  const ratio = (ns: number) => (knownNs > 0 ? ns / knownNs : null)
  return {
    id: device.id,
    name: device.name,
    lanes: device.laneIds.map((lane) => lanes[lane]?.name ?? ''),
    spans: sorted.length,
    busyUs: busyNs / 1e3,
    spanUs: (lastNs - firstNs) / 1e3,
    unrecordedUs: unrecordedNs / 1e3,
    busyRatio: ratio(busyNs),
    workUs: workNs / 1e3,
    workRatio: ratio(workNs),
    collectiveUs: coveredNs(spans, communication) / 1e3,
    collectives: collectivesOf(placed, communication),
    axis: clocks[clock]?.kind === 'host' || fits[clock] ? 'host' : 'device',
    gaps,
    coverage: reasons?.records.of(device.id).coverage ?? null,
    copies: copiesOf(placed, sorted),
    totals: totalsOf(gaps),
  }
}

/** Between two records of its device, not before the first or after the last. */
export const isWithin = ({ before, after }: Gap): boolean => before >= 0 && after >= 0

/** The known part of a device's extent: all but what is not recorded, µs. */
export const knownUs = ({ spanUs, unrecordedUs }: Pick<DeviceSummary, 'spanUs' | 'unrecordedUs'>): number =>
  spanUs - unrecordedUs

/** Length of the union of spans that come by start. */
function coveredNs({ start, end }: SpanColumns, sorted: readonly number[]): number {
  let [sum, lastEnd] = [0, -Infinity]
  for (const span of sorted) {
    const [from, to] = [start[span] ?? 0, end[span] ?? 0]
    if (to <= lastEnd) continue
    sum += to - Math.max(from, lastEnd)
    lastEnd = to
  }
  return sum
}

function totalsOf(gaps: readonly Gap[]): DeviceSummary['totals'] {
  const totals: Partial<Record<GapCause, { count: number; us: number }>> = {}
  for (const { cause, durationNs } of gaps) {
    const total = (totals[cause] ??= { count: 0, us: 0 })
    total.count += 1
    total.us += durationNs / 1e3
  }
  return totals
}

/** 'Memcpy HtoD (Pinned -> Device)' -> 'HtoD pinned'. Of other names the name. */
function copyKind(name: string, isImported: boolean): string {
  if (!isImported) return 'copy, bracketed by passes'
  if (/^memset/i.test(name)) return 'memset'
  const [, direction, from, to] = /^Memcpy (\w+) \((\w+) -> (\w+)\)/.exec(name) ?? []
  if (!direction) return name
  const memory = [from, to].find((side) => side !== 'Device')
  return memory ? `${direction} ${memory.toLowerCase()}` : direction
}

function collectivesOf({ trace }: PlacedTrace, sorted: readonly number[]): readonly CollectiveTotal[] {
  const byOperation = new Map<string, number[]>()
  for (const span of sorted) {
    const operation = collectiveOfSpan(trace, span)?.operation ?? ''
    addTo(byOperation, operation, span)
  }
  return Array.from(byOperation, ([operation, list]) => ({
    operation,
    count: list.length,
    bytes: bytesOf(trace.spans, list).total,
    us: coveredNs(trace.spans, list) / 1e3,
  }))
}

/** Null where none says its size. */
function bytesOf({ bytes }: SpanColumns, list: readonly number[]) {
  const sizes = list.map((span) => bytes[span] ?? Number.NaN).filter((size) => !Number.isNaN(size))
  const total = sizes.length > 0 ? sizes.reduce((sum, size) => sum + size, 0) : null
  return { total, known: sizes.length }
}

function copiesOf(
  { trace: { spans, strings } }: PlacedTrace,
  sorted: readonly number[],
): readonly CopyTotal[] {
  const byKind = new Map<string, number[]>()
  for (const span of sorted) {
    if (spans.kind[span] !== TRANSFER) continue
    const kind = copyKind(strings[spans.name[span] ?? -1] ?? '', spans.source[span] === IMPORTED)
    addTo(byKind, kind, span)
  }
  return Array.from(byKind, ([kind, list]) => {
    const { total: bytes, known } = bytesOf(spans, list)
    const busyNs = coveredNs(spans, list)
    // Only where each says its size: else bytes and time are not of the same copies.
    const gbPerS = bytes !== null && known === list.length && busyNs > 0 ? bytes / busyNs : null
    return { kind, count: list.length, bytes, busyUs: busyNs / 1e3, gbPerS }
  })
}
