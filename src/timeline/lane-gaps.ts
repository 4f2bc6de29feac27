/** Gaps as the lanes draw them: in order of start with their level of detail, and in groups, one a repeat of a variant. */
import type { Gap, GapCause } from '../analysis/types'
import type { PlacedTrace } from '../trace/place'
import { makePyramid, type Pyramid } from '../trace/pyramid'
import { isHostCaused } from './causes'

/** Buckets of a gap's row. */
export const OTHER_BUCKET = 0
export const HOST_BUCKET = 1

/** The gaps of one repeat of one variant on one lane: what they come to is said once, where each is too narrow for words. */
export interface GapGroup {
  readonly count: number
  /** From the pass before the first gap to the pass after the last: what the idle share is a share of. */
  readonly startNs: number
  readonly endNs: number
  readonly idleNs: number
  /** The cause that most of the idle time has. */
  readonly cause: GapCause
}

export interface LaneGaps {
  /** `span` is the index into `gaps`. */
  readonly row: Pyramid
  readonly groups: readonly GapGroup[]
  /** By position in the row: index into `groups`. */
  readonly groupOf: Uint32Array
}

interface Found {
  readonly byLane: ReadonlyMap<number, LaneGaps>
  /** Indices into `gaps` of all lanes, by start; gaps without a place are left out. */
  readonly order: Uint32Array
}

const known = new WeakMap<readonly Gap[], Found>()

/** Worked out once for a list of gaps. */
export function laneGaps(placed: PlacedTrace, gaps: readonly Gap[]): Found {
  const before = known.get(gaps)
  if (before) return before
  const order = sortByStart(gaps)
  const lanes = new Map<number, number[]>()
  for (const index of order) {
    const lane = gaps[index]?.lane ?? -1
    const own = lanes.get(lane)
    if (own) own.push(index)
    else lanes.set(lane, [index])
  }
  const byLane = new Map([...lanes].map(([lane, own]) => [lane, gapsOfLane(placed, gaps, own)]))
  const found = { byLane, order }
  known.set(gaps, found)
  return found
}

function sortByStart(gaps: readonly Gap[]): Uint32Array {
  const order: number[] = []
  let isSorted = true
  let last = -Infinity
  for (const [index, { startNs, endNs }] of gaps.entries()) {
    if (!Number.isFinite(startNs) || !Number.isFinite(endNs)) continue
    if (startNs < last) isSorted = false
    last = startNs
    order.push(index)
  }
  if (!isSorted) order.sort((a, b) => (gaps[a]?.startNs ?? 0) - (gaps[b]?.startNs ?? 0))
  return Uint32Array.from(order)
}

function gapsOfLane(placed: PlacedTrace, gaps: readonly Gap[], own: readonly number[]): LaneGaps {
  const groupOf = new Uint32Array(own.length)
  const groups: GapGroup[] = []
  let first = 0
  const at = (position: number): Gap | undefined => gaps[own[position] ?? -1]
  for (let position = 1; position <= own.length; position += 1) {
    const [begun, here] = [at(first), at(position)]
    if (here && here.variant === begun?.variant && here.repeat === begun.repeat) continue
    groupOf.fill(groups.length, first, position)
    groups.push(makeGroup(placed, gaps, own.slice(first, position)))
    first = position
  }
  return {
    row: makePyramid({
      length: own.length,
      span: Uint32Array.from(own),
      startNs: Float64Array.from(own, (index) => gaps[index]?.startNs ?? 0),
      endNs: Float64Array.from(own, (index) => gaps[index]?.endNs ?? 0),
      bucket: Uint8Array.from(own, (index) =>
        isHostCaused(gaps[index]?.cause ?? 'unknown') ? HOST_BUCKET : OTHER_BUCKET,
      ),
    }),
    groups,
    groupOf,
  }
}

function makeGroup(placed: PlacedTrace, gaps: readonly Gap[], members: readonly number[]): GapGroup {
  const byCause = new Map<GapCause, number>()
  let idleNs = 0
  for (const index of members) {
    const gap = gaps[index]
    if (!gap) continue
    idleNs += gap.durationNs
    byCause.set(gap.cause, (byCause.get(gap.cause) ?? 0) + gap.durationNs)
  }
  const [cause] = [...byCause].reduce<readonly [GapCause, number]>(
    (a, b) => (b[1] > a[1] ? b : a),
    ['unknown', -Infinity],
  )
  const [first, last] = [gaps[members[0] ?? -1], gaps[members.at(-1) ?? -1]]
  return {
    count: members.length,
    startNs: placed.startNs[first?.before ?? -1] ?? first?.startNs ?? 0,
    endNs: placed.endNs[last?.after ?? -1] ?? last?.endNs ?? 0,
    idleNs,
    cause,
  }
}
