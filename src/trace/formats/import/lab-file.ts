/**
 * Files that the lab itself wrote (trace-event.ts): what is known of them beyond the format, so
 * that they come back as they went.
 */
import * as v from 'valibot'
import { number } from '../../../base/shape'
import { checkTime } from '../../budget'
import { infoShape } from '../../file-shape'
import {
  SPAN_KINDS,
  SPAN_ROLES,
  type LaneKind,
  type RunInfo,
  type SpanKind,
  type SpanRole,
} from '../../schema'
import { PROCESSES } from '../slices'
import { TRACE_EVENT_SCHEMA } from '../trace-event'
import type { TopLevel } from './event-file'
import { readLabClocks, type LabClock } from './lab-clocks'

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
    clocks: readLabClocks(clocks, hostStepNs),
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
