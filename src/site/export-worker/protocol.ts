/** What page and export worker say to each other. One worker writes one file and is gone. */
import type { Fault } from '../../base/fault'
import type { Report } from '../../trace/report'
import type { Trace } from '../../trace/schema'

export type FileKind = 'trace-event' | 'trace-event-gzip' | 'own-gzip'

export interface ExportRequest {
  readonly kind: FileKind
  readonly trace: Trace
  readonly report: Report | null
}

export type ExportEvent =
  | { readonly type: 'done'; readonly file: Blob }
  | { readonly type: 'failed'; readonly fault: Fault }
