/** What torch.profiler's categories become, and the arrows between calls and work: launches by correlation, waits by sync-edges.ts. */
import type { TraceBuilder } from '../../trace/builder'
import type { SpanKind } from '../../trace/schema'
import * as category from './categories'
import type { Correlations } from './correlations'
import type { EventFile } from './event-reader'
import { SyncEdges, type DeviceWork } from './sync-edges'
import type { TimeBase } from './time-base'

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
  if (use !== 'other') return 'host-wait'
  return isCause ? 'submit' : 'host-work'
}

export function addKinetoFlows(
  { events, texts }: EventFile,
  base: TimeBase,
  groups: readonly number[],
  joins: Correlations,
  spanOf: Int32Array,
  out: TraceBuilder,
): void {
  const { columns, length } = events
  const startNs = (row: number) => base.nsOf(row)
  const endNs = (row: number) => base.nsOf(row) + (columns.durationNs[row] ?? 0)
  const uses: category.CallUse[] = []
  const useOf = (name: number) => (uses[name] ??= category.useOf(texts.text(name)))
  const work: DeviceWork[] = []
  const calls: number[] = []
  for (let row = 0; row < length; row += 1) {
    const group = groups[columns.category[row] ?? 0] ?? 0
    const span = spanOf[row] ?? -1
    if (span < 0) continue
    if (group === category.CALL) calls.push(row)
    if (!category.isDeviceWork(group)) continue
    const call = joins.calls.get(joins.ofRow[row] ?? 0)
    const from = call === undefined ? -1 : (spanOf[call] ?? -1)
    if (call !== undefined && from >= 0) {
      out.addFlow(from, span, 'submit')
      const isBlocking = useOf(columns.name[call] ?? 0) === 'blocking-copy'
      if (isBlocking && endNs(row) <= endNs(call) + joins.leadNs) out.addFlow(span, from, 'sync')
    }
    work.push({
      span,
      device: columns.pid[row] ?? 0,
      stream: columns.tid[row] ?? 0,
      endNs: endNs(row),
      calledNs: call === undefined ? -Infinity : startNs(call),
    })
  }
  const edges = new SyncEdges(work, joins.leadNs)
  const onlyStream = edges.streams === 1 ? (work[0]?.stream ?? null) : undefined
  for (const row of calls) {
    const use = useOf(columns.name[row] ?? 0)
    if (!use.startsWith('wait')) continue
    const said = joins.waits.get(joins.ofRow[row] ?? 0)
    const stream = use === 'wait-device' ? null : said && said.stream !== 0 ? said.stream : onlyStream
    const record = said && joins.calls.get(said.record)
    if (stream === undefined || (use === 'wait-event' && record === undefined)) continue
    const found = edges.find({
      span: spanOf[row] ?? -1,
      startNs: startNs(row),
      endNs: endNs(row),
      stream,
      launchedBeforeNs: startNs(use === 'wait-event' && record !== undefined ? record : row),
    })
    if (found !== null) out.addFlow(found, spanOf[row] ?? -1, 'sync')
  }
}
