/**
 * What is said of a kept run without opening it, as it lies in the browser: version 1. What is read back is checked: an entry that is
 * not legible still has its key and its bytes, and stays until the visitor deletes it.
 */
import * as v from 'valibot'
import { number } from '../../base/shape'
import { adapterNameOf } from '../../trace/adapter-name'
import type { Report } from '../../trace/report'
import type { Trace } from '../../trace/schema'

const KEPT_VERSION = 1

/** What a deleted run's label becomes: whatever it was, legible or not, can be put back. */
const tombstoneShape = v.pipe(v.object({ deletedAt: v.string(), was: v.unknown() }), v.readonly())
export type Tombstone = v.InferOutput<typeof tombstoneShape>

const UNITS = ['ratio', 'ms', 'us', 'ns', 'GB/s', 'GFLOP/s', 'flop/byte', 'count', 'bytes'] as const

const keptShape = v.pipe(
  v.object({
    version: v.literal(KEPT_VERSION),
    name: v.string(),
    experiment: v.string(),
    /** '' where the file does not say. */
    adapterName: v.string(),
    isSoftware: v.boolean(),
    /** ISO 8601, UTC: when it ran, and when it was kept. */
    startedAt: v.string(),
    keptAt: v.string(),
    /** The report's first figure that was measured. */
    headline: v.nullable(
      v.pipe(
        v.object({
          name: v.string(),
          variant: v.string(),
          value: v.nullable(number),
          unit: v.picklist(UNITS),
          low: v.nullable(number),
          high: v.nullable(number),
          n: number,
          origin: v.picklist(['device-clock', 'host-clock', 'derived']),
        }),
        v.readonly(),
      ),
    ),
    sizeBytes: number,
  }),
  v.readonly(),
)

export type KeptRun = v.InferOutput<typeof keptShape>

/** null: not legible. */
export const readKept = (value: unknown): KeptRun | null => (v.is(keptShape, value) ? value : null)

export const readTombstone = (value: unknown): Tombstone | null => {
  const read = v.safeParse(tombstoneShape, value)
  return read.success ? read.output : null
}

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
const adapterOf = ({ info }: Trace, report: Report | null): string =>
  report?.environment.adapterName ?? adapterNameOf(info)

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
  }
}
