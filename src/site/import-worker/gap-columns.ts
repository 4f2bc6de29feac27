/**
 * Gaps for the way between threads, and back: columns by transfer. Their evidence follows as text, which takes as long as finding them:
 * it is read when it is asked for, of one gap at a time.
 */
import { buffersToMove } from '../../base/shared-memory'
import { gapColumns, type Gap, type GapColumns } from '../../trace/gaps'
import { packSentences } from './packed-strings'

export function packGaps(gaps: readonly Gap[]): {
  readonly columns: GapColumns
  readonly transfer: readonly ArrayBuffer[]
} {
  const columns = gapColumns(gaps)
  const moved = Object.values({ ...columns }).filter((column) => typeof column !== 'number')
  return { columns, transfer: buffersToMove(moved) }
}

/** By gap. Nearly each is its own: figures stand in it. */
export const packEvidences = (gaps: readonly Gap[]) =>
  packSentences(gaps.length, (index) => gaps[index]?.evidence ?? '')
