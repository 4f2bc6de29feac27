/**
 * Gaps for the way between threads, and back: columns by transfer, their evidence as text that is read when it is asked for, of one gap
 * at a time.
 */
import { gapColumns, gapsOfColumns, type Gap, type GapColumns } from '../../trace/gaps'
import type { Trace } from '../../trace/schema'
import { packSentences, stringReader, type PackedStrings } from './packed-strings'

export interface TransferableGaps {
  readonly columns: GapColumns
  /** By gap. */
  readonly evidences: PackedStrings
}

export function packGaps(gaps: readonly Gap[]): {
  readonly packed: TransferableGaps
  readonly transfer: readonly ArrayBuffer[]
} {
  const columns = gapColumns(gaps)
  // Nearly each is its own: figures stand in it.
  const evidences = packSentences(gaps.length, (index) => gaps[index]?.evidence ?? '')
  const buffers = Object.values<number | { buffer: ArrayBuffer }>({ ...columns }).flatMap((column) =>
    typeof column === 'number' ? [] : [column.buffer],
  )
  return { packed: { columns, evidences: evidences.packed }, transfer: [...buffers, ...evidences.transfer] }
}

export const unpackGaps = ({ columns, evidences }: TransferableGaps, { spans }: Trace): readonly Gap[] =>
  gapsOfColumns(columns, spans, stringReader(evidences))
