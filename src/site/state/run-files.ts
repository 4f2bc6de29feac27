/**
 * A run as files: the lab's own format, which is read back exactly, and Trace Event JSON for
 * Perfetto and chrome://tracing. What writes and reads them is loaded when first asked for.
 */
import { fail, succeed, type Result } from '../../base/fault'
import type { Report } from '../../trace/report'
import type { RunInfo, Trace } from '../../trace/schema'
import type { FileKind, ExportRequest } from '../export-worker/formats'
import type { LoadedRun } from './run-store'

export type RunFiles = ReturnType<typeof createRunFiles>

/** `write` is the export worker's client. */
export const createRunFiles = (write: (request: ExportRequest) => Promise<Blob>) => ({
  /** Written in a worker. */
  file: (kind: FileKind, trace: Trace, report: Report | null) => write({ kind, trace, report }),
  /** Own format, gzipped. */
  runBytes: async (trace: Trace, report: Report | null) =>
    new Uint8Array(await (await write({ kind: 'own-gzip', trace, report })).arrayBuffer()),
  /**
   * Gives the run to Perfetto's page, in a window; resolves with what has happened, in words. In
   * answer to a click only.
   */
  openInPerfetto: async (trace: Trace, report: Report | null, name: string) => {
    const [zipped, { openInPerfetto }] = await Promise.all([
      write({ kind: 'trace-event-gzip', trace, report }),
      import('./perfetto'),
    ])
    const buffer = await zipped.arrayBuffer()
    return await openInPerfetto({
      title: `Host/Device Lab: ${name}`,
      fileName: `${name}.trace.json.gz`,
      buffer,
    })
  },
  readRun: async (bytes: Uint8Array, origin: RunInfo['origin']): Promise<Result<LoadedRun>> => {
    const { decodeRun } = await import('../../trace/codec')
    const read = await decodeRun(bytes, { origin })
    if (read.ok) return succeed(read.value)
    return fail({ code: 'file', message: read.error.message, data: { problem: read.error.code } })
  },
})
