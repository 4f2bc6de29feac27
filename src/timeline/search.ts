/**
 * Spans found by what they are called: their name, kind, lane, or submission ('#12'). What is said
 * is looked up once, by number (strings, kinds, lanes); then one scan of the lanes. Found spans stay in columns by lane and by row, in order of start: the next one,
 * how many lie before it, and the marks of a view are binary searches. Pure; host ns.
 */
import { bisectRight } from 'd3-array'
import { lowerBound, upperBound } from '../base/search'
import { NO_ROW } from './lod/lane-rows'
import { lodOf } from './lod/trace-lod'
import type { PlacedLane, PlacedTrace } from '../trace/place'
import { SPAN_KINDS, type Trace } from '../trace/schema'
import { MARKS, WINDOW_KIND } from './marks'

/** In order of start. */
export interface FoundRow {
  readonly length: number
  readonly startNs: Float64Array
  /** Largest end of 0..i: where a mark that began before the view reaches to. */
  readonly maxEndNs: Float64Array
}

/** All of a lane as one row, and each of its rows. */
export interface FoundLane extends FoundRow {
  /** Lane id. */
  readonly lane: number
  readonly span: Uint32Array
  /** By row of the lane's level of detail. */
  readonly rows: readonly FoundRow[]
}

export interface Found {
  readonly placed: PlacedTrace
  /** The query, without spaces around it. */
  readonly query: string
  readonly count: number
  readonly lanes: readonly FoundLane[]
  /** Repeats of variants, which are drawn above all lanes. */
  readonly bands: FoundRow
}

/** Sets that a span must belong to: a lookup by number each. */
interface Wanted {
  readonly names: Uint8Array
  readonly kinds: Uint8Array
  readonly lanes: Uint8Array
  /** -1: none. */
  readonly submission: number
}

function wantedBy({ strings, lanes }: Trace, query: string): Wanted {
  const needle = query.trim().toLowerCase()
  const has = (text: string) => (text.toLowerCase().includes(needle) ? 1 : 0)
  const submission = /^#(\d+)$/.exec(needle)?.[1]
  return {
    names: Uint8Array.from(strings, has),
    // 'staging 0' is a lane: its spans are of it whatever they are called.
    kinds: Uint8Array.from(SPAN_KINDS, (kind) => has(MARKS[kind].label)),
    lanes: Uint8Array.from(lanes, ({ name }) => has(name)),
    submission: submission === undefined ? -1 : Number(submission),
  }
}

const isWanted = ({ spans }: Trace, wanted: Wanted, span: number): boolean =>
  wanted.names[spans.name[span] ?? -1] === 1 ||
  wanted.kinds[spans.kind[span] ?? -1] === 1 ||
  wanted.lanes[spans.lane[span] ?? -1] === 1 ||
  (wanted.submission >= 0 && spans.submission[span] === wanted.submission)

/** Only spans that have a place are looked at: others could not be shown. */
export function findSpans(placed: PlacedTrace, query: string): Found {
  const wanted = wantedBy(placed.trace, query)
  const lods = new Map(lodOf(placed).lanes.map((lod) => [lod.lane, lod]))
  const lanes: FoundLane[] = []
  const bands: FoundRow[] = []
  let count = 0
  for (const lane of placed.lanes) {
    const lod = lods.get(lane.lane)
    const found = findInLane(placed.trace, lane, wanted, lod?.rowOf, lod?.rows.length ?? 0)
    if (found.lane.length === 0) continue
    lanes.push(found.lane)
    bands.push(found.bands)
    count += found.lane.length
  }
  return { placed, query: query.trim(), count, lanes, bands: joinRows(bands) }
}

function findInLane(
  trace: Trace,
  lane: PlacedLane,
  wanted: Wanted,
  rowOf: Uint16Array | undefined,
  rowCount: number,
): { readonly lane: FoundLane; readonly bands: FoundRow } {
  const positions = new Uint32Array(lane.length)
  /** The last is of windows, which have no row. */
  const perRow = new Uint32Array(rowCount + 1)
  const rowAt = (position: number): number => {
    const row = rowOf?.[position] ?? NO_ROW
    return row < rowCount ? row : rowCount
  }
  let length = 0
  for (let position = 0; position < lane.length; position += 1) {
    const span = lane.span[position] ?? 0
    if (!isWanted(trace, wanted, span)) continue
    const row = rowAt(position)
    // A span that is drawn neither in a row nor as a band cannot be shown.
    if (row === rowCount && trace.spans.kind[span] !== WINDOW_KIND) continue
    positions[length] = position
    length += 1
    perRow[row] = (perRow[row] ?? 0) + 1
  }
  const all = blankRow(length)
  const ofAll = new Uint32Array(length)
  const rows = Array.from(perRow, blankRow)
  const filled = new Uint32Array(rowCount + 1)
  for (let at = 0; at < length; at += 1) {
    const position = positions[at] ?? 0
    ofAll[at] = lane.span[position] ?? 0
    put(all, at, lane, position)
    const number = rowAt(position)
    const row = rows[number]
    if (!row) continue
    const last = filled[number] ?? 0
    filled[number] = last + 1
    put(row, last, lane, position)
  }
  const bands = rows.pop() ?? NO_ROW_FOUND
  return { lane: { lane: lane.lane, ...all, span: ofAll, rows }, bands }
}

const blankRow = (length: number): FoundRow => ({
  length,
  startNs: new Float64Array(length),
  maxEndNs: new Float64Array(length),
})
const NO_ROW_FOUND = blankRow(0)

