/**
 * Reads what a file writes as two events, one for each end: arrows (s, t, f), and spans (B and E, b
 * and e).
 */
import { addTo } from '../../../base/lists'
import type { TraceBuilder } from '../../builder'
import { FLOW_KINDS, type FlowKind } from '../../schema'
import type { EventFile } from './event-file'
import { COMPLETE, FINISH, START, ASYNC_BEGIN, BEGIN, isAsync } from './phases'

const OTHER = 'other'
const kindOf = (category: string): FlowKind | typeof OTHER =>
  FLOW_KINDS.find((each) => each === category) ?? OTHER

const NOT_DRAWN = 'an arrow that does not link a launch to its work'
const UNBOUND = 'an arrow with only one end, or with no span at its end'

/**
 * Spans that do not nest may pile up below one that has not ended: no deeper than this is looked.
 */
const MAX_DEPTH = 500

/**
 * Adds the arrows among `rows`. Each is bound to the innermost span of its thread at its time,
 * which is how readers of the format do it. Kinds that the lab draws come back; launch arrows of
 * torch.profiler are joined by correlation instead (correlations.ts).
 *
 * @param spanOf −1: none
 */
export function bindFlows(
  file: EventFile,
  rows: readonly number[],
  spanOf: (row: number) => number,
  out: TraceBuilder,
): void {
  const { events, texts } = file
  const { columns } = events
  const points = new Map<number, number[]>()
  const kindOfArrow = texts.asked(kindOf)
  for (const row of rows) {
    const kind = kindOfArrow(columns.category[row] ?? 0)
    if (kind === OTHER || Number.isNaN(events.nsOf(row))) file.skip(NOT_DRAWN, row)
    else addTo(points, columns.thread[row] ?? 0, row)
  }
  const spansOf = spansByThread(events, spanOf, points)
  const endNs = (row = -1) => events.endNsOf(row)
  const keys = new TextTriples()
  const arrows = new Map<number, { readonly row: number; from: number; to: number }>()
  for (const [thread, list] of points) {
    const spans = spansOf.get(thread) ?? []
    list.sort((a, b) => events.nsOf(a) - events.nsOf(b))
    const open: number[] = []
    let next = 0
    for (const row of list) {
      const timeNs = events.nsOf(row)
      for (
        let span = spans[next];
        span !== undefined && events.nsOf(span) <= timeNs;
        span = spans[(next += 1)]
      )
        open.push(span)
      while (open.length > 0 && endNs(open.at(-1)) <= timeNs) open.pop()
      let at = open.length - 1
      const last = Math.max(0, open.length - MAX_DEPTH)
      while (at >= last && !(endNs(open[at]) > timeNs)) at -= 1
      const span = at < last ? -1 : spanOf(open[at] ?? -1)
      const key = keys.key(columns.category[row] ?? 0, columns.name[row] ?? 0, columns.key[row] ?? 0)
      let arrow = arrows.get(key)
      if (arrow === undefined) arrows.set(key, (arrow = { row, from: -1, to: -1 }))
      if (columns.phase[row] === START && arrow.from < 0) arrow.from = span
      if (columns.phase[row] === FINISH && arrow.to < 0) arrow.to = span
    }
  }
  for (const { row, from, to } of arrows.values()) {
    const kind = kindOfArrow(columns.category[row] ?? 0)
    if (from < 0 || to < 0 || kind === OTHER) file.skip(UNBOUND, row)
    else out.addFlow(from, to, kind)
  }
}

/**
 * Rows of the complete spans of threads with points, by start, of equal starts the longer first.
 */
function spansByThread(
  events: EventFile['events'],
  spanOf: (row: number) => number,
  points: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, readonly number[]> {
  const { columns, length } = events
  const byThread = new Map<number, number[]>()
  for (let row = 0; points.size > 0 && row < length; row += 1) {
    if (columns.phase[row] !== COMPLETE || spanOf(row) < 0) continue
    const thread = columns.thread[row] ?? 0
    if (points.has(thread)) addTo(byThread, thread, row)
  }
  const lasts = (row: number) => columns.durationNs[row] ?? 0
  for (const list of byThread.values())
    list.sort((a, b) => events.nsOf(a) - events.nsOf(b) || lasts(b) - lasts(a))
  return byThread
}

/** Three text numbers as one key, without making a text of them: a file may have a million. */
const TEXTS = 2 ** 26

class TextTriples {
  /** Of the first two, from 0 on. */
  readonly #pairs = new Map<number, number>()

  /** Below 2^53, and another for any other three. */
  key(first: number, second: number, third: number): number {
    const both = first * TEXTS + second
    let pair = this.#pairs.get(both)
    if (pair === undefined) this.#pairs.set(both, (pair = this.#pairs.size))
    return pair * TEXTS + third
  }
}

export interface Pair {
  /** Row of the begin, which has the name and the arguments. */
  readonly begin: number
  readonly startNs: number
  /** NaN where it never ended. */
  readonly endNs: number
}

/**
 * Spans from their halves: B and E, the innermost of a thread first; b and e, of one id. Sorted by
 * time, in file order where times are the same. A begin without an end lasts to the end of the
 * trace, and is said to be inferred; an end without a begin is left out.
 *
 * @param rows those with halves and a time; they get sorted
 */
export function pairUp(file: EventFile, rows: number[]): readonly Pair[] {
  const { events, pidOf } = file
  const { columns } = events
  const open = new Map<number, number[]>()
  const pairs: Pair[] = []
  const keys = new TextTriples()
  for (const row of rows.sort((a, b) => events.nsOf(a) - events.nsOf(b) || a - b)) {
    const phase = columns.phase[row] ?? 0
    // Below zero and not: two kinds of key that cannot be the same.
    const key = isAsync(phase)
      ? -1 - keys.key(columns.category[row] ?? 0, pidOf(row), columns.key[row] ?? 0)
      : (columns.thread[row] ?? 0)
    if (phase === BEGIN || phase === ASYNC_BEGIN) {
      addTo(open, key, row)
      continue
    }
    const begin = open.get(key)?.pop()
    if (begin === undefined) file.skip('it ends what never began', row)
    else pairs.push({ begin, startNs: events.nsOf(begin), endNs: events.nsOf(row) })
  }
  for (const stack of open.values())
    for (const begin of stack) pairs.push({ begin, startNs: events.nsOf(begin), endNs: Number.NaN })
  return pairs
}
