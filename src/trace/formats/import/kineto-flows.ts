/**
 * What torch.profiler's categories become, and the arrows between calls and work: launches by
 * correlation, waits by sync-edges.ts.
 */
import type { TraceBuilder } from '../../builder'
import type { SpanKind } from '../../schema'
import * as category from '../../vendors'
import type { Correlations } from './correlations'
import type { EventFile } from './event-file'
import { SyncEdges } from './sync-edges'

export function kindOfCategory(group: number): SpanKind {
  switch (group) {
    case category.KERNEL:
      return 'compute'
    case category.COPY:
    case category.MEMSET:
      return 'transfer'
    case category.OPERATOR:
      return 'host-work'
    default:
      return 'other'
  }
}

export function kindOfCall(use: category.CallUse, isCause: boolean): SpanKind {
  if (use === 'launch') return 'submit'
  if (use.startsWith('wait-') || use === 'blocking-copy') return 'host-wait'
  return isCause ? 'submit' : 'host-work'
}

/** @param spanOf −1: it is not drawn */
export function addKinetoFlows(
  file: EventFile,
  joins: Correlations,
  spanOf: (row: number) => number,
  out: TraceBuilder,
): void {
  const { events, texts } = file
  const { columns } = events
  const useOfName = texts.asked(category.callUseOf)
  const useOf = (call: number) => useOfName(columns.name[call] ?? 0)
  joins.workRows.forEach((row) => {
    const call = joins.calls[columns.key[row] ?? 0] ?? -1
    const from = call < 0 ? -1 : spanOf(call)
    const to = spanOf(row)
    if (from < 0 || to < 0) return
    out.addFlow(from, to, 'submit')
    if (useOf(call) === 'blocking-copy' && events.endNsOf(row) <= events.endNsOf(call) + joins.leadNs)
      out.addFlow(to, from, 'sync')
  })
  const edges = new SyncEdges(file, joins, (row) => spanOf(row) >= 0)
  joins.callRows.forEach((row) => {
    const span = spanOf(row)
    const use = useOf(row)
    if (span < 0 || !WAITS.has(use)) return
    const said = joins.waits.get(columns.key[row] ?? 0)
    const device = said?.device ?? edges.onlyDevice
    const stream = use === 'wait-device' ? null : said && said.stream !== 0 ? said.stream : edges.onlyStream
    const record = said ? (joins.calls[said.record] ?? -1) : -1
    // Which device, stream or event it was the file does not say: no arrow.
    if (device === null || (use !== 'wait-device' && stream === null)) return
    if (use === 'wait-event' && record < 0) return
    const launchedBeforeNs = events.nsOf(use === 'wait-event' ? record : row)
    const found = edges.find(row, device, stream, launchedBeforeNs)
    if (found !== null) out.addFlow(spanOf(found), span, 'sync')
  })
}
const WAITS: ReadonlySet<category.CallUse> = new Set(['wait-device', 'wait-stream', 'wait-event'])
