/**
 * Every stretch of a repeat in which the device did nothing, with its cause and the evidence.
 *
 * A gap lies between consecutive passes of one (variant, repeat), where neither a pass nor a bracketed copy covers it. Its length
 * is a difference of device ticks and needs no clock fit. Its cause does: it asks whether submit() of the pass after came before
 * the gap began or after it, and what the host did until then. The fit's bounds decide whether that can be told at all.
 *
 *   device  ▇ before ▇│            gap            │▇ after ▇        submit() before the gap began, bounds included:
 *   host        ▁▁▁wait▁▁▁▁▁▁ ▇encode▇▇submit▇                         launch-overhead (or the upload it carries)
 *                     └── what it did here is the cause ──┘          submit() after: host-waited, rank-waited, upload-not-ready, host-late
 */
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS } from '../trace/schema'
import { deviceWindows, type DeviceWindow } from './device-windows'
import { GapEvidence } from './gap-evidence'
import { GapTable, TableGap } from './gap-table'
import { subtractFrom, union } from './intervals'
import type { Gap, Interval } from './types'

/** Gaps of all device lanes, by lane, repeat and start. */
export function findGaps(placed: PlacedTrace): readonly Gap[] {
  const windows = deviceWindows(placed.trace)
  if (windows.length === 0) return []
  const table = new GapTable(placed.trace, new GapEvidence(placed))
  const copies = copiesByWindow(placed)
  return windows.flatMap((window) => gapsOf(window, placed, table, copies.get(windowKey(window)) ?? []))
}

const windowKey = ({ lane, variantIndex, repeat }: { lane: number; variantIndex: number; repeat: number }) =>
  `${String(lane)} ${String(variantIndex)} ${String(repeat)}`

/** Copies bracketed by passes, in ticks: the device was at work there, though not in a pass. */
function copiesByWindow({ trace: { spans } }: PlacedTrace): ReadonlyMap<string, readonly Interval[]> {
  const transfer = SPAN_KINDS.indexOf('transfer')
  const copies = new Map<string, Interval[]>()
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.kind[span] !== transfer) continue
    const key = windowKey({
      lane: spans.lane[span] ?? -1,
      variantIndex: spans.variant[span] ?? -1,
      repeat: spans.repeat[span] ?? -1,
    })
    const list = copies.get(key) ?? []
    list.push({ start: spans.start[span] ?? 0, end: spans.end[span] ?? 0 })
    copies.set(key, list)
  }
  return new Map([...copies].map(([key, list]) => [key, union(list)]))
}

function gapsOf(
  window: DeviceWindow,
  { trace, fits }: PlacedTrace,
  table: GapTable,
  copies: readonly Interval[],
): readonly Gap[] {
  const { start, end } = trace.spans
  const clock = trace.lanes[window.lane]?.clock ?? -1
  const fit = fits[clock] ?? null
  const middle = (trace.clocks[clock]?.stepNs ?? 0) / 2
  const place = (tick: number) => (fit ? fit.toHostNs(tick + middle) : Number.NaN)
  const gaps: Gap[] = []
  let before = window.passes[0] ?? -1
  let firstCopy = 0
  for (const after of window.passes.slice(1)) {
    const idle = { start: end[before] ?? 0, end: start[after] ?? 0 }
    // Gaps of a window come in order: copies that ended before this one are done with.
    while ((copies[firstCopy]?.end ?? Infinity) <= idle.start) firstCopy += 1
    for (const onDevice of idle.end > idle.start ? subtractFrom(idle, copies, firstCopy) : []) {
      const onHost = { start: place(onDevice.start), end: place(onDevice.end) }
      gaps.push(new TableGap(table, table.add({ before, after, onHost, onDevice })))
    }
    // Passes may be stamped as overlapping (TOP_OF_PIPE): what counts is the last end so far.
    if ((end[after] ?? 0) >= (end[before] ?? 0)) before = after
  }
  return gaps
}
