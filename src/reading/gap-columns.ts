/**
 * Gaps as columns, for the way between threads, and back into objects in turns: 2·10^5 of them never stop the page.
 * Invariant: unpackGaps(packGaps(gaps)) are the gaps. Times in ns, as in analysis/types.ts.
 */
import type { Gap, GapCause } from '../analysis/types'
import type { Turns } from '../base/give-way'
import { packSentences, unpackStrings, type PackedStrings } from './packed-strings'

export interface GapColumns {
  readonly length: number
  readonly lane: Int32Array<ArrayBuffer>
  readonly startNs: Float64Array<ArrayBuffer>
  readonly endNs: Float64Array<ArrayBuffer>
  readonly durationNs: Float64Array<ArrayBuffer>
  readonly before: Int32Array<ArrayBuffer>
  readonly after: Int32Array<ArrayBuffer>
  readonly variant: Int32Array<ArrayBuffer>
  readonly repeat: Int32Array<ArrayBuffer>
  /** Index into `causes`. */
  readonly cause: Uint8Array<ArrayBuffer>
  /** Where the spans of each end in `spans`; they begin where those of the one before end. */
  readonly spansEnd: Uint32Array<ArrayBuffer>
  readonly spans: Int32Array<ArrayBuffer>
  readonly causes: readonly GapCause[]
  /** By gap. */
  readonly evidences: PackedStrings
}

export function packGaps(gaps: readonly Gap[]): {
  readonly columns: GapColumns
  readonly transfer: readonly ArrayBuffer[]
} {
  const { length } = gaps
  const causes: GapCause[] = []
  const columns = {
    lane: new Int32Array(length),
    startNs: new Float64Array(length),
    endNs: new Float64Array(length),
    durationNs: new Float64Array(length),
    before: new Int32Array(length),
    after: new Int32Array(length),
    variant: new Int32Array(length),
    repeat: new Int32Array(length),
    cause: new Uint8Array(length),
    spansEnd: new Uint32Array(length),
    spans: new Int32Array(gaps.reduce((sum, gap) => sum + gap.spans.length, 0)),
  }
  let end = 0
  for (const [index, gap] of gaps.entries()) {
    columns.lane[index] = gap.lane
    columns.startNs[index] = gap.startNs
    columns.endNs[index] = gap.endNs
    columns.durationNs[index] = gap.durationNs
    columns.before[index] = gap.before
    columns.after[index] = gap.after
    columns.variant[index] = gap.variant
    columns.repeat[index] = gap.repeat
    if (!causes.includes(gap.cause)) causes.push(gap.cause)
    columns.cause[index] = causes.indexOf(gap.cause)
    const { spans } = gap
    columns.spans.set(spans, end)
    end += spans.length
    columns.spansEnd[index] = end
  }
  // Nearly each is its own: figures stand in it.
  const evidences = packSentences(length, (index) => gaps[index]?.evidence ?? '')
  return {
    columns: { ...columns, length, causes, evidences: evidences.packed },
    transfer: [...Object.values(columns).map(({ buffer }) => buffer), ...evidences.transfer],
  }
}

/** Rows between two looks at the clock: some tens of microseconds. */
const ROWS_A_LOOK = 256

export async function unpackGaps(columns: GapColumns, turns: Turns): Promise<readonly Gap[]> {
  const evidences = await unpackStrings(columns.evidences, turns)
  const gaps: Gap[] = []
  for (let index = 0; index < columns.length; index += 1) {
    gaps.push({
      lane: columns.lane[index] ?? -1,
      startNs: columns.startNs[index] ?? Number.NaN,
      endNs: columns.endNs[index] ?? Number.NaN,
      durationNs: columns.durationNs[index] ?? Number.NaN,
      cause: columns.causes[columns.cause[index] ?? -1] ?? 'unknown',
      evidence: evidences[index] ?? '',
      spans: Array.from(columns.spans.subarray(columns.spansEnd[index - 1] ?? 0, columns.spansEnd[index])),
      before: columns.before[index] ?? -1,
      after: columns.after[index] ?? -1,
      variant: columns.variant[index] ?? -1,
      repeat: columns.repeat[index] ?? -1,
    })
    if (index % ROWS_A_LOOK === 0) await turns.next()
  }
  return gaps
}
