/**
 * Placed trace -> rows of pixels. Pure: the same trace and width class give the same rows. Heights in CSS px from the canvas's top.
 *
 *   ┌ axis ──────────────────────────────────────────┐
 *   │ bands: one labelled extent a repeat of a variant│   'window' spans, drawn nowhere else
 *   ├ lane ──────────────────────────────────────────┤
 *   │ counter area (queue depth)                      │   0 high where the lane has no counter
 *   │ row 0, row 1, …  overlapping spans stack        │   depth by first fit, in order of start
 *   │ gap zone (brackets)                             │   device lanes only
 *   └────────────────────────────────────────────────┘
 */
import type { Gap, GapCause } from '../analysis/types'
import type { PlacedLane, PlacedTrace } from '../trace/place'
import { REPEAT_WARM_UP, type Lane, type LaneKind } from '../trace/schema'
import { TRANSFER_KIND, WINDOW_KIND } from './marks'

/** Row value of spans that no row draws: bands, and spans without a place on the host's axis. */
export const NO_ROW = 0xffff

export interface RowLayout {
  readonly topPx: number
  /** Height of the bars; the row itself may be higher. */
  readonly barPx: number
}

export interface LaneLayout {
  /** Null: the place held for a device lane whose timestamps have not arrived, or never will. */
  readonly lane: Lane | null
  readonly placed: PlacedLane | null
  readonly kind: LaneKind
  /** Said once a group, at its first lane. */
  readonly groupTitle: string | null
  /** The lane's own name, where the group's title does not say it all. */
  readonly label: string
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
  /** Indices into `gaps`, by start. */
  readonly gaps: readonly number[]
  readonly gapGroups: readonly GapGroup[]
}

/** The gaps of one repeat of one variant on one lane: what they come to is said once, where each is too narrow for words. */
export interface GapGroup {
  /** Indices into `gaps`, by start. */
  readonly gaps: readonly number[]
  /** From the pass before the first gap to the pass after the last: what the idle share is a share of. */
  readonly startNs: number
  readonly endNs: number
  readonly idleNs: number
  /** The cause that most of the idle time has. */
  readonly cause: GapCause
}

export interface Band {
  readonly span: number
  readonly startNs: number
  readonly endNs: number
  readonly variant: string
  readonly repeat: number
  readonly isWarmUp: boolean
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
  readonly compact: boolean
  /** Keeps a place for the device lane from the start, so that nothing jumps when its spans arrive. */
  readonly holdDeviceLane: boolean
}

/** Below this width a header column would take a third of the picture. */
export const NARROW_PX = 560
const HEADER_PX = 112
const CAPTION_PX = 20
const MAX_ROWS: Readonly<Record<LaneKind, number>> = { host: 6, queue: 64, staging: 1, device: 4, other: 12 }

interface Sizes {
  readonly axisPx: number
  readonly bandPx: number
  readonly groupGapPx: number
  readonly rowPx: Readonly<Record<LaneKind, number>>
  readonly transferPx: number
  readonly counterPx: number
  /** Height shared by all rows of queued submissions. */
  readonly queuedPx: number
  readonly whiskerPx: number
  readonly gapPx: number
}
const REGULAR: Sizes = {
  axisPx: 32,
  bandPx: 24,
  groupGapPx: 16,
  rowPx: { host: 24, queue: 8, staging: 24, device: 28, other: 24 },
  transferPx: 16,
  counterPx: 32,
  queuedPx: 32,
  whiskerPx: 8,
  gapPx: 24,
}
const COMPACT: Sizes = {
  axisPx: 24,
  bandPx: 20,
  groupGapPx: 8,
  rowPx: { host: 18, queue: 6, staging: 18, device: 20, other: 18 },
  transferPx: 12,
  counterPx: 20,
  queuedPx: 12,
  whiskerPx: 6,
  gapPx: 24,
}

