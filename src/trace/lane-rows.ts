/**
 * Spans that overlap in a lane, in rows by depth. First fit in order of start: a span goes to the first row that is free when it begins,
 * so nested spans stack under their parent and nothing is hidden.
 */
import type { PlacedLane } from './place'
import { bucketOf, makePyramid, type Pyramid } from './pyramid'
import type { SpanColumns } from './schema'

/** Row value of spans that no row draws: those left out, and those without a place on the host's axis. */
export const NO_ROW = 0xffff

/**
 * Fills `rowOf` (by position in the lane) and returns how many rows were used. `toleranceNs` forgives overlaps below the clock's step.
 * Where a lane is deeper than `maxRows` the last row takes what is left over: nothing is dropped.
 */
export function assignRows(
  placed: PlacedLane,
  toleranceNs: number,
  maxRows: number,
  include: (span: number) => boolean,
  rowOf: Uint16Array,
  firstRow = 0,
): number {
  const rowEnd = new Float64Array(maxRows).fill(-Infinity)
  let used = 0
  for (let index = 0; index < placed.length; index += 1) {
    if (!include(placed.span[index] ?? 0)) continue
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
  const rows = Array.from(counts, (length) => ({
    length,
    span: new Uint32Array(length),
    startNs: new Float64Array(length),
    endNs: new Float64Array(length),
    bucket: new Uint8Array(length),
  }))
  const filled = new Uint32Array(rowCount)
  for (let index = 0; index < lane.length; index += 1) {
    const number = rowOf[index] ?? NO_ROW
    const row = rows[number]
    if (!row) continue
    const at = filled[number] ?? 0
    filled[number] = at + 1
    const span = lane.span[index] ?? 0
    row.span[at] = span
    row.startNs[at] = lane.startNs[index] ?? 0
    row.endNs[at] = lane.endNs[index] ?? 0
    row.bucket[at] = bucketOf(spans.kind[span] ?? 0, spans.source[span] ?? 0)
  }
  return rows.map(makePyramid)
}
