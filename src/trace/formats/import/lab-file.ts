/**
 * Files that the lab itself wrote (trace-event.ts): what is known of them beyond the format, so
 * that they come back as they went.
 */
import * as v from 'valibot'
import { number } from '../../../base/shape'
import { checkTime, isOnAxis } from '../../budget'
import { infoShape } from '../../file-shape'
import {
  SPAN_KINDS,
  SPAN_ROLES,
  type LaneKind,
  type RunInfo,
  type SpanKind,
  type SpanRole,
  type ClockSnapshot,
} from '../../schema'
import { PROCESSES } from '../slices'
import { TRACE_EVENT_SCHEMA } from '../trace-event'
import type { TopLevel } from './event-file'
import { rawTickOf, ticksFrom, type RawTick } from './exact-times'

export interface LabFile {
  readonly info: RunInfo | null
  readonly zeroNs: number
  readonly originMs: number
  readonly hostStepNs: number
  /** Of devices, where the file says enough of them. */
  readonly clocks: readonly LabClock[]
}

const metadataShape = v.object({
  schema: v.literal(TRACE_EVENT_SCHEMA),
  zeroNs: v.fallback(number, 0),
  hostOriginMs: v.fallback(number, 0),
  clocks: v.fallback(v.array(v.unknown()), []),
})
const hostClockShape = v.object({ kind: v.literal('host'), stepNs: v.fallback(number, 0) })

/** @throws OverBudget where its zero is off the axis */
export function readLabFile(top: TopLevel): LabFile | null {
  const metadata = top['metadata']?.value
  const said = v.safeParse(metadataShape, metadata)
  if (!said.success) return null
  const { zeroNs, hostOriginMs, clocks } = said.output
  const info = v.safeParse(infoShape, metadata, { abortEarly: true })
  const host = clocks.map((clock) => v.safeParse(hostClockShape, clock)).find(({ success }) => success)
  const hostStepNs = host?.success ? Math.max(0, host.output.stepNs) : 0
  checkTime(zeroNs)
  checkTime(hostStepNs)
  return {
    info: info.success ? { ...info.output, origin: 'imported' } : null,
    zeroNs,
    originMs: hostOriginMs,
    hostStepNs,
    clocks: readLabClocks(clocks),
  }
}

export const labLaneKind = (processName: string): LaneKind =>
  PROCESSES.find(({ name }) => name === processName)?.laneKind ?? 'other'

export const isPassCategory = (category: string): boolean =>
  category === 'device' || category === 'device-setup'

/** Passes are of category 'device' or 'device-setup'; everything else is of its kind's name. */
export const labSpanKind = (category: string): SpanKind =>
  isPassCategory(category) ? 'compute' : (SPAN_KINDS.find((kind) => kind === category) ?? 'other')

export const labSpanRole = (written: string): SpanRole =>
  SPAN_ROLES.find((role) => role === written) ?? 'none'

/**
 * A device clock of such a file: its brackets stand in the metadata, and the raw ticks with each
 * span, so that each edge has the bound that it had, and no other.
 */
export interface LabClock {
  readonly name: string
  readonly stepNs: number
  readonly originTick: string
  readonly origin: RawTick
  readonly brackets: readonly Omit<ClockSnapshot, 'clock'>[]
  /** `${pid} ${tid}`. */
  readonly threads: ReadonlySet<string>
}

export const NO_TICKS = 'it stands on a device’s clock, and the file does not tell its ticks'

/** A run has a handful; more are no clock of the lab's. */
const MAX_CLOCKS = 64
const MAX_BRACKETS = 100_000

export const threadName = (pid: string | number, tid: string | number): string =>
  `${String(pid)} ${String(tid)}`

/** NaN is none. One check, as there may be 400,000 of them. */
const time = v.custom<number>((value) => typeof value === 'number' && isOnAxis(value))
const clockShape = v.object({
  kind: v.literal('device'),
  name: v.fallback(v.string(), 'device timestamps'),
  stepNs: v.pipe(time, v.minValue(0)),
  originTick: v.string(),
  brackets: v.pipe(
    v.array(v.object({ hostBeforeNs: time, beginTick: time, endTick: time, hostAfterNs: time })),
    v.minLength(1),
    v.maxLength(MAX_BRACKETS),
  ),
  threads: v.array(v.object({ pid: time, tid: time })),
})

function readLabClocks(clocks: readonly unknown[]): readonly LabClock[] {
  return clocks.slice(0, MAX_CLOCKS).flatMap((clock) => {
    // Its output, not the file's own objects: nothing but what is named above.
    const { success, output } = v.safeParse(clockShape, clock, { abortEarly: true })
    const origin = success ? rawTickOf(output.originTick) : null
    if (!success || !origin) return []
    const { name, stepNs, originTick, brackets } = output
    const threads = new Set(output.threads.map(({ pid, tid }) => threadName(pid, tid)))
    return [{ name, stepNs, originTick, origin, brackets, threads }]
  })
}

export interface TickTimes {
  readonly start: number
  readonly end: number
}

/** A span's edges in ticks; null where the file does not tell them. */
export function spanTicks(
  { origin }: LabClock,
  beginTick: RawTick | null,
  endTick: RawTick | null,
): TickTimes | null {
  if (!beginTick || !endTick) return null
  const [start, end] = [ticksFrom(origin, beginTick), ticksFrom(origin, endTick)]
  return start <= end && isOnAxis(start) && isOnAxis(end) ? { start, end } : null
}
