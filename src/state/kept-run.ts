/**
 * What is said of a kept run without opening it, as it lies in the browser: version 1. What is read back is checked: an entry that is
 * not legible still has its key and its bytes, and stays until the visitor deletes it.
 */
import {
  flag,
  isRecord,
  nullable,
  number,
  object,
  oneOf,
  optional,
  passes,
  text,
  type TypeOf,
} from '../base/shape'
import { annotationsVersion } from '../trace/annotations'
import type { Report } from '../trace/report'
import type { Trace } from '../trace/schema'

export const KEPT_VERSION = 1

/** What a deleted run's label becomes: whatever it was, legible or not, can be put back. */
export interface Tombstone {
  readonly deletedAt: string
  readonly was: unknown
}

const UNITS = ['ratio', 'ms', 'us', 'ns', 'GB/s', 'GFLOP/s', 'flop/byte', 'count', 'bytes'] as const

const keptShape = object({
  version: oneOf(KEPT_VERSION),
  name: text,
  experiment: text,
  /** '' where the file does not say. */
  adapterName: text,
  isSoftware: flag,
  /** ISO 8601, UTC: when it ran, and when it was kept. */
  startedAt: text,
  keptAt: text,
  /** The report's first figure that was measured. */
  headline: nullable(
    object({
      name: text,
      variant: text,
      value: nullable(number),
      unit: oneOf(...UNITS),
      low: nullable(number),
      high: nullable(number),
      n: number,
      origin: oneOf('device-clock', 'host-clock', 'derived'),
    }),
  ),
  sizeBytes: number,
  /** Tells the notes it was kept with from others (annotations.ts); left out where there were none. */
  notes: optional(text),
})

export type KeptRun = TypeOf<typeof keptShape>

/** null: not legible. */
export const readKept = (value: unknown): KeptRun | null => (passes(keptShape, value) ? value : null)

export const readTombstone = (value: unknown): Tombstone | null =>
  isRecord(value) && typeof value['deletedAt'] === 'string' && 'was' in value
    ? { deletedAt: value['deletedAt'], was: value['was'] }
    : null

/** '2026-11-21 14:05' in the visitor's own time. */
export function localTime(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Traces from elsewhere are of no experiment, and may not say when they were made. */
export const standardName = ({ info }: Trace): string =>
  [info.experiment || 'trace', localTime(info.startedAt)].filter((part) => part !== '').join(', ')

/** One line for a person; '' where the trace does not say. */
export function adapterOf({ info }: Trace, report: Report | null): string {
  if (report) return report.environment.adapterName
  const { adapter } = info
  if (!adapter) return ''
  const words = [adapter.description, adapter.device, `${adapter.vendor} ${adapter.architecture}`.trim()]
  return words.find((word) => word !== '') ?? ''
}

export function labelOf(
  trace: Trace,
  report: Report | null,
  name: string,
  sizeBytes: number,
  keptAt: string,
): KeptRun {
  const first = report?.metrics.find(({ value }) => value !== null)
  return {
    version: KEPT_VERSION,
    name,
    experiment: trace.info.experiment,
    adapterName: adapterOf(trace, report),
    isSoftware: report?.environment.isSoftware ?? false,
    startedAt: trace.info.startedAt,
    keptAt,
    headline: first
      ? {
          name: first.name,
          variant: first.variant,
          value: first.value,
          unit: first.unit,
          low: first.low,
          high: first.high,
          n: first.n,
          origin: first.origin,
        }
      : null,
    sizeBytes,
    ...(trace.annotations.length > 0 ? { notes: annotationsVersion(trace) } : {}),
  }
}

/** Whether the run's notes are those that it was kept with. */
export const hasKeptNotes = (run: KeptRun, trace: Trace): boolean =>
  (run.notes ?? '') === annotationsVersion(trace)
