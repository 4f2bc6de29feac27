/**
 * Every stretch in which a device did nothing, with its cause and the evidence: within the repeats of a run (findGaps), or of whole
 * devices, of any trace (GapFinder, asked by devices.ts).
 *
 * A gap lies where no work covers the device's time. Its length is a difference of device ticks and needs no clock fit. Its cause does:
 * it asks whether submit() of the work after came before the gap began or after it, and what the host did until then. The fit's bounds
 * decide whether that can be determined at all.
 *
 *   device  ▇ before ▇│            gap            │▇ after ▇        submit() before the gap began, bounds included:
 *   host        ▁▁▁wait▁▁▁▁▁▁ ▇encode▇▇submit▇                         launch-overhead (or the upload it carries)
 *                     └── what it did here is the cause ──┘          submit() after: host-waited, rank-waited, upload-not-ready, host-late
 */
import { addTo } from '../base/lists'
import { GAP_CAUSES, gapsOfColumns, GapTable, type FoundGap, type Gap, type GapCause } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, type SpanColumns, type Trace } from '../trace/schema'
import type { LostStretch } from './coverage'
import { deviceWindows } from './device-windows'
import { GapEvidence } from './gap-evidence'

/** Within the repeats, of all device lanes, by lane, repeat and start. */
export function findGaps(placed: PlacedTrace): readonly Gap[] {
  const { spans } = placed.trace
  const windows = deviceWindows(placed.trace)
  if (windows.length === 0) return []
  const copies = copiesByRepeat(placed.trace)
  const finder = new GapFinder(placed, new GapEvidence(placed), (span) => spans.kind[span] === COMPUTE)
  for (const { lane, variantIndex, repeat, passes } of windows) {
    const own = copies.get(repeatKey(lane, variantIndex, repeat))
    finder.search(lane, own ? byStart(spans, [...passes, ...own]) : passes)
  }
  return finder.gaps()
}

const COMPUTE = SPAN_KINDS.indexOf('compute')
const TRANSFER = SPAN_KINDS.indexOf('transfer')

const repeatKey = (lane: number, variant: number, repeat: number) =>
  `${String(lane)} ${String(variant)} ${String(repeat)}`

/** Copies bracketed by passes: the device was at work there, though not in a pass. */
function copiesByRepeat({ spans }: Trace): ReadonlyMap<string, readonly number[]> {
  const copies = new Map<string, number[]>()
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.kind[span] !== TRANSFER) continue
    const key = repeatKey(spans.lane[span] ?? -1, spans.variant[span] ?? -1, spans.repeat[span] ?? -1)
    addTo(copies, key, span)
  }
  return copies
}

/** A list that is in order already, as a recorded lane is, costs one pass. */
export function byStart({ start, end }: SpanColumns, work: readonly number[]): readonly number[] {
  const compare = (a: number, b: number) =>
    (start[a] ?? 0) - (start[b] ?? 0) || (end[a] ?? 0) - (end[b] ?? 0) || a - b
  const isSorted = work.every((span, index) => index === 0 || compare(work[index - 1] ?? span, span) <= 0)
  return isSorted ? work : [...work].sort(compare)
}

export class GapFinder {
  readonly #placed: PlacedTrace
  readonly #evidence: GapEvidence
  readonly #isEvent: (span: number) => boolean
  readonly #searches: { readonly lane: number; readonly work: readonly number[] }[] = []

  /** `isEvent`: may stand beside a gap. Copies that were only bracketed by passes are no events of their own. */
  constructor(placed: PlacedTrace, evidence: GapEvidence, isEvent: (span: number) => boolean) {
    this.#placed = placed
    this.#evidence = evidence
    this.#isEvent = isEvent
  }

  /** `work`: that of one device, by start, all on the clock of `lane`. */
  search(lane: number, work: readonly number[]): void {
    this.#searches.push({ lane, work })
  }

