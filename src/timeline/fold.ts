/**
 * Lanes folded to one row: the row shows what the lane's rows come to together. Of spans in order
 * of start, one that ends no later than any before it adds nothing to the union, so the row holds
 * the others: of nested calls the outermost (and waiting within a collective). Every bar is a span
 * of the trace, none is made up. Linear in the lane's spans, once a lane.
 */
import { madeOnce } from '../base/lists'
import { isOfRanks } from '../trace/collectives'
import { addToRow, holderOf, NO_ROW } from './lod/lane-rows'
import { type LaneLod, type TraceLod } from './lod/trace-lod'
import type { PlacedLane, PlacedTrace } from '../trace/place'
import { blankRow, makePyramid, type Pyramid } from './lod/pyramid'
import { type LaneKind, type SpanColumns, type SpanKind, spanKindIndex } from '../trace/schema'

export interface FoldedLane {
  readonly row: Pyramid
  /** By position in the placed lane: 0, or NO_ROW where no row draws the span. */
  readonly rowOf: Uint16Array
}

/**
 * A device's copies lie under the passes they overlap: folded they would be gone. Queue rows share
 * one height as they are.
 */
export const canFold = (kind: LaneKind, lod: Pick<LaneLod, 'rows'> | null): boolean =>
  (kind === 'host' || kind === 'other') && (lod?.rows.length ?? 0) > 1

const folded = new WeakMap<PlacedLane, FoldedLane>()

export function foldLane(lane: PlacedLane, lod: LaneLod, spans: SpanColumns): FoldedLane {
  return madeOnce(folded, lane, () => makeFolded(lane, lod, spans))
}

function makeFolded(lane: PlacedLane, lod: LaneLod, spans: SpanColumns): FoldedLane {
  const rows = lod.rowOf
  const rowOf = new Uint16Array(lane.length).fill(NO_ROW)
  const kept = new Uint32Array(lane.length)
  let length = 0
  let lastEndNs = -Infinity
  let sticksOut = false
  for (let at = 0; at < lane.length; at += 1) {
    const own = rows[at] ?? NO_ROW
    if (own === NO_ROW) continue
    rowOf[at] = 0
    const endNs = lane.endNs[at] ?? 0
    const holder = holderOf(lane, spans.kind, at)
    const isHeld = holder >= 0 && length > 0 && kept[length - 1] === holder
    if (endNs <= lastEndNs && !isHeld) continue
    lastEndNs = Math.max(lastEndNs, endNs)
    if (own > 0) sticksOut = true
    kept[length] = at
    length += 1
  }
  // Calls that all end within their callers: the first row is the union, and has its levels of
  // detail.
  const [first] = lod.rows
  if (!sticksOut && first) return { row: first, rowOf }
  const row = blankRow(length)
  for (let index = 0; index < length; index += 1) addToRow(row, index, lane, spans, kept[index] ?? 0)
  return { row: makePyramid(row), rowOf }
}

/**
 * More host lanes than this, and those that never call the device start folded; of several ranks
 * all, so that their devices stand together.
 */
const MANY_HOST_LANES = 8
const DEVICE_CALLS: ReadonlySet<number> = new Set(
  (['encode', 'submit', 'host-wait'] satisfies SpanKind[]).map(spanKindIndex),
)

/** Lanes that start folded, by id. Reads which kinds a row has, not its spans. */
export function startFolded({ trace }: PlacedTrace, { lanes }: TraceLod): readonly number[] {
  const hosts = lanes.filter(({ lane }) => trace.lanes[lane]?.kind === 'host')
  const areRanks = isOfRanks(trace)
  if (hosts.length <= MANY_HOST_LANES && !areRanks) return []
  return hosts
    .filter(
      (lod) =>
        canFold('host', lod) &&
        (areRanks ||
          !lod.rows.some(({ buckets }) => buckets.some((bucket) => DEVICE_CALLS.has(bucket >> 1)))),
    )
    .map(({ lane }) => lane)
}
