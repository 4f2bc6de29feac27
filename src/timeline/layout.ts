/**
 * Placed trace -> rows of pixels. Pure: the same trace and width class give the same rows. Heights
 * in CSS px from the canvas's top.
 *
 *   ┌ axis ──────────────────────────────────────────┐
 *   │ bands: one labelled extent a repeat of a variant│   'window' spans, drawn nowhere else
 *   ├ lane ──────────────────────────────────────────┤
 *   │ counter area (queue depth)                      │   0 high where the lane has no counter
 *   │ row 0, row 1, …  overlapping spans stack        │   depth by first fit, in order of start
 *   │ gap zone (brackets)                             │   device lanes only
 *   └────────────────────────────────────────────────┘
 */
import type { Gap } from '../trace/gaps'
import type { Band } from './lod/bands'
import { type LaneLod, lodOf } from './lod/trace-lod'
import type { PlacedLane, PlacedTrace } from '../trace/place'
import type { Pyramid } from './lod/pyramid'
import type { Lane, LaneKind } from '../trace/schema'
import { canFold, foldLane } from './fold'
import { laneGaps, type LaneGaps } from './lod/gap-rows'

/** 'staging 0' in the group 'staging' is '0'; 'queue' in 'queue' is nothing. */
function shortLaneName(name: string, group: string): string {
  const rest = name.toLowerCase().startsWith(group.toLowerCase()) ? name.slice(group.length).trim() : name
  return /^\((.*)\)$/.exec(rest)?.[1] ?? rest
}

const RANK = ' · '

/**
 * In joined ranks both names begin with the rank: 'rank 0 · stream 7' in 'rank 0 · device 0' is
 * 'stream 7' of 'rank 0'. @internal
 */
export function namesOf(name: string, group: string): { readonly title: string; readonly label: string } {
  const [first = '', ...rest] = group.split(RANK)
  const prefix = first + RANK
  if (rest.length === 0 || !name.startsWith(prefix))
    return { title: group, label: shortLaneName(name, group) }
  const own = rest.join(RANK)
  return { title: first, label: shortLaneName(name.slice(prefix.length), own) || own }
}

interface RowLayout {
  readonly topPx: number
  /** Height of the bars; the row itself may be higher. */
  readonly barPx: number
  /** Null: an empty row, held so that the lane has a height. */
  readonly spans: Pyramid | null
}

export interface LaneLayout {
  readonly fold: 'none' | 'open' | 'folded'
  /** Null: the place held for a device lane whose timestamps have not arrived, or never will. */
  readonly lane: Lane | null
  readonly placed: PlacedLane | null
  readonly kind: LaneKind
  /** Said once a group, at its first lane. */
  readonly groupTitle: string | null
  /** The lane's own name, where the group's title does not say it all. */
  readonly label: string
  /** The label for places too small for both: the colour tells the group, but not the rank. */
  readonly loneLabel: string
  readonly topPx: number
  readonly heightPx: number
  readonly counters: readonly number[]
  readonly counterTopPx: number
  readonly counterHeightPx: number
  /** Largest value of the lane's first counter, at least 1: the top of its scale. */
  readonly counterMax: number
  readonly rows: readonly RowLayout[]
  /** By position in `placed`; NO_ROW where none. */
  readonly rowOf: Uint16Array
  /** Room under the bars for the whiskers of their edges; 0 none. */
  readonly whiskerPx: number
  readonly gapTopPx: number
  readonly gapHeightPx: number
  readonly gaps: LaneGaps | null
  readonly instantsNs: Float64Array
}

export interface Layout {
  /** 0: no header column; each lane's name stands above its rows. */
  readonly headerPx: number
  readonly axisPx: number
  readonly bandTopPx: number
  readonly bandPx: number
  readonly bands: readonly Band[]
  readonly lanes: readonly LaneLayout[]
  readonly heightPx: number
}

export interface LayoutOptions {
  readonly widthPx: number
  /** Lane ids of those with one row for all. */
  readonly folded?: readonly number[]
}

/** Below this width a header column would take a third of the picture. */
const NARROW_PX = 560
const HEADER_PX = 112
const CAPTION_PX = 20
/**
 * A lane of more rows than this keeps its height for as long as it can: a thread of deep calls must
 * not push the device off the page.
 */
const FULL_ROWS = 6
/** In a lane of more rows than this the outermost calls get no room for a name. */
const DEEP_ROWS = 24

