/**
 * Spans as CSV (RFC 4180), one a line, for a spreadsheet or a data frame. Times in ns on the host's
 * clock from the trace's origin, as placed, with the bounds of each edge; an empty cell is 'does
 * not apply' or 'not placed'. Written in parts, as Trace Event is.
 */
import { csvFormatRow } from 'd3-dsv'
import { placeTrace, type PlacedTrace } from '../place'
import { SPAN_KINDS, SPAN_ROLES, SPAN_SOURCES, type Trace } from '../schema'
import { asText } from './csv-text'

const SPAN_COLUMNS_CSV = [
  'span',
  'group',
  'lane',
  'kind',
  'source',
  'name',
  'start_ns',
  'end_ns',
  'duration_ns',
  'start_bound_before_ns',
  'start_bound_after_ns',
  'end_bound_before_ns',
  'end_bound_after_ns',
  'variant',
  'repeat',
  'step',
  'submission',
  'bytes',
  'flops',
  'role',
  'line',
] as const

const ROWS_PER_PART = 10_000

const asNumber = (value: number): string => (Number.isFinite(value) ? String(value) : '')
/** -1 is 'does not apply'; repeats count down to -2, the warm-up. */
const asIndex = (value: number | undefined): string =>
  value === undefined || value === -1 ? '' : String(value)

/** 'none' is 'not known': an empty cell. */
const asRole = (role: number | undefined): string => (role ? (SPAN_ROLES[role] ?? '') : '')

/** The whole file in parts of some 10,000 lines each. */
export function* spansCsvParts(trace: Trace): Generator<string, void> {
  const placed = placeTrace(trace)
  let part = csvFormatRow([...SPAN_COLUMNS_CSV])
  for (let span = 0; span < trace.spans.length; span += 1) {
    part += `\r\n${csvFormatRow(cells(placed, span))}`
    if ((span + 1) % ROWS_PER_PART > 0) continue
    yield part
    part = ''
  }
  yield `${part}\r\n`
}

function cells({ trace, startNs, endNs, edgeBoundNs }: PlacedTrace, span: number): string[] {
  const { spans, strings, lanes } = trace
  const lane = lanes[spans.lane[span] ?? -1]
  const text = (index: number | undefined): string => asText(strings[index ?? -1] ?? '')
  // A difference of the lane's own clock where the lane could not be placed.
  const own = (spans.end[span] ?? Number.NaN) - (spans.start[span] ?? Number.NaN)
  const placedNs = (endNs[span] ?? Number.NaN) - (startNs[span] ?? Number.NaN)
  return [
    String(span),
    asText(lane?.group ?? ''),
    asText(lane?.name ?? ''),
    SPAN_KINDS[spans.kind[span] ?? -1] ?? 'other',
    SPAN_SOURCES[spans.source[span] ?? -1] ?? 'measured',
    text(spans.name[span]),
    asNumber(startNs[span] ?? Number.NaN),
    asNumber(endNs[span] ?? Number.NaN),
    asNumber(Number.isNaN(placedNs) ? own : placedNs),
    ...[...edgeBoundNs(span, 'start'), ...edgeBoundNs(span, 'end')].map(asNumber),
    (spans.variant[span] ?? -1) >= 0 ? text(spans.variant[span]) : '',
    asIndex(spans.repeat[span]),
    asIndex(spans.step[span]),
    asIndex(spans.submission[span]),
    asNumber(spans.bytes[span] ?? Number.NaN),
    asNumber(spans.flops[span] ?? Number.NaN),
    asRole(spans.role[span]),
    asIndex(spans.line[span]),
  ]
}
