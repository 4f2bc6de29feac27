/**
 * Chooses what is drawn of a row in a view. Two rules keep a pan over 10^6 spans smooth and honest.
 * Walking: the row's pyramid is walked from its top, so that everything out of view or within a
 * pixel is met as one. Merging: spans narrower than MERGE_PX share pixel columns ('cells'), and a
 * cell shows each kind as its share of the column's time, stacked from the bottom. Painted area is
 * time: a device busy 9 % of the time never looks busy.
 *
 * Here a 'pixel' is a device pixel, x from the left of the time area. Results go into a DrawList
 * that is reused: no allocation a span.
 */
import { lowerBound, upperBound } from '../base/search'
import type { PlacedLane } from '../trace/place'
import { BUCKET_COUNT, endOf, firstOf, visitRow, type Pyramid, type RowVisitor } from './lod/pyramid'

/** Narrower than this many device pixels: merged into cells. */
export const MERGE_PX = 1.5
/**
 * Spans that reach out of the view are cut this far outside it, so that their edges stay invisible.
 */
const OVERHANG_PX = 4

/**
 * Positions [first, last) in the lane that can touch [startNs, endNs]; those between may still end
 * before the view.
 */
export function visibleRange(lane: PlacedLane, startNs: number, endNs: number): readonly [number, number] {
  const first = lowerBound(lane.maxEndNs, startNs, lane.length)
  return [first, Math.max(first, upperBound(lane.startNs, endNs, lane.length))]
}

/** A growing list of numbers that never shrinks its storage. @internal */
export class GrowingList<Values extends Float64Array | Int32Array> {
  values: Values
  length = 0
  readonly #Values: new (length: number) => Values

  constructor(Values: new (length: number) => Values) {
    this.#Values = Values
    this.values = new Values(256)
  }

  clear(): void {
    this.length = 0
  }

  /** Makes room for `count` more, so that callers may write without checks. */
  reserve(count: number): void {
    if (this.length + count <= this.values.length) return
    const larger = new this.#Values(Math.max(this.values.length * 2, this.length + count))
    larger.set(this.values)
    this.values = larger
  }
}

export type NumberList = GrowingList<Float64Array>
export type IntegerList = GrowingList<Int32Array>

/** A bar: left and right in device px, row, span. */
export const BAR_FIELDS = 4
/**
 * A cell: first column and number of columns in device px, row, stack from and to, in steps of the
 * row. Equal neighbours are one cell.
 */
export const CELL_FIELDS = 5
/** Bars and cells by bucket. */
export class DrawList {
  readonly bars = Array.from({ length: BUCKET_COUNT }, () => new GrowingList(Float64Array))
  readonly cells = Array.from({ length: BUCKET_COUNT }, () => new GrowingList(Int32Array))
  /**
   * Spans and nodes met, spans drawn as bars, and spans merged into cells, since the last clear.
   */
  met = 0
  barCount = 0
  mergedCount = 0

  clear(): void {
    for (const list of this.bars) list.clear()
    for (const list of this.cells) list.clear()
    this.met = 0
    this.barCount = 0
    this.mergedCount = 0
  }
}

export interface MergeInput {
  readonly row: Pyramid
  /** Written into what is drawn. */
  readonly rowNumber: number
  /**
   * Coverage is distinguished in so many steps, a whole number: the device pixels of the bar, so
   * that neighbours that look equal are.
   */
  readonly steps: number
  readonly startNs: number
  readonly endNs: number
  readonly widthPx: number
}

/** A span narrower than MERGE_PX can touch this many columns. */
const OPEN_COLUMNS = 3
/** Shares are differences of numbers of order 1. */
const ROUNDING = 1e-12
/** Before all that is merged: that touches the view, and is narrower than MERGE_PX. */
const FIRST_COLUMN = -OPEN_COLUMNS
/**
 * Open columns share the scratch space in turn; a power of two, so that a column's turn is its last
 * bits.
 */
const RING = 4

/**
 * Scratch space for one row at a time: the columns that may still be added to, with their coverage
 * by bucket. Columns are kept as 32-bit integers throughout: this runs some 10^4 times a frame.
 */
export class Merger implements RowVisitor {
  #input: MergeInput | null = null
  #out = new DrawList()
  #pxPerNs = 0
  #steps = 1
  #rowNumber = 0
  /** The first open column; what comes starts no earlier, since rows are in order of start. */
  #column = FIRST_COLUMN
  /** The ring of open columns, and the shares of the first two. */
  #ring = 0
  #inFirst = 1
  #inSecond = 0
  /** By column's turn: buckets touched, a bit each: all 32 of them. */
  readonly #touched = new Int32Array(RING)
  /** By column's turn and bucket. */
  readonly #coverage = new Float64Array(RING * BUCKET_COUNT)
  /** Start of a bucket's last cell in its list; -1 none. */
  readonly #lastCell = new Int32Array(BUCKET_COUNT)

