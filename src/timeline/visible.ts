/**
 * Which spans a view shows, and what is drawn of them. Two rules keep a pan over 10^5 spans smooth and honest:
 *
 *   culling   the first span that can reach into the view is found by binary search in maxEndNs, the last in startNs;
 *   merging   spans narrower than MERGE_PX share pixel columns ('cells'), and a cell shows each kind as its share of the
 *             column's time, stacked from the bottom. Painted area is time: a device busy 9 % of the time never looks busy.
 *
 * Here a 'pixel' is a device pixel, x from the left of the time area. Results go into a DrawList that is reused: no allocation a span.
 */
import { lowerBound, upperBound } from '../base/search'
import type { PlacedLane } from '../trace/place'
import { INFERRED_SOURCE, KIND_COUNT } from './marks'
import { NO_ROW } from './layout'

/** Narrower than this many device pixels: merged into cells. */
export const MERGE_PX = 1.5
/** Spans that reach out of the view are cut this far outside it, so that their edges stay invisible. */
const OVERHANG_PX = 4

/** Positions [first, last) in the lane that can touch [startNs, endNs]; those between may still end before the view. */
export function visibleRange(lane: PlacedLane, startNs: number, endNs: number): readonly [number, number] {
  const first = lowerBound(lane.maxEndNs, startNs, lane.length)
  return [first, Math.max(first, upperBound(lane.startNs, endNs, lane.length))]
}

/** A growing list of numbers that never shrinks its storage. */
export class NumberList {
  values = new Float64Array(256)
  length = 0

  clear(): void {
    this.length = 0
  }

  /** Makes room for `count` more, so that callers may write without checks. */
  reserve(count: number): void {
    if (this.length + count <= this.values.length) return
    const larger = new Float64Array(Math.max(this.values.length * 2, this.length + count))
    larger.set(this.values)
    this.values = larger
  }
}

/** A bar: left and right in device px, row, position in the lane. */
export const BAR_FIELDS = 4
/** A cell: first column and number of columns in device px, row, stack from and to (0 to 1). Equal neighbours are one cell. */
export const CELL_FIELDS = 5
/** Coverage is told apart in steps of 1/64: finer than a device pixel of any bar, coarse enough for neighbours to be equal. */
const COVERAGE_STEPS = 64

/** Bars and cells by bucket = 2 · kind + (inferred ? 1 : 0). */
export class DrawList {
  readonly bars = Array.from({ length: KIND_COUNT * 2 }, () => new NumberList())
  readonly cells = Array.from({ length: KIND_COUNT * 2 }, () => new NumberList())
  /** Spans looked at, drawn as bars, and merged into cells, since the last clear. */
  seen = 0
  barCount = 0
  mergedCount = 0

  clear(): void {
    for (const list of this.bars) list.clear()
    for (const list of this.cells) list.clear()
    this.seen = 0
    this.barCount = 0
    this.mergedCount = 0
  }
}

export interface MergeInput {
  readonly lane: PlacedLane
  readonly rowOf: Uint16Array
  readonly rowCount: number
  readonly kinds: Uint8Array
  readonly sources: Uint8Array
  readonly startNs: number
  readonly endNs: number
  readonly widthPx: number
}

const BUCKETS = KIND_COUNT * 2

/** Scratch space, one a merger: cell column by row, coverage by row and bucket, touched buckets by row (a bit each, 28 of 32). */
export class Merger {
  #column = new Float64Array(0)
  #touched = new Int32Array(0)
  #coverage = new Float64Array(0)
  /** Where the last cell of a row and bucket begins in its list; -1 none. */
  #lastCell = new Int32Array(0)

