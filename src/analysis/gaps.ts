/**
 * Every stretch in which a device did nothing, with its cause and the evidence: within the repeats
 * of a run (findGaps), or of whole devices, of any trace (gapsIn, asked by devices.ts).
 *
 * A gap lies where no work covers the device's time. Its length is a difference of device ticks and
 * needs no clock fit. Its cause does: it asks whether submit() of the work after came before the
 * gap began or after it, and what the host did until then. The fit's bounds decide whether that can
 * be determined at all.
 *
 *   device  ▇ before ▇│            gap            │▇ after ▇        submit() before the gap began, bounds included:
 *   host        ▁▁▁wait▁▁▁▁▁▁ ▇encode▇▇submit▇                         launch-overhead (or the upload it carries)
 *                     └── what it did here is the cause ──┘          submit() after: host-waited, rank-waited, upload-not-ready, host-late
 */
import { giveWay } from '../base/give-way'
import { rowsThat } from '../trace/columns'
import { GAP_CAUSES, gapsOfColumns, GapTable, type FoundGap, type Gap, type GapCause } from '../trace/gaps'
import { toHostNs } from '../trace/clock'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, type SpanColumns } from '../trace/schema'
import type { LostStretch } from './coverage'
import { GapEvidence } from './gap-evidence'

const COMPUTE = SPAN_KINDS.indexOf('compute')
const TRANSFER = SPAN_KINDS.indexOf('transfer')

/** Within the repeats, of all device lanes, by lane and start. */
export function findGaps(placed: PlacedTrace): readonly Gap[] {
  const { spans, lanes, clocks } = placed.trace
  const searches = lanes
    .filter(({ clock }) => clocks[clock]?.kind === 'device')
    .map(({ id }) => {
      // Copies are bracketed by passes: the device was at work there, though not in a pass.
      const isWork = (span: number) => spans.kind[span] === COMPUTE || spans.kind[span] === TRANSFER
      const work = rowsThat(spans.length, (span) => spans.lane[span] === id && isWork(span))
      return { lane: id, work: byStart(spans, work) }
    })
  const isPass = (span: number) => spans.kind[span] === COMPUTE
  return gapsIn(placed, new GapEvidence(placed), isPass, searches).filter(
    ({ before, repeat, variant }) =>
      repeat >= 0 && variant >= 0 && spans.repeat[before] === repeat && spans.variant[before] === variant,
  )
}

/** A list that is in order already, as a recorded lane is, costs one pass. */
export function byStart({ start, end }: SpanColumns, work: readonly number[]): readonly number[] {
  const compare = (a: number, b: number) =>
    (start[a] ?? 0) - (start[b] ?? 0) || (end[a] ?? 0) - (end[b] ?? 0) || a - b
  const isSorted = work.every((span, index) => index === 0 || compare(work[index - 1] ?? span, span) <= 0)
  return isSorted ? work : [...work].sort(compare)
}

/** Work of one device, by start, all on the clock of `lane`. */
interface Search {
  readonly lane: number
  readonly work: readonly number[]
}

/**
 * All gaps, in the order of the searches.
 *
 * @param isEvent may stand beside a gap: copies that were only bracketed by passes are no events
 * @param causesOf their causes in terms of a program
 */
export function gapsIn(
  placed: PlacedTrace,
  evidence: GapEvidence,
  isEvent: (span: number) => boolean,
  searches: readonly Search[],
  causesOf?: (gaps: readonly Gap[]) => readonly GapCause[],
): readonly Gap[] {
  const table = new GapTable()
  for (const search of searches) findIn(placed, evidence, isEvent, search, table)
  const columns = table.columns()
  const { before, after, startNs, endNs, cause } = columns
  const rows: readonly Gap[] = gapsOfColumns(columns, placed.trace.spans, (row) => {
    const onHost = { start: startNs[row] ?? Number.NaN, end: endNs[row] ?? Number.NaN }
    const seen = evidence.find(before[row] ?? -1, after[row] ?? -1, onHost)
    return [seen.say(), gapNote(rows[row]?.cause ?? seen.cause, seen.cause)].filter(Boolean).join(' ')
  })
  for (const [row, one] of causesOf?.(rows).entries() ?? []) cause[row] = GAP_CAUSES.indexOf(one)
  return rows
}

/**
 * On both sides of a stretch that no work covers stands the event that ended last before it and the
 * one that begins first after it.
 */
function findIn(
  placed: PlacedTrace,
  evidence: GapEvidence,
  isEvent: (span: number) => boolean,
  { lane, work }: Search,
  into: GapTable,
): void {
  const { start, end } = placed.trace.spans
  const [place, first = -1] = [placeOf(placed, lane), work[0]]
  const lost = ({ startNs, endNs }: LostStretch, gap: Pick<FoundGap, 'before' | 'after'>): FoundGap => {
    const durationNs = endNs - startNs
    const deviceStartNs = gap.before < 0 ? (start[gap.after] ?? 0) - durationNs : (end[gap.before] ?? 0)
    return { ...gap, startNs, endNs, deviceStartNs, durationNs, cause: 'not-recorded', spans: [] }
  }
  const leading = evidence.stretchBefore(first)
  if (leading) into.add(lost(leading, { before: -1, after: first }))
  const nextEvent = new Int32Array(work.length).fill(-1)
  for (let index = work.length - 1, next = -1; index >= 0; index -= 1) {
    if (isEvent(work[index] ?? -1)) next = work[index] ?? -1
    nextEvent[index] = next
  }
  let [lastEnd, before, beforeEnd] = [-Infinity, -1, -Infinity]
  for (const [index, span] of work.entries()) {
    if (index % 4096 === 0) giveWay()
    const [from, to] = [start[span] ?? 0, end[span] ?? 0]
    const after = nextEvent[index] ?? -1
    if (from > lastEnd && before >= 0 && after >= 0) {
      const [startNs, endNs] = [place(lastEnd), place(from)]
      const { cause, spans } = evidence.find(before, after, { start: startNs, end: endNs })
      const durationNs = from - lastEnd
      into.add({ before, after, startNs, endNs, deviceStartNs: lastEnd, durationNs, cause, spans })
    }
    // Passes may be stamped as overlapping (TOP_OF_PIPE): what counts is the last end so far.
    lastEnd = Math.max(lastEnd, to)
    if (isEvent(span) && to >= beforeEnd) [before, beforeEnd] = [span, to]
  }
  const trailing = evidence.stretchAfter(before)
  if (trailing) into.add(lost(trailing, { before, after: -1 }))
}

/** Maps the device's ticks to the host's axis. */
function placeOf({ trace, fits }: PlacedTrace, lane: number): (tick: number) => number {
  const index = trace.lanes[lane]?.clock ?? -1
  const [fit, clock] = [fits[index], trace.clocks[index]]
  if (fit) return (tick) => toHostNs(fit, tick + (clock?.stepNs ?? 0) / 2)
  return clock?.kind === 'host' ? (tick) => tick : () => Number.NaN
}

/**
 * To follow the evidence of a gap, which is of the host in it; '' where that says all.
 * @param seen its cause by that
 */
function gapNote(cause: GapCause, seen: GapCause): string {
  if (cause === 'profiler') return 'The profiler itself was at work for most of it.'
  if (cause === 'first-step')
    return 'It is in the first recorded step, or at a first use of the GPU and its libraries.'
  return cause === 'read-back' && seen === 'host-late'
    ? 'Without the read before it, the host would have been ahead.'
    : ''
}
