/** Files in one string, for short traces. Test code only. */
import type { Report } from '../../report'
import type { Trace } from '../../schema'
import { traceEventParts } from '../trace-event'

export const traceEventText = (trace: Trace, report: Report | null = null): string =>
  [...traceEventParts(trace, report)].join('')
