/**
 * The level of detail (LOD) of a placed trace, worked out once: rows by depth with their pyramids,
 * counters with theirs, instants by lane, bands. Linear in the spans (about 100 ns each), so big
 * traces have it made in a worker and adopted. Plain data with typed columns: it crosses threads by
 * transfer (`packLod`, `adoptLod`).
 */
import { addTo, madeOnce } from '../../base/lists'
import { buffersToMove } from '../../base/shared-memory'
import { findBands, type Band } from './bands'
import { makeCounterLevels, type CounterLevels } from './counter-levels'
import { assignRows, holderOf, NO_ROW, placeWaits, rowPyramids } from './lane-rows'
import type { PlacedLane, PlacedTrace } from '../../trace/place'
import { pyramidColumns, type Pyramid } from './pyramid'
import { SPAN_KINDS, type LaneKind, type SpanKind } from '../../trace/schema'

export interface LaneLod {
  readonly lane: number
  /** By position in the placed lane; NO_ROW where none. */
  readonly rowOf: Uint16Array
  readonly rows: readonly Pyramid[]
  /** Number of rows at the end that hold copies (device lanes). */
  readonly copyRows: number
  /** Times of the lane's instants, ascending, host ns. */
  readonly instantsNs: Float64Array
}

export interface TraceLod {
  readonly bands: readonly Band[]
  /** In the order of `PlacedTrace.lanes`. */
  readonly lanes: readonly LaneLod[]
  /** In the order of `Trace.counters`. */
  readonly counters: readonly CounterLevels[]
}

/**
 * Rows that a lane may have. With Python's own functions a host thread of a transformer is 40 to 65
 * calls deep; queues may hold hundreds, of which 64 can be distinguished in the room that they
 * share.
 */
const MAX_ROWS: Readonly<Record<LaneKind, number>> = {
  host: 128,
  queue: 64,
  staging: 1,
  device: 4,
  other: 128,
}
const MAX_COPY_ROWS = 2
const TRANSFER = SPAN_KINDS.indexOf('transfer')
const WINDOW = SPAN_KINDS.indexOf('window')

export function makeTraceLod(placed: PlacedTrace): TraceLod {
  const instants = instantsByLane(placed)
  return {
    bands: findBands(placed),
    lanes: placed.lanes.map((lane) =>
      makeLaneLod(placed, lane, instants.get(lane.lane) ?? new Float64Array()),
    ),
    counters: placed.trace.counters.map(makeCounterLevels),
  }
}

function makeLaneLod({ trace }: PlacedTrace, lane: PlacedLane, instantsNs: Float64Array): LaneLod {
  const { kind, clock } = trace.lanes[lane.lane] ?? { kind: 'other' as const, clock: -1 }
  const kinds = trace.spans.kind
  const stepNs = trace.clocks[clock]?.stepNs ?? 0
  const rowOf = new Uint16Array(lane.length).fill(NO_ROW)
  const isHeld = (at: number) => holderOf(lane, kinds, at) >= 0
  const isDevice = kind === 'device'
  // A device's passes above, its copies beneath: a bracketed copy always overlaps the pass that
  // brackets it.
  const apart = isDevice ? TRANSFER : WINDOW
  const isHere = (span: number, at: number) => kinds[span] !== apart && !isHeld(at)
  const rowCount = assignRows(lane, isDevice ? stepNs : stepNs / 2, MAX_ROWS[kind], isHere, rowOf)
  const firstCopyRow = Math.max(1, rowCount)
  const isCopy = (span: number) => kinds[span] === TRANSFER
  const copyRows = isDevice ? assignRows(lane, stepNs, MAX_COPY_ROWS, isCopy, rowOf, firstCopyRow) : 0
  placeWaits(lane, kinds, rowOf)
  return {
    lane: lane.lane,
    rowOf,
    rows: rowPyramids(lane, trace.spans, rowOf, isDevice ? firstCopyRow + copyRows : rowCount),
    copyRows,
    instantsNs,
  }
}

/**
 * Host instants only: a device tick has no place here without its clock's fit, and the lab records
 * none.
 */
function instantsByLane({ trace }: PlacedTrace): ReadonlyMap<number, Float64Array> {
  const times = new Map<number, number[]>()
  const { instants, lanes, clocks } = trace
  for (let index = 0; index < instants.length; index += 1) {
    const lane = instants.lane[index] ?? -1
    const time = instants.time[index] ?? Number.NaN
    if (clocks[lanes[lane]?.clock ?? -1]?.kind === 'device' || !Number.isFinite(time)) continue
    addTo(times, lane, time)
  }
  return new Map([...times].map(([lane, own]) => [lane, Float64Array.from(own).sort()]))
}

/**
 * By the lanes of a placed trace, which stay the same objects where only its words change (a note,
 * a name).
 */
const cache = new WeakMap<PlacedTrace['lanes'], TraceLod>()

export const lodOf = (placed: PlacedTrace): TraceLod =>
  madeOnce(cache, placed.lanes, () => makeTraceLod(placed))

/** On its way between threads: counters without their samples, which travel with the trace. */
export interface PackedLod {
  readonly bands: readonly Band[]
  readonly lanes: readonly LaneLod[]
  readonly counters: readonly Omit<CounterLevels, 'columns'>[]
}

/** Gives the buffers away: `TraceLod` is not to be used after. */
export function packLod({ bands, lanes, counters }: TraceLod): {
  readonly packed: PackedLod
  readonly transfer: readonly ArrayBuffer[]
} {
  const columns = [
    ...lanes.flatMap(({ rowOf, rows, instantsNs }) => [rowOf, instantsNs, ...rows.flatMap(pyramidColumns)]),
    ...counters.flatMap(({ low, high }) => [...low, ...high]),
  ]
  return {
    packed: { bands, lanes, counters: counters.map(({ low, high, max }) => ({ low, high, max })) },
    transfer: buffersToMove(columns),
  }
}

/** The level of detail of `placed`, made elsewhere, is what `lodOf` gives from now on. */
export function adoptLod(placed: PlacedTrace, { bands, lanes, counters }: PackedLod): void {
  const columns = placed.trace.counters
  cache.set(placed.lanes, {
    bands,
    lanes,
    counters: counters.flatMap((levels, index) => {
      const samples = columns[index]
      return samples ? [{ ...levels, columns: samples }] : []
    }),
  })
}

/** Read from the levels of detail, not from the spans. */
export function kindsDrawn(placed: PlacedTrace): ReadonlySet<SpanKind> {
  const kinds = new Set<SpanKind>()
  for (const { rows } of lodOf(placed).lanes)
    for (const { buckets } of rows)
      for (const bucket of buckets) kinds.add(SPAN_KINDS[bucket >> 1] ?? 'other')
  return kinds
}

/**
 * Variants in the order they came: by the windows of the repeats, which are few, else by the spans.
 */
export function variantsDrawn(placed: PlacedTrace): readonly string[] {
  const { bands } = lodOf(placed)
  const { spans, strings } = placed.trace
  const names =
    bands.length > 0
      ? bands.map(({ variant }) => variant)
      : [...new Set(spans.variant.subarray(0, spans.length))].map((index) => strings[index] ?? '')
  return [...new Set(names)].filter((name) => name !== '')
}
