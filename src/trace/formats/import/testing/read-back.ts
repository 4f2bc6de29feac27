/** Opened files as plain rows, for tests. Test code only. */
import { FLOW_KINDS, SPAN_KINDS, SPAN_ROLES, type Trace } from '../../../schema'
import { openTraceFile, type OpenedTrace } from '../open-trace'

export async function opened(file: string | Uint8Array): Promise<OpenedTrace> {
  const result = await openTraceFile(typeof file === 'string' ? new TextEncoder().encode(file) : file)
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

export async function refused(file: string | Uint8Array): Promise<string> {
  const result = await openTraceFile(typeof file === 'string' ? new TextEncoder().encode(file) : file)
  if (result.ok) throw new Error(`opened: ${String(result.value.trace.spans.length)} spans`)
  return result.error.message
}

export const rows = ({ spans, strings, lanes }: Trace) =>
  Array.from({ length: spans.length }, (_, span) => ({
    name: strings[spans.name[span] ?? -1],
    lane: lanes[spans.lane[span] ?? -1]?.name,
    laneKind: lanes[spans.lane[span] ?? -1]?.kind,
    kind: SPAN_KINDS[spans.kind[span] ?? -1],
    role: SPAN_ROLES[spans.role[span] ?? -1],
    start: spans.start[span] ?? Number.NaN,
    end: spans.end[span] ?? Number.NaN,
    submission: spans.submission[span],
    step: spans.step[span],
    line: spans.line[span],
    bytes: spans.bytes[span],
  }))

/** Each flow’s kind, and the names of the spans that it joins. */
export const flowsOf = ({ flows, spans, strings }: Trace) =>
  Array.from({ length: flows.length }, (_, row) => {
    const nameOf = (span = -1) => strings[spans.name[span] ?? -1] ?? ''
    return [FLOW_KINDS[flows.kind[row] ?? -1], nameOf(flows.from[row]), nameOf(flows.to[row])]
  })
