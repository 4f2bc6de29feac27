/**
 * Spans found by what they are called: their name, kind, lane, or submission ('#12'). What is said
 * is looked up once, by number (strings, kinds, lanes); then one scan of the lanes. The next one
 * and how many lie before it are binary searches, and so are the marks of a view. Pure; host ns.
 */
import { bisector, bisectRight } from 'd3-array'
import { madeOnce } from '../base/lists'
import { lowerBound } from '../base/search'
import { lodOf } from './lod/trace-lod'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, type Trace } from '../trace/schema'
import { MARKS } from './marks'

/** A row or a lane, in order of start. */
interface Spans {
  readonly length: number
  readonly span: ArrayLike<number>
  readonly startNs: ArrayLike<number>
  readonly endNs: ArrayLike<number>
}

/** In order of start. */
export interface FoundRow {
  readonly length: number
  readonly startNs: Float64Array
  /** Largest end of 0..i: where a mark that began before the view reaches to. */
  readonly maxEndNs: Float64Array
}

export interface Found {
  readonly placed: PlacedTrace
  /** The query, without spaces around it. */
  readonly query: string
  /** Of all lanes, in order of start. */
  readonly spans: Uint32Array
  /** Those of a row that is drawn, picked when it is first asked for. */
  readonly inRow: (row: Spans) => FoundRow
  /** Repeats of variants, which are drawn above all lanes. */
  readonly bands: FoundRow
}

/** What is said is looked up in words once, and spans by number. */
function testFor({ strings, lanes, spans }: Trace, query: string): (span: number) => boolean {
  const needle = query.trim().toLowerCase()
  const has = (text: string) => (text.toLowerCase().includes(needle) ? 1 : 0)
  const names = Uint8Array.from(strings, has)
  const kinds = Uint8Array.from(SPAN_KINDS, (kind) => has(MARKS[kind].label))
  // 'staging 0' is a lane: its spans are of it whatever they are called.
  const ofLanes = Uint8Array.from(lanes, ({ name }) => has(name))
  const submission = Number(/^#(\d+)$/.exec(needle)?.[1] ?? NaN)
  return (span) =>
    names[spans.name[span] ?? -1] === 1 ||
    kinds[spans.kind[span] ?? -1] === 1 ||
    ofLanes[spans.lane[span] ?? -1] === 1 ||
    spans.submission[span] === submission
}

/** Only spans that have a place are looked at: others could not be shown. */
export function findSpans(placed: PlacedTrace, query: string): Found {
  const isWanted = testFor(placed.trace, query)
  const ofLanes = placed.lanes.map(({ span, length }) => span.subarray(0, length).filter(isWanted))
  // In pairs, so that each span is moved no more often than there are levels.
  for (let at = 0; at + 1 < ofLanes.length; at += 2)
    ofLanes.push(merged(placed, ofLanes[at] ?? NONE, ofLanes[at + 1] ?? NONE))
  const rows = new Map<Spans, FoundRow>()
  const { bands } = lodOf(placed)
  return {
    placed,
    query: query.trim(),
    spans: ofLanes.at(-1) ?? NONE,
    inRow: (row) => madeOnce(rows, row, () => pick(row, isWanted)),
    bands: pick(
      {
        length: bands.length,
        span: bands.map(({ span }) => span),
        startNs: bands.map(({ startNs }) => startNs),
        endNs: bands.map(({ endNs }) => endNs),
      },
      isWanted,
    ),
  }
}

const NONE = new Uint32Array()

/** Both in order of start; of equal starts those of the first come first. */
function merged({ startNs }: PlacedTrace, first: Uint32Array, second: Uint32Array): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(first.length + second.length)
  for (let at = 0, one = 0, other = 0; at < all.length; at += 1) {
    const [a, b] = [first[one] ?? -1, second[other] ?? -1]
    const isFirst = b < 0 || (a >= 0 && (startNs[a] ?? 0) <= (startNs[b] ?? 0))
    all[at] = isFirst ? a : b
    if (isFirst) one += 1
    else other += 1
  }
  return all
}

function pick({ length, span, startNs, endNs }: Spans, isWanted: (span: number) => boolean): FoundRow {
  const starts = new Float64Array(length)
  const maxEnds = new Float64Array(length)
  let found = 0
  for (let at = 0; at < length; at += 1) {
    if (!isWanted(span[at] ?? 0)) continue
    starts[found] = startNs[at] ?? 0
    maxEnds[found] = Math.max(endNs[at] ?? 0, maxEnds[found - 1] ?? -Infinity)
    found += 1
  }
  return { length: found, startNs: starts.slice(0, found), maxEndNs: maxEnds.slice(0, found) }
}

const seat = ({ spans, placed: { startNs } }: Found, timeNs: number): number =>
  bisector((span: number) => startNs[span] ?? 0).left(spans, timeNs)

/** How many found spans come before this one, in order of start; -1: it is not among them. */
export function rankOf(found: Found, span: number): number {
  const { spans, placed } = found
  const startNs = placed.startNs[span] ?? NaN
  for (let at = seat(found, startNs); placed.startNs[spans[at] ?? -1] === startNs; at += 1)
    if (spans[at] === span) return at
  return -1
}

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
  const { spans } = found
  const rank = from === null ? -1 : rankOf(found, from)
  const next = rank < 0 ? seat(found, timeNs) - (direction === 1 ? 0 : 1) : rank + direction
  return spans[(next + spans.length) % spans.length] ?? null
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
      const next = bisectRight(row.startNs, toNs + leastNs / 2, at, row.length)
      if (next === at) break
      toNs = Math.max(toNs, row.maxEndNs[next - 1] ?? toNs)
      at = next
    }
    mark(fromNs, toNs)
    if (toNs > endNs) return
  }
}
