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

/** @param spanOf −1: it is not drawn. @param rows how many were read */
export function* addKinetoFlows(
  { events, texts, pidOf, tidOf }: EventFile,
  joins: Correlations,
  spanOf: (row: number) => number,
  rows: number,
  out: TraceBuilder,
): Generator<number, void> {
  const { columns } = events
  const endNs = (row: number) => events.endNsOf(row)
  const uses: category.CallUse[] = []
  const callUse = (name: number) => (uses[name] ??= category.callUseOf(texts.text(name)))
  const callOf = (row: number) => joins.calls[columns.key[row] ?? 0] ?? -1
  const work: number[] = []
  const waits: number[] = []
  for (let row = 0; row < rows; row += 1) {
    if (row % ROWS_PER_TURN === 0) yield 0.82 + (0.04 * row) / rows
    const group = columns.group[row] ?? 0
    const isWork = category.isDeviceWork(group)
    if (!isWork && group !== category.CALL) continue
    const span = spanOf(row)
    if (span < 0) continue
    if (!isWork) {
      if (WAITS.has(callUse(columns.name[row] ?? 0))) waits.push(row)
      continue
    }
    const call = callOf(row)
    const from = call < 0 ? -1 : spanOf(call)
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
    return call < 0 ? -Infinity : events.nsOf(call)
  }
  const device = { rows: work, deviceOf: pidOf, streamOf: tidOf, endNs, calledNs }
  const edges = new SyncEdges(device, joins.leadNs)
  for (const [index, row] of waits.entries()) {
    if (index % ROWS_PER_TURN === 0) yield 0.87 + (0.03 * index) / waits.length
    const use = callUse(columns.name[row] ?? 0)
    const said = joins.waits.get(columns.key[row] ?? 0)
    const device = said?.device ?? edges.onlyDevice
    const stream = use === 'wait-device' ? null : said && said.stream !== 0 ? said.stream : edges.onlyStream
    const record = said ? (joins.calls[said.record] ?? -1) : -1
    // Which device, stream or event it was the file does not say: no arrow.
    if (device === null || (use !== 'wait-device' && stream === null)) continue
    if (use === 'wait-event' && record < 0) continue
    const found = edges.find({
      startNs: events.nsOf(row),
      endNs: endNs(row),
      device,
      stream,
      launchedBeforeNs: events.nsOf(use === 'wait-event' ? record : row),
    })
    if (found !== null) out.addFlow(spanOf(found), spanOf(row), 'sync')
  }
}
const ROWS_PER_TURN = 50_000
const WAITS: ReadonlySet<category.CallUse> = new Set(['wait-device', 'wait-stream', 'wait-event'])
