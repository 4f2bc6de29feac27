/**
 * A run as files: the lab's own format (read back exactly), Trace Event JSON (for Perfetto and chrome://tracing), plain and gzipped.
 * Loaded when first asked for: the first page needs none of it.
 */
import { fail, succeed, type Result } from '../base/result'
import type { Report } from '../trace/report'
import type { RunInfo, Trace } from '../trace/schema'
import type { LoadedRun } from './run-store'

export interface RunFiles {
  traceEventJson: (trace: Trace, report: Report | null) => Promise<string>
  traceEventGzip: (trace: Trace, report: Report | null) => Promise<Uint8Array<ArrayBuffer>>
  /** Own format, gzipped. */
  runBytes: (trace: Trace, report: Report | null) => Promise<Uint8Array<ArrayBuffer>>
  readRun: (bytes: Uint8Array, origin: RunInfo['origin']) => Promise<Result<LoadedRun>>
}

const codec = async () => await import('../trace/codec')
const traceEvent = async () => await import('../formats/trace-event')

export const runFiles: RunFiles = {
  traceEventJson: async (trace, report) => (await traceEvent()).traceEventText(trace, report),
  traceEventGzip: async (trace, report) => await (await traceEvent()).traceEventGzip(trace, report),
  runBytes: async (trace, report) => {
    const { encodeRun, gzipBytes } = await codec()
    return await gzipBytes(encodeRun({ trace, report }))
  },
  readRun: async (bytes, origin) => {
    const read = await (await codec()).decodeRun(bytes, { origin })
    if (read.ok) return succeed(read.value)
    const { code, message } = read.error
    return fail({ code: 'file', message, data: { problem: code } })
  },
}
