/** Files that the lab itself wrote (trace-event.ts): what is known of them beyond the format, so that they come back as they went. */
import { isRecord } from '../../base/shape'
import { infoShape } from '../../trace/file-shape'
import { SPAN_KINDS, type LaneKind, type RunInfo, type SpanKind } from '../../trace/schema'
import { PROCESSES } from '../slices'
import { NOTE_CATEGORY, NOTES, TRACE_EVENT_SCHEMA } from '../trace-event'
import type { TopLevel } from './event-reader'
import { readOwnClocks, type OwnClock } from './own-clocks'

export interface OwnFile {
  readonly info: RunInfo | null
  readonly zeroNs: number
  readonly originMs: number
  readonly hostStepNs: number
  /** Of devices, where the file says enough of them. */
  readonly clocks: readonly OwnClock[]
}

const finite = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

export function readOwnFile(top: TopLevel): OwnFile | null {
  const metadata = top['metadata']?.value
  if (!isRecord(metadata) || metadata['schema'] !== TRACE_EVENT_SCHEMA) return null
  const clocks = Array.isArray(metadata['clocks']) ? (metadata['clocks'] as readonly unknown[]) : []
  const host = clocks.find((clock) => isRecord(clock) && clock['kind'] === 'host')
  const hostStepNs = isRecord(host) ? Math.max(0, finite(host['stepNs'])) : 0
  return {
    // What infoShape has checked.
    info: infoShape(metadata, 'metadata') === null ? pickInfo(metadata as unknown as RunInfo) : null,
    zeroNs: finite(metadata['zeroNs']),
    originMs: finite(metadata['hostOriginMs']),
    hostStepNs,
    clocks: readOwnClocks(clocks, hostStepNs),
  }
}

const pickInfo = ({
  experiment,
  params,
  derived,
  adapter,
  userAgent,
  crossOriginIsolated,
  startedAt,
}: RunInfo): RunInfo => ({
  experiment,
  params,
  derived,
  adapter,
  userAgent,
  crossOriginIsolated,
  startedAt,
  origin: 'imported',
})

export const ownLaneKind = (processName: string): LaneKind =>
  PROCESSES.find(({ name }) => name === processName)?.laneKind ?? 'other'

/** The process of the notes is no lane. */
export const isNotesProcess = (processName: string): boolean => processName === NOTES
export const isNoteCategory = (category: string): boolean => category === NOTE_CATEGORY

export const isPassCategory = (category: string): boolean =>
  category === 'device' || category === 'device-setup'

/** Passes are of category 'device' or 'device-setup'; everything else is of its kind's name. */
export const ownSpanKind = (category: string): SpanKind =>
  isPassCategory(category) ? 'compute' : (SPAN_KINDS.find((kind) => kind === category) ?? 'other')