  run(input: MergeInput, out: DrawList): void {
    const { row, startNs, endNs, widthPx } = input
    this.#input = input
    this.#out = out
    this.#pxPerNs = widthPx / (endNs - startNs)
    this.#steps = input.steps
    this.#rowNumber = input.rowNumber
    this.#column = FIRST_COLUMN
    this.#touched.fill(0)
    this.#coverage.fill(0)
    this.#lastCell.fill(-1)
    visitRow(row, startNs, endNs, MERGE_PX / this.#pxPerNs, this)
    this.#flush()
  }

  onSpan(position: number): void {
    const input = this.#input
    if (!input) return
    const { row, startNs, widthPx } = input
    const out = this.#out
    const bucket = row.bucket[position] ?? 0
    const leftPx = ((row.startNs[position] ?? 0) - startNs) * this.#pxPerNs
    const rightPx = ((row.endNs[position] ?? 0) - startNs) * this.#pxPerNs
    out.met += 1
    if (rightPx - leftPx < MERGE_PX) {
      out.mergedCount += 1
      this.#spread(leftPx, rightPx)
      this.#add(bucket, rightPx - leftPx)
      return
    }
    this.#flush()
    const list = out.bars[bucket]
    if (!list) return
    list.reserve(BAR_FIELDS)
    list.values[list.length] = Math.max(leftPx, -OVERHANG_PX)
    list.values[list.length + 1] = Math.min(rightPx, widthPx + OVERHANG_PX)
    list.values[list.length + 2] = this.#rowNumber
    list.values[list.length + 3] = row.span[position] ?? 0
    list.length += BAR_FIELDS
    out.barCount += 1
  }

  onNode(level: number, node: number): void {
    const input = this.#input
    if (!input) return
    const { row, startNs } = input
    const of = row.levels[level]
    if (!of) return
    const { busyNs } = of
    const pxPerNs = this.#pxPerNs
    const leftPx = ((of.startNs[node] ?? 0) - startNs) * pxPerNs
    const rightPx = ((of.endNs[node] ?? 0) - startNs) * pxPerNs
    this.#out.met += 1
    this.#out.mergedCount += endOf(row, level, node) - firstOf(level, node)
    this.#spread(leftPx, rightPx)
    const { buckets } = row
    const width = buckets.length
    for (let index = 0; index < width; index += 1) {
      const sumNs = busyNs[node * width + index] ?? 0
      if (sumNs > 0) this.#add(buckets[index] ?? 0, sumNs * pxPerNs)
    }
  }

  /**
   * Spreads the next span evenly over [left, right), which is narrower than MERGE_PX: how much of
   * it in each open column.
   */
  #spread(leftPx: number, rightPx: number): void {
    const first = Math.floor(leftPx) | 0
    if (first > this.#column) this.#openFrom(first)
    this.#ring = first & (RING - 1)
    if (rightPx <= first + 1) {
      this.#inFirst = 1
      this.#inSecond = 0
      return
    }
    const inFirst = (first + 1 - leftPx) / (rightPx - leftPx)
    this.#inFirst = inFirst
    this.#inSecond = rightPx <= first + 2 ? 1 - inFirst : 1 / (rightPx - leftPx)
  }

  #add(bucket: number, amountPx: number): void {
    const inFirst = this.#inFirst
    this.#cover(this.#ring, bucket, amountPx * inFirst)
    const inSecond = this.#inSecond
    if (inSecond <= 0) return
    this.#cover((this.#ring + 1) & (RING - 1), bucket, amountPx * inSecond)
    const inThird = 1 - inFirst - inSecond
    if (inThird > ROUNDING) this.#cover((this.#ring + 2) & (RING - 1), bucket, amountPx * inThird)
  }

  #cover(ring: number, bucket: number, amountPx: number): void {
    this.#touched[ring] = (this.#touched[ring] ?? 0) | (1 << bucket)
    const slot = ring * BUCKET_COUNT + bucket
    this.#coverage[slot] = (this.#coverage[slot] ?? 0) + amountPx
  }

  /** Closes the open columns before this one, and makes it the first open. */
  #openFrom(column: number): void {
    const last = Math.min(column, this.#column + OPEN_COLUMNS)
    for (let open = this.#column; open < last; open += 1)
      if (this.#touched[open & (RING - 1)] !== 0) this.#close(open)
    this.#column = column
  }

  #flush(): void {
    for (let open = this.#column; open < this.#column + OPEN_COLUMNS; open += 1)
      if (this.#touched[open & (RING - 1)] !== 0) this.#close(open)
  }

  #close(column: number): void {
    const ring = column & (RING - 1)
    let touched = this.#touched[ring] ?? 0
    this.#touched[ring] = 0
    const steps = this.#steps
    let stacked = 0
    while (touched !== 0) {
      const bucket = 31 - Math.clz32(touched & -touched)
      touched &= touched - 1
      const slot = ring * BUCKET_COUNT + bucket
      // Rounded up: what happened at all stays above nothing.
      const top = Math.min(steps, stacked + Math.ceil((this.#coverage[slot] ?? 0) * steps)) | 0
      this.#coverage[slot] = 0
      this.#addCell(bucket, column, stacked, top)
      stacked = top
    }
  }

  #addCell(bucket: number, column: number, from: number, to: number): void {
    const list = this.#out.cells[bucket]
    if (!list) return
    const last = this.#lastCell[bucket] ?? -1
    if (last >= 0) {
      const { values } = list
      const columns = values[last + 1] ?? 0
      const follows = (values[last] ?? 0) + columns === column
      if (follows && values[last + 3] === from && values[last + 4] === to) {
        values[last + 1] = columns + 1
        return
      }
    }
    list.reserve(CELL_FIELDS)
    const { values, length } = list
    this.#lastCell[bucket] = length
    values[length] = column
    values[length + 1] = 1
    values[length + 2] = this.#rowNumber
    values[length + 3] = from
    values[length + 4] = to
    list.length = length + CELL_FIELDS
  }
}
