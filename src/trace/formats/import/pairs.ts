/**
 * Spans written as two events: B and E, the innermost of a thread first; b and e, of one id. Sorted
 * by time, in file order where times are the same. A begin without an end lasts to the end of the
 * trace, and is said to be inferred; an end without a begin is left out.
 */
import { addTo } from '../../../base/lists'
import type { EventFile } from './event-reader'
import type { TimeBase } from './time-base'

const BEGIN = 0x42 // 'B'
const END = 0x45 // 'E'
const ASYNC_BEGIN = 0x62 // 'b'
const ASYNC_END = 0x65 // 'e'
export const isHalf = (phase: number): boolean =>
  phase === BEGIN || phase === END || phase === ASYNC_BEGIN || phase === ASYNC_END

export interface Pair {
  /** Row of the begin, which has the name and the arguments. */
  readonly begin: number
  readonly startNs: number
  /** NaN where it never ended. */
  readonly endNs: number
}

/** `rows`: those with halves and a time. */
export function pairUp(
  { events, warnings }: EventFile,
  base: TimeBase,
  rows: readonly number[],
): readonly Pair[] {
  const { columns } = events
  const timed = rows.map((row) => ({ row, timeNs: base.nsOf(row) }))
  timed.sort((a, b) => a.timeNs - b.timeNs || a.row - b.row)
  const open = new Map<string, { row: number; timeNs: number }[]>()
  const pairs: Pair[] = []
  for (const half of timed) {
    const { row, timeNs } = half
    const phase = columns.phase[row]
    const isAsync = phase === ASYNC_BEGIN || phase === ASYNC_END
    // Two kinds of key that cannot be the same text.
    const key = isAsync
      ? `a ${String(columns.category[row])} ${String(columns.id[row])} ${String(columns.pid[row])}`
      : `t ${String(columns.pid[row])} ${String(columns.tid[row])}`
    if (phase === BEGIN || phase === ASYNC_BEGIN) {
      addTo(open, key, half)
      continue
    }
    const begin = open.get(key)?.pop()
    if (begin) pairs.push({ begin: begin.row, startNs: begin.timeNs, endNs: timeNs })
    else warnings.add('it ends what never began', columns.index[row] ?? 0, columns.byte[row] ?? 0)
  }
  for (const stack of open.values())
    for (const { row, timeNs } of stack) pairs.push({ begin: row, startNs: timeNs, endNs: Number.NaN })
  return pairs
}
