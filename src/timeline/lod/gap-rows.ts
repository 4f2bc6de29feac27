/**
 * Gaps as the lanes draw them: in order of start with their level of detail, and in groups, one a
 * repeat of a variant. Of 10^5 gaps it takes the import worker a moment and the page, where the
 * code is cold, a tenth of a second: so it is made there and adopted. Units: host ns.
 */
import { addTo, madeOnce } from '../../base/lists'
import { buffersToMove } from '../../base/shared-memory'
import { CAUSES, isIdle } from '../../trace/gap-causes'
import type { Gap, GapCause } from '../../trace/gaps'
import type { PlacedTrace } from '../../trace/place'
import { makePyramid, pyramidColumns, type Pyramid } from './pyramid'

/** Buckets of a gap's row. */
export const OTHER_BUCKET = 0
export const HOST_BUCKET = 1

/**
 * The gaps of one repeat of one variant on one lane: what they come to is said once, where each is
 * too narrow for words.
 */
export interface GapGroup {
  readonly count: number
  /** From the pass before the first gap to the pass after the last. */
  readonly startNs: number
  readonly endNs: number
  readonly idleNs: number
  /** The recorded part of that time: the denominator of the idle share. */
  readonly knownNs: number
  /** The cause that most of the idle time has; of gaps that are not recorded, that. */
  readonly cause: GapCause
}

export interface LaneGaps {
  /** `span` is the index into `gaps`. */
  readonly row: Pyramid
  readonly groups: readonly GapGroup[]
}

export interface GapRows {
  readonly byLane: ReadonlyMap<number, LaneGaps>
  /** Indices into `gaps` of all lanes, by start; gaps without a place are left out. */
  readonly order: Uint32Array
}

const known = new WeakMap<readonly Gap[], GapRows>()

/** Worked out once for a list of gaps. */
export const laneGaps = (placed: PlacedTrace, gaps: readonly Gap[]): GapRows =>
  madeOnce(known, gaps, () => makeGapRows(placed, gaps))

export function makeGapRows(placed: PlacedTrace, gaps: readonly Gap[]): GapRows {
  const order = sortByStart(gaps)
  // Dealt out once: to look for each lane's among all of them is the square of what a file with
  // many lanes has.
  const own = new Map<number, number[]>()
  for (const index of order) addTo(own, gaps[index]?.lane ?? -1, index)
  const byLane = new Map(
    Array.from(own, ([lane, span]) => [lane, gapsOfLane(placed, gaps, Uint32Array.from(span))]),
  )
  return { byLane, order }
}

/** Made elsewhere, of these very gaps. */
export function adoptGapRows(gaps: readonly Gap[], rows: GapRows): void {
  known.set(gaps, rows)
}

/** For postMessage: rows cross as they are. They are not to be used after. */
export const gapRowBuffers = ({ byLane, order }: GapRows): readonly ArrayBuffer[] =>
  buffersToMove([order, ...[...byLane.values()].flatMap(({ row }) => pyramidColumns(row))])

/** In loops over columns: 10^5 gaps arrive on the page's thread at once. */
function sortByStart(gaps: readonly Gap[]): Uint32Array {
  const order = new Uint32Array(gaps.length)
  let length = 0
  let isSorted = true
  let last = -Infinity
  for (let index = 0; index < gaps.length; index += 1) {
    const { startNs = Number.NaN, endNs = Number.NaN } = gaps[index] ?? {}
    if (!Number.isFinite(startNs) || !Number.isFinite(endNs)) continue
    if (startNs < last) isSorted = false
    last = startNs
    order[length] = index
    length += 1
  }
  const placed = order.subarray(0, length)
  return isSorted ? placed : placed.sort((a, b) => (gaps[a]?.startNs ?? 0) - (gaps[b]?.startNs ?? 0))
}

/** `span`: its gaps, by start. */
function gapsOfLane(placed: PlacedTrace, gaps: readonly Gap[], span: Uint32Array<ArrayBuffer>): LaneGaps {
  const count = span.length
  const startNs = new Float64Array(count)
  const endNs = new Float64Array(count)
  const bucket = new Uint8Array(count)
  const groups: GapGroup[] = []
  let first = 0
  let [variant, repeat] = [Number.NaN, Number.NaN]
  for (let at = 0; at < count; at += 1) {
    const gap = gaps[span[at] ?? -1]
    if (!gap) continue
    if (at > first && (gap.variant !== variant || gap.repeat !== repeat)) {
      groups.push(makeGroup(placed, gaps, span.subarray(first, at)))
      first = at
    }
    variant = gap.variant
    repeat = gap.repeat
    startNs[at] = gap.startNs
    endNs[at] = gap.endNs
    bucket[at] = CAUSES[gap.cause].isHosts ? HOST_BUCKET : OTHER_BUCKET
  }
  if (count > first) groups.push(makeGroup(placed, gaps, span.subarray(first, count)))
  return { row: makePyramid({ length: count, span, startNs, endNs, bucket }), groups }
}

function makeGroup(placed: PlacedTrace, gaps: readonly Gap[], members: Uint32Array): GapGroup {
  const byCause = new Map<GapCause, number>()
  let [idleNs, unknownNs] = [0, 0]
  for (const index of members) {
    const gap = gaps[index]
    if (!gap) continue
    if (!isIdle(gap.cause)) {
      unknownNs += gap.durationNs
      continue
    }
    idleNs += gap.durationNs
    byCause.set(gap.cause, (byCause.get(gap.cause) ?? 0) + gap.durationNs)
  }
  const [cause] = [...byCause].reduce<readonly [GapCause, number]>(
    (a, b) => (b[1] > a[1] ? b : a),
    [unknownNs > 0 ? 'not-recorded' : 'unknown', -Infinity],
  )
  const [first, last] = [gaps[members[0] ?? -1], gaps[members.at(-1) ?? -1]]
  const startNs = placed.startNs[first?.before ?? -1] ?? first?.startNs ?? 0
  const endNs = placed.endNs[last?.after ?? -1] ?? last?.endNs ?? 0
  return { count: members.length, startNs, endNs, idleNs, knownNs: endNs - startNs - unknownNs, cause }
}