/**
 * First fit in order of start: a span goes to the first row that is free when it begins, so nested spans stack under their
 * parent and nothing is hidden. `toleranceNs` forgives overlaps below the clock's step. The last row takes what is left over.
 */
export function assignRows(
  placed: PlacedLane,
  toleranceNs: number,
  maxRows: number,
  include: (span: number) => boolean,
  rowOf: Uint16Array,
  firstRow = 0,
): number {
  const rowEnd = new Float64Array(maxRows).fill(-Infinity)
  let used = 0
  for (let index = 0; index < placed.length; index += 1) {
    if (!include(placed.span[index] ?? 0)) continue
    const start = placed.startNs[index] ?? 0
    const end = placed.endNs[index] ?? 0
    if (!Number.isFinite(start) || !Number.isFinite(end)) continue
    let row = 0
    while (row < maxRows - 1 && (rowEnd[row] ?? 0) > start + toleranceNs) row += 1
    rowEnd[row] = Math.max(rowEnd[row] ?? -Infinity, end)
    rowOf[index] = firstRow + row
    if (row >= used) used = row + 1
  }
  return used
}

export function findBands(placed: PlacedTrace): readonly Band[] {
  const { trace } = placed
  const { kind, variant, repeat } = trace.spans
  const bands: Band[] = []
  for (const lane of placed.lanes) {
    if (trace.lanes[lane.lane]?.kind !== 'host') continue
    for (let index = 0; index < lane.length; index += 1) {
      const span = lane.span[index] ?? 0
      if (kind[span] !== WINDOW_KIND) continue
      const name = trace.strings[variant[span] ?? -1] ?? trace.strings[trace.spans.name[span] ?? -1] ?? ''
      bands.push({
        span,
        startNs: lane.startNs[index] ?? 0,
        endNs: lane.endNs[index] ?? 0,
        variant: name,
        repeat: repeat[span] ?? -1,
        isWarmUp: repeat[span] === REPEAT_WARM_UP,
      })
    }
  }
  return bands.sort((a, b) => a.startNs - b.startNs)
}

/** 'never, repeat 3', counted from 1 as people do; then shorter wordings of it. */
export function bandLabels({ variant, repeat, isWarmUp }: Band): readonly string[] {
  if (isWarmUp) return [`${variant}, warm-up`, variant]
  return repeat >= 0 ? [`${variant}, repeat ${repeat + 1}`, `${variant}, ${repeat + 1}`, variant] : [variant]
}

function groupGaps(placed: PlacedTrace, gaps: readonly Gap[], own: readonly number[]): readonly GapGroup[] {
  const runs: number[][] = []
  let lastKey = ''
  for (const index of own) {
    const key = `${gaps[index]?.variant ?? -1} ${gaps[index]?.repeat ?? -1}`
    if (key !== lastKey) runs.push([])
    lastKey = key
    runs.at(-1)?.push(index)
  }
  return runs.flatMap((run) => {
    const members = run.flatMap((index) => gaps[index] ?? [])
    const [first, last] = [members[0], members.at(-1)]
    if (!first || !last) return []
    const byCause = new Map<GapCause, number>()
    for (const { cause, durationNs } of members) byCause.set(cause, (byCause.get(cause) ?? 0) + durationNs)
    const [cause] = [...byCause].reduce((a, b) => (b[1] > a[1] ? b : a))
    return {
      gaps: run,
      startNs: placed.startNs[first.before] ?? first.startNs,
      endNs: placed.endNs[last.after] ?? last.endNs,
      idleNs: members.reduce((sum, { durationNs }) => sum + durationNs, 0),
      cause,
    }
  })
}

/** 'staging 0' in the group 'staging' is '0'; 'queue' in 'queue' is nothing. */
export function shortLaneName(name: string, group: string): string {
  const rest = name.toLowerCase().startsWith(group.toLowerCase()) ? name.slice(group.length).trim() : name
  return /^\((.*)\)$/.exec(rest)?.[1] ?? rest
}

