/**
 * What torch.profiler's categories become, and the arrows between calls and work: launches by
 * correlation, waits by sync-edges.ts.
 */
import type { TraceBuilder } from '../../builder'
import type { SpanKind } from '../../schema'
import * as category from '../../vendors'
import type { Correlations } from './correlations'
import type { EventFile } from './event-reader'
import { SyncEdges } from './sync-edges'
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
  if (use.startsWith('wait-') || use === 'blocking-copy') return 'host-wait'
  return isCause ? 'submit' : 'host-work'
}

export function* addKinetoFlows(
  { events, texts }: EventFile,
  base: TimeBase,
  classes: Uint8Array,
  joins: Correlations,
  spanOf: Int32Array,
  out: TraceBuilder,
): Generator<number, void> {
  const { columns, length } = events
  const startNs = (row: number) => base.nsOf(row)
  const endNs = (row: number) => base.nsOf(row) + (columns.durationNs[row] ?? 0)
  const uses: category.CallUse[] = []
  const callUse = (name: number) => (uses[name] ??= category.callUseOf(texts.text(name)))
  const callOf = (row: number) => joins.calls[joins.ofRow[row] ?? 0] ?? -1
  const work: number[] = []
  const calls: number[] = []
  for (let row = 0; row < length; row += 1) {
    if (row % ROWS_PER_TURN === 0) yield 0.82 + (0.04 * row) / length
    const group = classes[row] ?? 0
    const span = spanOf[row] ?? -1
    if (span < 0) continue
    if (group === category.CALL) calls.push(row)
    if (!category.isDeviceWork(group)) continue
    const call = callOf(row)
    const from = spanOf[call] ?? -1
    if (from >= 0) {
      out.addFlow(from, span, 'submit')
      const isBlocking = callUse(columns.name[call] ?? 0) === 'blocking-copy'
      if (isBlocking && endNs(row) <= endNs(call) + joins.leadNs) out.addFlow(span, from, 'sync')
    }
    work.push(row)
  }
  yield 0.86
  const calledNs = (row: number) => {
    const call = callOf(row)
    return call < 0 ? -Infinity : startNs(call)
  }
  const device = { rows: work, device: columns.pid, stream: columns.tid, endNs, calledNs }
  const edges = new SyncEdges(device, joins.leadNs)
  for (const [index, row] of calls.entries()) {
    if (index % ROWS_PER_TURN === 0) yield 0.87 + (0.03 * index) / calls.length
    const use = callUse(columns.name[row] ?? 0)
    if (use !== 'wait-device' && use !== 'wait-stream' && use !== 'wait-event') continue
    const said = joins.waits.get(joins.ofRow[row] ?? 0)
    const device = said?.device ?? edges.onlyDevice
    const stream = use === 'wait-device' ? null : said && said.stream !== 0 ? said.stream : edges.onlyStream
    const record = said ? (joins.calls[said.record] ?? -1) : -1
    // Which device, stream or event it was the file does not say: no arrow.
    if (device === null || (use !== 'wait-device' && stream === null)) continue
    if (use === 'wait-event' && record < 0) continue
    const found = edges.find({
      startNs: startNs(row),
      endNs: endNs(row),
      device,
      stream,
      launchedBeforeNs: startNs(use === 'wait-event' ? record : row),
    })
    const to = spanOf[row] ?? -1
    if (found !== null) out.addFlow(spanOf[found] ?? -1, to, 'sync')
  }
}
const ROWS_PER_TURN = 50_000