const SIZES = {
  axisPx: 32,
  bandPx: 24,
  groupGapPx: 16,
  rowPx: { host: 24, queue: 8, staging: 24, device: 28, other: 24 },
  /** Rows of a deep lane get no lower: a name still fits. */
  deepRowPx: 15,
  outerRowPx: 6,
  transferPx: 16,
  counterPx: 32,
  /** Height shared by all rows of queued submissions. */
  queuedPx: 32,
  whiskerPx: 8,
  gapPx: 24,
} as const
/**
 * Without a header column: whether the lane's name lies over its row, because its group has other
 * lanes too.
 */
export const hasChip = ({ lanes }: Layout, lane: LaneLayout): boolean =>
  lane.label !== '' && lanes.filter(({ kind }) => kind === lane.kind).length > 1

interface Draft {
  readonly lane: Lane | null
  readonly placed: PlacedLane | null
  readonly lod: LaneLod | null
  readonly kind: LaneKind
  readonly group: string
  readonly fold: LaneLayout['fold']
}

const NO_ROWS = new Uint16Array()
const NO_INSTANTS = new Float64Array()

const GROUP_ORDER: readonly LaneKind[] = ['host', 'queue', 'staging', 'device', 'other']

/** 1 for 'device', 2 for 'device 2'. */
const numberIn = (name: string): number => Number(/ (\d+)$/.exec(name)?.[1] ?? 1)

/**
 * By number, where each has a clock of its own: a recorder adds the lane of a GPUDevice when its
 * first timestamps are read, and the second device's may come before the first's. All others stay
 * as recorded.
 */
function byDevice({ trace }: PlacedTrace, a: Lane, b: Lane): number {
  const isOwn = (lane: Lane): boolean => trace.clocks[lane.clock]?.kind === 'device'
  return isOwn(a) && isOwn(b) ? numberIn(a.name) - numberIn(b.name) : 0
}

/**
 * Groups in the order of the story (host, queue, staging, device), lanes of a group together, as
 * recorded.
 */
function orderLanes(placed: PlacedTrace, { folded }: LayoutOptions): Draft[] {
  const byLane = new Map(placed.lanes.map((lane) => [lane.lane, lane]))
  const lods = new Map(lodOf(placed).lanes.map((lod) => [lod.lane, lod]))
  const drafts: Draft[] = placed.trace.lanes.map((lane) => ({
    lane,
    placed: byLane.get(lane.id) ?? null,
    kind: lane.kind,
    group: lane.group,
    ...foldOf(placed, lane, byLane.get(lane.id), lods.get(lane.id), folded),
  }))
  // Nothing is to jump when the device's spans arrive.
  if (drafts.length > 0 && !drafts.some(({ kind }) => kind === 'device'))
    drafts.push({ lane: null, placed: null, lod: null, kind: 'device', group: 'device', fold: 'none' })
  const firstOfGroup = new Map<string, number>()
  for (const [index, { group, kind }] of drafts.entries())
    if (!firstOfGroup.has(group)) firstOfGroup.set(group, GROUP_ORDER.indexOf(kind) * 1e6 + index)
  return drafts.sort(
    (a, b) =>
      (firstOfGroup.get(a.group) ?? 0) - (firstOfGroup.get(b.group) ?? 0) ||
      (a.lane && b.lane ? byDevice(placed, a.lane, b.lane) : 0),
  )
}

function foldOf(
  { trace }: PlacedTrace,
  { id, kind }: Lane,
  placed: PlacedLane | undefined,
  lod: LaneLod | undefined,
  folded: readonly number[] = [],
): Pick<Draft, 'lod' | 'fold'> {
  if (!placed || !lod || !canFold(kind, lod)) return { lod: lod ?? null, fold: 'none' }
  if (!folded.includes(id)) return { lod, fold: 'open' }
  const { row, rowOf } = foldLane(placed, lod, trace.spans)
  return { lod: { ...lod, rows: [row], rowOf, copyRows: 0 }, fold: 'folded' }
}

interface Row {
  readonly heightPx: number
  readonly barPx: number
  readonly spans: Pyramid | null
}

/**
 * Rows begin and end on whole pixels: edges between them are sharp, and all bars of a row stand
 * alike.
 */
const wholePx = (px: number): number => (px >= 1 ? Math.floor(px) : px)