/** Without a header column: whether the lane's name lies over its row, because its group has other lanes too. */
export const hasChip = ({ lanes }: Layout, lane: LaneLayout): boolean =>
  lane.label !== '' && lanes.filter(({ kind }) => kind === lane.kind).length > 1

interface Draft {
  readonly lane: Lane | null
  readonly placed: PlacedLane | null
  readonly kind: LaneKind
  readonly group: string
}

const GROUP_ORDER: readonly LaneKind[] = ['host', 'queue', 'staging', 'device', 'other']

/** Groups in the order of the story (host, queue, staging, device), lanes of a group together, as recorded. */
function orderLanes(placed: PlacedTrace, holdDeviceLane: boolean): Draft[] {
  const byLane = new Map(placed.lanes.map((lane) => [lane.lane, lane]))
  const drafts: Draft[] = placed.trace.lanes.map((lane) => ({
    lane,
    placed: byLane.get(lane.id) ?? null,
    kind: lane.kind,
    group: lane.group,
  }))
  if (holdDeviceLane && drafts.length > 0 && !drafts.some(({ kind }) => kind === 'device'))
    drafts.push({ lane: null, placed: null, kind: 'device', group: 'device' })
  const firstOfGroup = new Map<string, number>()
  for (const [index, { group, kind }] of drafts.entries())
    if (!firstOfGroup.has(group)) firstOfGroup.set(group, GROUP_ORDER.indexOf(kind) * 1e6 + index)
  return drafts.sort((a, b) => (firstOfGroup.get(a.group) ?? 0) - (firstOfGroup.get(b.group) ?? 0))
}

interface Rows {
  readonly rows: { heightPx: number; barPx: number }[]
  readonly rowOf: Uint16Array
}

function stackRows(placed: PlacedTrace, draft: Draft, sizes: Sizes): Rows {
  const { placed: lane, kind } = draft
  const height = sizes.rowPx[kind]
  const bar = (heightPx: number) => ({ heightPx, barPx: Math.max(1, heightPx - 4) })
  if (!lane) return { rows: kind === 'queue' ? [] : [bar(height)], rowOf: new Uint16Array(0) }
  const rowOf = new Uint16Array(lane.length).fill(NO_ROW)
  const kinds = placed.trace.spans.kind
  const stepNs = placed.trace.clocks[draft.lane?.clock ?? -1]?.stepNs ?? 0
  if (kind === 'device') {
    // Passes above, copies beneath: a bracketed copy always overlaps the pass that brackets it.
    const passes = Math.max(
      1,
      assignRows(lane, stepNs, MAX_ROWS.device, (span) => kinds[span] !== TRANSFER_KIND, rowOf),
    )
    const copies = assignRows(lane, stepNs, 2, (span) => kinds[span] === TRANSFER_KIND, rowOf, passes)
    return {
      rows: [
        ...Array.from({ length: passes }, () => bar(height)),
        ...Array.from({ length: copies }, () => bar(sizes.transferPx)),
      ],
      rowOf,
    }
  }
  const count = assignRows(lane, stepNs / 2, MAX_ROWS[kind], (span) => kinds[span] !== WINDOW_KIND, rowOf)
  if (kind !== 'queue') return { rows: Array.from({ length: Math.max(1, count) }, () => bar(height)), rowOf }
  const heightPx = Math.min(height, sizes.queuedPx / Math.max(1, count))
  const barPx = heightPx >= 4 ? heightPx - 1 : heightPx
  return { rows: Array.from({ length: count }, () => ({ heightPx, barPx })), rowOf }
}

