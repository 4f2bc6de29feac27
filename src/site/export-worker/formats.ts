/** The files that a run is written as, part by part, and what page and export worker say to each other. */
import { traceEventGzip, traceEventParts } from '../../trace/formats/trace-event'
import { encodeRun, type SavedRun } from '../../trace/encode-run'
import { encodeParts, gzipBytes } from '../../trace/gzip'
import type { Fault } from '../../base/fault'

export type FileKind = 'trace-event' | 'trace-event-gzip' | 'own-gzip'

/** One worker writes one file and is gone. */
export interface ExportRequest extends SavedRun {
  readonly kind: FileKind
}

export type ExportEvent =
  | { readonly type: 'done'; readonly file: Blob }
  | { readonly type: 'failed'; readonly fault: Fault }

const TYPES: Readonly<Record<FileKind, string>> = {
  'trace-event': 'application/json',
  'trace-event-gzip': 'application/gzip',
  'own-gzip': 'application/gzip',
}

/** Text goes into the Blob in parts of some 10^4 spans: a million spans are more than one string may hold. */
export async function writeFile(kind: FileKind, { trace, report }: SavedRun): Promise<Blob> {
  return new Blob(await partsOf(kind, { trace, report }), { type: TYPES[kind] })
}

async function partsOf(kind: FileKind, { trace, report }: SavedRun): Promise<BlobPart[]> {
  switch (kind) {
    case 'trace-event':
      return [...encodeParts(traceEventParts(trace, report))]
    case 'trace-event-gzip':
      return [await traceEventGzip(trace, report)]
    case 'own-gzip':
      return [await gzipBytes(encodeRun({ trace, report }))]
  }
}