function stackRows({ lod, kind }: Draft): readonly Row[] {
  const rows = lod?.rows ?? []
  if (kind === 'queue') {
    const heightPx = wholePx(Math.min(SIZES.rowPx.queue, SIZES.queuedPx / Math.max(1, rows.length)))
    const barPx = heightPx >= 4 ? heightPx - 1 : heightPx
    return rows.map((spans) => ({ heightPx, barPx, spans }))
  }
  const fullPx = SIZES.rowPx[kind]
  const heightPx =
    kind === 'device' || rows.length <= FULL_ROWS
      ? fullPx
      : Math.max(SIZES.deepRowPx, wholePx((fullPx * FULL_ROWS) / rows.length))
  const row = (height: number, spans: Pyramid | null): Row => ({
    heightPx: height,
    barPx: Math.max(1, height - (height <= heightPx && heightPx < fullPx ? 2 : 4)),
    spans,
  })
  const firstCopyRow = rows.length - (lod?.copyRows ?? 0)
  const outerRows = rows.length > DEEP_ROWS ? rows.findIndex(({ length }) => length > 1) : 0
  const stacked = rows.map((spans, index) => {
    const ownPx = index < outerRows ? SIZES.outerRowPx : heightPx
    return row(index < firstCopyRow ? ownPx : SIZES.transferPx, spans)
  })
  return stacked.length > 0 ? stacked : [row(fullPx, null)]
}

export function makeLayout(placed: PlacedTrace, gaps: readonly Gap[], options: LayoutOptions): Layout {
  const narrow = options.widthPx < NARROW_PX
  const headerPx = narrow ? 0 : HEADER_PX
  const { bands, counters: counterLevels } = lodOf(placed)
  const gapsOf = laneGaps(placed, gaps).byLane
  const bandTopPx = SIZES.axisPx
  const { bandPx } = SIZES
  const drafts = orderLanes(placed, options)
  const lanes: LaneLayout[] = []
  let top = bandTopPx + bandPx
  let lastGroup: string | null = null
  const perGroup = new Map<string, number>()
  for (const { group } of drafts) perGroup.set(group, (perGroup.get(group) ?? 0) + 1)

  for (const draft of drafts) {
    const isFirst = draft.group !== lastGroup
    lastGroup = draft.group
    const captionPx = narrow ? CAPTION_PX : 0
    if (isFirst) top += SIZES.groupGapPx / (narrow ? 2 : 1)
    const topPx = top
    top += isFirst || !narrow ? captionPx : 0
    const counters = placed.trace.counters.flatMap((counter, index) =>
      draft.lane !== null && counter.lane === draft.lane.id ? [index] : [],
    )
    const counterTopPx = top
    const counterMax = Math.max(1, counterLevels[counters[0] ?? -1]?.max ?? 0)
    const counterHeightPx = counters.length > 0 || draft.kind === 'queue' ? SIZES.counterPx : 0
    top += counterHeightPx
    if (counterHeightPx > 0) top += 4
    const rows = stackRows(draft).map(({ heightPx, barPx, spans }) => {
      const row = { topPx: top + Math.floor((heightPx - barPx) / 2), barPx, spans }
      top += heightPx
      return row
    })
    const isDevice = draft.kind === 'device'
    const whiskerPx = isDevice ? SIZES.whiskerPx : 0
    top += whiskerPx
    const gapTopPx = top
    const gapHeightPx = isDevice ? SIZES.gapPx : 0
    top += gapHeightPx
    const alone = perGroup.get(draft.group) === 1
    const name = draft.lane?.name ?? ''
    const { title, label } = namesOf(name, draft.group)
    const shownLabel = label || (alone ? '' : name)
    lanes.push({
      fold: draft.fold,
      lane: draft.lane,
      placed: draft.placed,
      kind: draft.kind,
      // The header column has no room for the group's whole name.
      groupTitle: isFirst ? (narrow ? draft.group : title) : null,
      label: shownLabel,
      loneLabel: title === draft.group ? shownLabel : `${title} ${shownLabel}`,
      topPx,
      heightPx: top - topPx,
      counters,
      counterTopPx,
      counterHeightPx,
      counterMax,
      rows,
      rowOf: draft.lod?.rowOf ?? NO_ROWS,
      whiskerPx,
      gapTopPx,
      gapHeightPx,
      gaps: gapsOf.get(draft.lane?.id ?? -1) ?? null,
      instantsNs: draft.lod?.instantsNs ?? NO_INSTANTS,
    })
  }
  return {
    headerPx,
    axisPx: SIZES.axisPx,
    bandTopPx,
    bandPx,
    bands,
    lanes,
    heightPx: top + SIZES.groupGapPx / 2,
  }
}