  run(input: MergeInput, out: DrawList): void {
    const { lane, rowOf, kinds, sources, startNs, endNs, widthPx } = input
    this.#prepare(input.rowCount)
    const pxPerNs = widthPx / (endNs - startNs)
    const [first, last] = visibleRange(lane, startNs, endNs)
    for (let index = first; index < last; index += 1) {
      const row = rowOf[index] ?? NO_ROW
      if (row === NO_ROW) continue
      const spanEndNs = lane.endNs[index] ?? 0
      if (spanEndNs < startNs) continue
      const span = lane.span[index] ?? 0
      const bucket = (kinds[span] ?? 0) * 2 + (sources[span] === INFERRED_SOURCE ? 1 : 0)
      const leftPx = ((lane.startNs[index] ?? 0) - startNs) * pxPerNs
      const rightPx = (spanEndNs - startNs) * pxPerNs
      out.seen += 1
      if (rightPx - leftPx >= MERGE_PX) {
        this.#flush(row, out)
        const list = out.bars[bucket]
        if (!list) continue
        list.reserve(BAR_FIELDS)
        list.values[list.length] = Math.max(leftPx, -OVERHANG_PX)
        list.values[list.length + 1] = Math.min(rightPx, widthPx + OVERHANG_PX)
        list.values[list.length + 2] = row
        list.values[list.length + 3] = index
        list.length += BAR_FIELDS
        out.barCount += 1
        continue
      }
      out.mergedCount += 1
      this.#cover(row, bucket, leftPx, rightPx, out)
    }
    for (let row = 0; row < input.rowCount; row += 1) this.#flush(row, out)
  }

  #prepare(rowCount: number): void {
    if (this.#column.length < rowCount) {
      this.#column = new Float64Array(rowCount)
      this.#touched = new Int32Array(rowCount)
      this.#coverage = new Float64Array(rowCount * BUCKETS)
      this.#lastCell = new Int32Array(rowCount * BUCKETS)
    }
    this.#lastCell.fill(-1)
    this.#touched.fill(0)
    this.#coverage.fill(0)
  }

  /** Adds [left, right) to its columns; at most three of them, since it is narrower than MERGE_PX. */
  #cover(row: number, bucket: number, leftPx: number, rightPx: number, out: DrawList): void {
    let from = leftPx
    let column = Math.floor(from)
    for (;;) {
      if (this.#touched[row] !== 0 && this.#column[row] !== column) this.#flush(row, out)
      this.#column[row] = column
      this.#touched[row] = (this.#touched[row] ?? 0) | (1 << bucket)
      const slot = row * BUCKETS + bucket
      const to = Math.min(rightPx, column + 1)
      this.#coverage[slot] = (this.#coverage[slot] ?? 0) + Math.max(0, to - from)
      if (to >= rightPx) return
      from = column + 1
      column += 1
    }
  }

  #flush(row: number, out: DrawList): void {
    let touched = this.#touched[row] ?? 0
    if (touched === 0) return
    const column = this.#column[row] ?? 0
    let stacked = 0
    while (touched !== 0) {
      const bucket = 31 - Math.clz32(touched & -touched)
      touched &= touched - 1
      const slot = row * BUCKETS + bucket
      // Rounded up: what happened at all stays above nothing.
      const share = Math.ceil((this.#coverage[slot] ?? 0) * COVERAGE_STEPS) / COVERAGE_STEPS
      const top = Math.min(1, stacked + share)
      this.#coverage[slot] = 0
      const list = out.cells[bucket]
      if (list) this.#addCell(list, slot, column, row, stacked, top)
      stacked = top
    }
    this.#touched[row] = 0
  }

  #addCell(list: NumberList, slot: number, column: number, row: number, from: number, to: number): void {
    const last = this.#lastCell[slot] ?? -1
    const { values } = list
    if (last >= 0) {
      const columns = values[last + 1] ?? 0
      const follows = (values[last] ?? 0) + columns === column
      if (follows && values[last + 3] === from && values[last + 4] === to) {
        values[last + 1] = columns + 1
        return
      }
    }
    list.reserve(CELL_FIELDS)
    this.#lastCell[slot] = list.length
    list.values[list.length] = column
    list.values[list.length + 1] = 1
    list.values[list.length + 2] = row
    list.values[list.length + 3] = from
    list.values[list.length + 4] = to
    list.length += CELL_FIELDS
  }
}
