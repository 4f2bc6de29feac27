/**
 * Spans written as two events: B and E, the innermost of a thread first; b and e, of one id. Sorted
 * by time, in file order where times are the same. A begin without an end lasts to the end of the
 * trace, and is said to be inferred; an end without a begin is left out.
 */
import { addTo } from '../../../base/lists'
import type { EventFile } from './event-file'
import { ASYNC_BEGIN, BEGIN, isAsync } from './phases'
import { TextTriples } from './text-triples'

export interface Pair {
  /** Row of the begin, which has the name and the arguments. */
  readonly begin: number
  readonly startNs: number
  /** NaN where it never ended. */
  readonly endNs: number
}

/** `rows`: those with halves and a time; they get sorted. */
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
