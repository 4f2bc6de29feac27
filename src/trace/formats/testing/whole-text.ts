/** Files in one string, for short traces. Test code only. */
import type { Report } from '../../report'
import type { Trace } from '../../schema'
import { spansCsvParts } from '../spans-csv'
import { traceEventParts } from '../trace-event'

export const traceEventText = (trace: Trace, report: Report | null = null): string =>
  [...traceEventParts(trace, report)].join('')

export const spansCsvText = (trace: Trace): string => [...spansCsvParts(trace)].join('')

/** What `asText` of csv-text.ts was given. */
export const plainText = (cell: string): string =>
  cell.replace(/^'(?=[\t\r\n])/u, '').replace(/(^|[;\t\r\n])([\s"]*)'(?=['=+\-@＝＋－＠])/gu, '$1$2')
