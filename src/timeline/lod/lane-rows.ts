/**
 * Spans that overlap in a lane, in rows by depth. First fit in order of start: a span goes to the
 * first row that is free when it begins, so nested spans stack under their parent and nothing is
 * hidden. Waiting within a collective is the exception: it stands in the collective's own row,
 * which draws the collective from where the waiting ends, so that no pixel counts a moment of it
 * twice or as communication.
 */
import type { PlacedLane } from '../../trace/place'
import { blankRow, bucketOf, makePyramid, type Pyramid, type SpanRow } from './pyramid'
import { SPAN_KINDS, type SpanColumns } from '../../trace/schema'

/**
 * Row value of spans that no row draws: those left out, and those without a place on the host's
 * axis.
 */
export const NO_ROW = 0xffff

const COLLECTIVE = SPAN_KINDS.indexOf('collective')
const COLLECTIVE_WAIT = SPAN_KINDS.indexOf('collective-wait')

/** Waiting stands where its collective does. A wait without one is a span like others. */
export function placeWaits(lane: PlacedLane, kinds: Uint8Array, rowOf: Uint16Array): void {
  for (let at = 0; at < lane.length; at += 1) {
    if (kinds[lane.span[at] ?? -1] !== COLLECTIVE_WAIT) continue
    const holder = holderOf(lane, kinds, at)
    if (holder >= 0) rowOf[at] = rowOf[holder] ?? NO_ROW
  }
}

/**
 * A wait is written next to its collective: among more spans that begin with it than this, it has
 * none.
 */
const MOST_BETWEEN = 64

/** By position: the collective that a wait begins with; -1: none, or no wait. */
export function holderOf({ span, startNs, endNs }: PlacedLane, kinds: Uint8Array, wait: number): number {
  if (kinds[span[wait] ?? -1] !== COLLECTIVE_WAIT) return -1
  // The longer of two equal starts comes first.
  const least = Math.max(0, wait - MOST_BETWEEN)
  for (let at = wait - 1; at >= least && startNs[at] === startNs[wait]; at -= 1)
    if (kinds[span[at] ?? -1] === COLLECTIVE && (endNs[at] ?? 0) >= (endNs[wait] ?? 0)) return at
  return -1
}

/**
 * Fills `rowOf` (by position in the lane) and returns how many rows were used. `toleranceNs`
 * forgives overlaps below the clock's step. Where a lane is deeper than `maxRows` the last row
 * takes what is left over: nothing is dropped.
 */
export function assignRows(
  placed: PlacedLane,
  toleranceNs: number,
  maxRows: number,
  include: (span: number, position: number) => boolean,
  rowOf: Uint16Array,
  firstRow = 0,
): number {
  const rowEnd = new Float64Array(maxRows).fill(-Infinity)
  let used = 0
  for (let index = 0; index < placed.length; index += 1) {
    if (!include(placed.span[index] ?? 0, index)) continue
    const start = placed.startNs[index] ?? 0
    const end = placed.endNs[index] ?? 0
    if (!Number.isFinite(start) || !Number.isFinite(end)) continue
    let row = 0
    while (row < maxRows - 1 && (rowEnd[row] ?? 0) > start + toleranceNs) row += 1
    if (end > (rowEnd[row] ?? 0)) rowEnd[row] = end
    rowOf[index] = firstRow + row
    if (row >= used) used = row + 1
  }
  return used
}

/** Puts a span of the lane, by position, at the end of a row that holds `at` of them. */
export function addToRow(
  row: SpanRow,
  at: number,
  lane: PlacedLane,
  spans: SpanColumns,
  position: number,
): void {
  const holder = holderOf(lane, spans.kind, position)
  let own = at
  if (holder >= 0 && at > 0 && row.span[at - 1] === lane.span[holder]) {
    // The collective moves behind its waiting.
    own = at - 1
    row.span[at] = row.span[own] ?? 0
    row.startNs[at] = lane.endNs[position] ?? 0
    row.endNs[at] = row.endNs[own] ?? 0
    row.bucket[at] = row.bucket[own] ?? 0
  }
  const span = lane.span[position] ?? 0
  row.span[own] = span
  row.startNs[own] = lane.startNs[position] ?? 0
  row.endNs[own] = lane.endNs[position] ?? 0
  row.bucket[own] = bucketOf(spans.kind[span] ?? 0, spans.source[span] ?? 0)
}

/** The rows' spans in columns of their own, with their levels of detail. */
export function rowPyramids(
  lane: PlacedLane,
  spans: SpanColumns,
  rowOf: Uint16Array,
  rowCount: number,
): readonly Pyramid[] {
  const counts = new Uint32Array(rowCount)
  for (let index = 0; index < lane.length; index += 1) {
    const row = rowOf[index] ?? NO_ROW
    if (row !== NO_ROW) counts[row] = (counts[row] ?? 0) + 1
  }
  const rows = Array.from(counts, blankRow)
  const filled = new Uint32Array(rowCount)
  for (let index = 0; index < lane.length; index += 1) {
    const number = rowOf[index] ?? NO_ROW
    const row = rows[number]
    if (!row) continue
    const at = filled[number] ?? 0
    filled[number] = at + 1
    addToRow(row, at, lane, spans, index)
  }
  return rows.map(makePyramid)
}