/** A span of the lane, by position, as the row's next. */
function put({ startNs, maxEndNs }: FoundRow, at: number, lane: PlacedLane, position: number): void {
  startNs[at] = lane.startNs[position] ?? 0
  maxEndNs[at] = Math.max(lane.endNs[position] ?? 0, maxEndNs[at - 1] ?? -Infinity)
}

/** Windows stand in one lane as a rule. */
function joinRows(rows: readonly FoundRow[]): FoundRow {
  const filled = rows.filter(({ length }) => length > 0)
  if (filled.length <= 1) return filled[0] ?? NO_ROW_FOUND
  const all = filled.flatMap((row) =>
    Array.from(row.startNs, (startNs, at) => [startNs, row.maxEndNs[at] ?? 0] as const),
  )
  all.sort((a, b) => a[0] - b[0])
  let last = -Infinity
  return {
    length: all.length,
    startNs: Float64Array.from(all, ([startNs]) => startNs),
    maxEndNs: Float64Array.from(all, ([, endNs]) => (last = Math.max(last, endNs))),
  }
}

/**
 * How many found spans come before this one, in order of start (then of lanes); -1: it is not among
 * them.
 */
export function rankOf(found: Found, span: number): number {
  const at = seek(found, span)
  if (!at) return -1
  let rank = at.index
  for (const [number, lane] of found.lanes.entries())
    if (number !== at.number) rank += firstAfter(lane, number, at.startNs, at.number)
  return rank
}

interface Seat {
  /** Position in `found.lanes`, and in that lane. */
  readonly number: number
  readonly index: number
  readonly startNs: number
}

function seek(found: Found, span: number): Seat | null {
  const startNs = found.placed.startNs[span] ?? NaN
  const id = found.placed.trace.spans.lane[span]
  const number = found.lanes.findIndex(({ lane }) => lane === id)
  const lane = found.lanes[number]
  if (!lane || !Number.isFinite(startNs)) return null
  let index = lowerBound(lane.startNs, startNs, lane.length)
  for (; index < lane.length && lane.startNs[index] === startNs; index += 1)
    if (lane.span[index] === span) return { number, index, startNs }
  return null
}

/**
 * First of a lane that comes after a time in another lane: of equal times the lanes' order decides.
 */
const firstAfter = (lane: FoundLane, number: number, timeNs: number, otherNumber: number): number =>
  number < otherNumber
    ? upperBound(lane.startNs, timeNs, lane.length)
    : lowerBound(lane.startNs, timeNs, lane.length)

/**
 * The found span after (before) one of them, else after (before) a time; round the end. Null where
 * nothing was found.
 */
export function nextFound(
  found: Found,
  from: number | null,
  timeNs: number,
  direction: 1 | -1,
): number | null {
  const at = from === null ? null : seek(found, from)
  const beside = at
    ? pick(found, direction, (lane, number) =>
        number === at.number
          ? at.index + direction
          : firstAfter(lane, number, at.startNs, at.number) - (direction === 1 ? 0 : 1),
      )
    : pick(
        found,
        direction,
        (lane) => lowerBound(lane.startNs, timeNs, lane.length) - (direction === 1 ? 0 : 1),
      )
  return beside ?? pick(found, direction, ({ length }) => (direction === 1 ? 0 : length - 1))
}

/** Picks one of one candidate a lane: the earliest (forwards) or the latest (backwards). */
function pick(
  { lanes }: Found,
  direction: 1 | -1,
  candidate: (lane: FoundLane, number: number) => number,
): number | null {
  let [best, bestNs] = [-1, direction * Infinity]
  for (const [number, lane] of lanes.entries()) {
    const index = candidate(lane, number)
    const startNs = lane.startNs[index]
    if (startNs === undefined) continue
    if (direction === 1 ? startNs >= bestNs : startNs < bestNs) continue
    best = lane.span[index] ?? -1
    bestNs = startNs
  }
  return best < 0 ? null : best
}

/**
 * The marks of a row in a view, in order, none narrower than `leastNs` and none overlapping: what
 * lies closer than that is one. Costs what the view's pixels cost.
 */
export function eachMark(
  row: FoundRow,
  startNs: number,
  endNs: number,
  leastNs: number,
  mark: (startNs: number, endNs: number) => void,
): void {
  let at = lowerBound(row.maxEndNs, startNs, row.length)
  while (at < row.length) {
    const fromNs = row.startNs[at] ?? Infinity
    if (fromNs > endNs) return
    // Grows for as long as the next one begins within it, or too close to be distinguished from it.
    let toNs = Math.max(row.maxEndNs[at] ?? fromNs, fromNs + leastNs)
    for (at += 1; toNs <= endNs;) {
      const next = gallop(row.startNs, toNs + leastNs / 2, at, row.length)
      if (next === at) break
      toNs = Math.max(toNs, row.maxEndNs[next - 1] ?? toNs)
      at = next
    }
    mark(fromNs, toNs)
    if (toNs > endNs) return
  }
}

/**
 * First index from `from` on whose element is > value: near ones are found at once, however long
 * the column.
 */
function gallop(column: Float64Array, value: number, from: number, length: number): number {
  let [low, step] = [from, 1]
  while (low + step <= length && (column[low + step - 1] ?? Infinity) <= value) {
    low += step
    step *= 2
  }
  return bisectRight(column, value, low, Math.min(length, low + step))
}
