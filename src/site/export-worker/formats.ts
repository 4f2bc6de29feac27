/** The files that a run is written as, and what page and export worker say to each other. */
import { traceEventGzip } from '../../trace/formats/trace-event'
import { encodeRun, type SavedRun } from '../../trace/encode-run'
import { gzipBytes } from '../../trace/gzip'
import type { Fault } from '../../base/fault'

export type FileKind = 'trace-event-gzip' | 'own-gzip'

/** One worker writes one file and is gone. */
export interface ExportRequest extends SavedRun {
  readonly kind: FileKind
}

export type ExportEvent =
  | { readonly type: 'done'; readonly file: Blob }
  | { readonly type: 'failed'; readonly fault: Fault }

export async function writeFile(kind: FileKind, { trace, report }: SavedRun): Promise<Blob> {
  const bytes =
    kind === 'own-gzip' ? await gzipBytes(encodeRun({ trace, report })) : await traceEventGzip(trace, report)
  return new Blob([bytes], { type: 'application/gzip' })
}