export function makeLayout(placed: PlacedTrace, gaps: readonly Gap[], options: LayoutOptions): Layout {
  const sizes = options.compact ? COMPACT : REGULAR
  const narrow = options.widthPx < NARROW_PX
  const headerPx = narrow ? 0 : HEADER_PX
  const bands = findBands(placed)
  const bandTopPx = sizes.axisPx
  const bandPx = bands.length > 0 || options.holdDeviceLane ? sizes.bandPx : 0
  const drafts = orderLanes(placed, options.holdDeviceLane)
  const lanes: LaneLayout[] = []
  let top = bandTopPx + bandPx
  let lastGroup: string | null = null
  const perGroup = new Map<string, number>()
  for (const { group } of drafts) perGroup.set(group, (perGroup.get(group) ?? 0) + 1)

  for (const draft of drafts) {
    const isFirst = draft.group !== lastGroup
    lastGroup = draft.group
    const captionPx = narrow ? CAPTION_PX : 0
    if (isFirst) top += sizes.groupGapPx / (narrow ? 2 : 1)
    const topPx = top
    top += isFirst || !narrow ? captionPx : 0
    const counters = placed.trace.counters.flatMap((counter, index) =>
      draft.lane !== null && counter.lane === draft.lane.id ? [index] : [],
    )
    const counterTopPx = top
    const columns = placed.trace.counters[counters[0] ?? -1]
    let counterMax = 1
    for (let index = 0; index < (columns?.length ?? 0); index += 1)
      counterMax = Math.max(counterMax, columns?.value[index] ?? 0)
    const counterHeightPx = counters.length > 0 || draft.kind === 'queue' ? sizes.counterPx : 0
    top += counterHeightPx
    if (counterHeightPx > 0) top += 4
    const { rows, rowOf } = stackRows(placed, draft, sizes)
    const rowLayouts = rows.map(({ heightPx, barPx }) => {
      const row = { topPx: top + (heightPx - barPx) / 2, barPx }
      top += heightPx
      return row
    })
    const isDevice = draft.kind === 'device'
    const whiskerPx = isDevice ? sizes.whiskerPx : 0
    top += whiskerPx
    const gapTopPx = top
    const gapHeightPx = isDevice ? sizes.gapPx : 0
    top += gapHeightPx
    const laneId = draft.lane?.id
    const ownGaps = gaps.flatMap((gap, index) => (gap.lane === laneId ? [index] : []))
    ownGaps.sort((a, b) => (gaps[a]?.startNs ?? 0) - (gaps[b]?.startNs ?? 0))
    const alone = perGroup.get(draft.group) === 1
    lanes.push({
      lane: draft.lane,
      placed: draft.placed,
      kind: draft.kind,
      groupTitle: isFirst ? draft.group : null,
      label: shortLaneName(draft.lane?.name ?? '', draft.group) || (alone ? '' : (draft.lane?.name ?? '')),
      topPx,
      heightPx: top - topPx,
      counters,
      counterTopPx,
      counterHeightPx,
      counterMax,
      rows: rowLayouts,
      rowOf,
      whiskerPx,
      gapTopPx,
      gapHeightPx,
      gaps: ownGaps,
      gapGroups: groupGaps(placed, gaps, ownGaps),
    })
  }
  return {
    headerPx,
    axisPx: sizes.axisPx,
    bandTopPx,
    bandPx,
    bands,
    lanes,
    heightPx: top + sizes.groupGapPx / 2,
  }
}

/** The extent of the last counted repeat of every variant; null where there is none. */
export function lastRound(
  bands: readonly Band[],
): { readonly startNs: number; readonly endNs: number } | null {
  const counted = bands.filter(({ repeat }) => repeat >= 0)
  const chosen = counted.length > 0 ? counted : bands
  if (chosen.length === 0) return null
  const repeat = Math.max(...chosen.map((band) => band.repeat))
  const round = chosen.filter((band) => band.repeat === repeat)
  return {
    startNs: Math.min(...round.map(({ startNs }) => startNs)),
    endNs: Math.max(...round.map(({ endNs }) => endNs)),
  }
}
