/**
 * A run as files: the lab's own format (read back exactly), Trace Event JSON (for Perfetto and chrome://tracing), report.json.
 * Loaded when first asked for: the first page needs none of it.
 */
import type { Result } from '../base/result'
import type { Report } from '../trace/report'
import type { RunInfo, Trace } from '../trace/schema'
import type { LoadedRun } from './run-store'

export interface RunFiles {
  traceEventJson: (trace: Trace, report: Report | null) => Promise<string>
  gzip: (bytes: Uint8Array) => Promise<Uint8Array>
  /** Own format, gzipped. */
  runBytes: (trace: Trace, report: Report | null) => Promise<Uint8Array>
  readRun: (bytes: Uint8Array, origin: RunInfo['origin']) => Promise<Result<LoadedRun>>
}

export const runFiles: RunFiles = {
  traceEventJson: () => Promise.reject(new Error('not yet')),
  gzip: () => Promise.reject(new Error('not yet')),
  runBytes: () => Promise.reject(new Error('not yet')),
  readRun: () => Promise.reject(new Error('not yet')),
}