  /** All gaps found, in their order. @param causesOf their causes in terms of a program */
  gaps(causesOf?: (gaps: readonly Gap[]) => readonly GapCause[]): readonly Gap[] {
    // Before each span of work one may lie, and one at each end.
    const most = this.#searches.reduce((sum, { work }) => sum + work.length + 2, 0)
    const table = new GapTable(most)
    for (const { lane, work } of this.#searches) this.#findIn(lane, work, table)
    const columns = table.columns()
    const { before, after, startNs, endNs, cause } = columns
    const rows: readonly Gap[] = gapsOfColumns(columns, this.#placed.trace.spans, (row) => {
      const onHost = { start: startNs[row] ?? Number.NaN, end: endNs[row] ?? Number.NaN }
      const seen = this.#evidence.find(before[row] ?? -1, after[row] ?? -1, onHost)
      return [seen.say(), gapNote(rows[row]?.cause ?? seen.cause, seen.cause)].filter(Boolean).join(' ')
    })
    for (const [row, one] of causesOf?.(rows).entries() ?? []) cause[row] = GAP_CAUSES.indexOf(one)
    return rows
  }

  /** On both sides of a stretch that no work covers stands the event that ended last before it and the one that begins first after it. */
  #findIn(lane: number, work: readonly number[], into: GapTable): void {
    const { start, end } = this.#placed.trace.spans
    const place = this.#placeOf(lane)
    const leading = this.#evidence.stretchBefore(work[0] ?? -1)
    if (leading) into.add(this.#lost(leading, -1, work[0] ?? -1))
    const nextEvent = new Int32Array(work.length).fill(-1)
    for (let index = work.length - 1, next = -1; index >= 0; index -= 1) {
      if (this.#isEvent(work[index] ?? -1)) next = work[index] ?? -1
      nextEvent[index] = next
    }
    let [lastEnd, before, beforeEnd] = [-Infinity, -1, -Infinity]
    for (const [index, span] of work.entries()) {
      const [from, to] = [start[span] ?? 0, end[span] ?? 0]
      const after = nextEvent[index] ?? -1
      if (from > lastEnd && before >= 0 && after >= 0) {
        const [startNs, endNs] = [place(lastEnd), place(from)]
        const { cause, spans } = this.#evidence.find(before, after, { start: startNs, end: endNs })
        const durationNs = from - lastEnd
        into.add({ before, after, startNs, endNs, deviceStartNs: lastEnd, durationNs, cause, spans })
      }
      // Passes may be stamped as overlapping (TOP_OF_PIPE): what counts is the last end so far.
      lastEnd = Math.max(lastEnd, to)
      if (this.#isEvent(span) && to >= beforeEnd) [before, beforeEnd] = [span, to]
    }
    const trailing = this.#evidence.stretchAfter(before)
    if (trailing) into.add(this.#lost(trailing, before, -1))
  }

  /** Beside the work of a device, at its one end or its other. */
  #lost({ startNs, endNs }: LostStretch, before: number, after: number): FoundGap {
    const { start, end } = this.#placed.trace.spans
    const durationNs = endNs - startNs
    const deviceStartNs = before < 0 ? (start[after] ?? 0) - durationNs : (end[before] ?? 0)
    return { before, after, startNs, endNs, deviceStartNs, durationNs, cause: 'not-recorded', spans: [] }
  }

  /** From the device's ticks to the host's axis. */
  #placeOf(lane: number): (tick: number) => number {
    const { trace, fits } = this.#placed
    const index = trace.lanes[lane]?.clock ?? -1
    const [fit, clock] = [fits[index], trace.clocks[index]]
    if (fit) return (tick) => fit.toHostNs(tick + (clock?.stepNs ?? 0) / 2)
    return clock?.kind === 'host' ? (tick) => tick : () => Number.NaN
  }
}

/** To follow the evidence of a gap, which is of the host in it; '' where that says all. @param seen its cause by that */
function gapNote(cause: GapCause, seen: GapCause): string {
  if (cause === 'profiler') return 'The profiler itself was at work for most of it.'
  if (cause === 'first-step')
    return 'It lies in the first step that was recorded, or at a first use of the GPU and its libraries.'
  return cause === 'read-back' && seen === 'host-late'
    ? 'Without the read before it the host would have been ahead.'
    : ''
}
