/**
 * Some steps of a run, told from a common zero: for each variant one typical repeat, cut where the slowest variant has ended its
 * steps, so that all are drawn on one scale. And what host, queue and device were doing at any moment of it. Pure.
 *
 * Times are ns from a zero of each strip, host's axis: the start of the repeat's window, or the end of its first step on the device, since
 * a pipeline is being filled until then. The typical repeat is the one whose window has the median length.
 */
import type { PlacedTrace } from '../trace/place'
import { messagePeers, rankOfLane } from '../trace/rank-messages'
import { SPAN_KINDS, SPAN_ROLES, type LaneKind, type SpanKind, type SpanRole } from '../trace/schema'
import { typicalRepeats } from '../trace/typical-repeats'
import { findGaps } from './gaps'
import type { Gap, GapCause } from '../trace/gaps'

/** One span. Cut at the story's end, never moved: it may have begun before the story. */
export interface StoryBar {
  readonly kind: SpanKind
  readonly role: SpanRole
  readonly name: string
  readonly startNs: number
  readonly endNs: number
  /** Of the program; -1 not known. */
  readonly line: number
  readonly step: number
  /** Half-widths of the edges in ns: the clock fit's bound on the device, half a step on the host. */
  readonly startBoundNs: number
  readonly endBoundNs: number
  readonly isInferred: boolean
  /** Index into the trace's spans. */
  readonly span: number
}

export interface StoryRow {
  readonly kind: Exclude<LaneKind, 'queue' | 'other'>
  readonly name: string
  /** Of its lane: streams of one device have the same. */
  readonly group: string
  readonly bars: readonly StoryBar[]
}

/** Between two ranks, from the call of `send` to the end of `recv`: of both, as they were recorded. */
export interface StoryMessage {
  readonly from: number
  readonly to: number
  readonly bytes: number
  readonly sentNs: number
  readonly thereNs: number
  /** Indices of `rows`. */
  readonly fromRow: number
  readonly toRow: number
  /** Of the `send`, index into the trace's spans. */
  readonly span: number
}

export interface StoryIdle {
  readonly startNs: number
  readonly endNs: number
  readonly cause: GapCause
  /** Rows of this group had nothing to do: of several ranks one device is idle while another computes. */
  readonly group: string
  /** Index into the gaps that were given. */
  readonly gap: number
}

/** The queue from `atNs` until the next entry. */
export interface StoryDepth {
  readonly atNs: number
  readonly value: number
}

export interface StoryStrip {
  readonly variant: string
  readonly repeat: number
  /** Where the strip starts on the trace's own axis. */
  readonly zeroNs: number
  /** From there to the end of the repeat, which may go on after the story. */
  readonly windowNs: number
  /** Host, then staging, then device; none of the device where it gives no timestamps, or its clock could not be fitted. */
  readonly rows: readonly StoryRow[]
  readonly idle: readonly StoryIdle[]
  /** Those that arrived within the story, by when they were sent. Of one rank alone there are none. */
  readonly messages: readonly StoryMessage[]
  readonly depth: readonly StoryDepth[]
  /** Steps that ended within the story. */
  readonly stepsEnded: number
}

export interface Story {
  /** All strips share it. */
  readonly lengthNs: number
  readonly strips: readonly StoryStrip[]
  /** A device's clock was fitted, so that a strip without a row of it has nothing on the device that is timed. */
  readonly isDeviceTimed: boolean
  /** Strips begin when their first step has ended, and not with it. */
  readonly isSteady?: boolean
}

interface Cut {
  readonly variant: string
  readonly variantIndex: number
  readonly repeat: number
  readonly zeroNs: number
  readonly windowNs: number
  readonly spans: readonly number[]
  /** By step: when its work had ended, as far as is known. */
  readonly stepEnds: ReadonlyMap<number, number>
}

const kindOf = ({ trace }: PlacedTrace, span: number): SpanKind =>
  SPAN_KINDS[trace.spans.kind[span] ?? -1] ?? 'other'
const laneKindOf = ({ trace }: PlacedTrace, span: number): LaneKind =>
  trace.lanes[trace.spans.lane[span] ?? -1]?.kind ?? 'other'

/** The repeat with the median length among those counted; null where the variant has none. */
function typicalRepeat(placed: PlacedTrace, variant: string): Cut | null {
  const { trace, startNs, endNs } = placed
  const { spans, strings } = trace
  const variantIndex = strings.indexOf(variant)
  if (variantIndex < 0) return null
  const [repeat] = typicalRepeats(trace, variantIndex)
  const window = spans.kind.findIndex(
    (_, span) =>
      spans.repeat[span] === repeat &&
      spans.variant[span] === variantIndex &&
      kindOf(placed, span) === 'window',
  )
  if (repeat === undefined || window < 0) return null
  const [windowStartNs, windowEndNs] = [startNs[window] ?? 0, endNs[window] ?? 0]
  const own: number[] = []
  for (let span = 0; span < spans.length; span += 1)
    if (
      spans.variant[span] === variantIndex &&
      spans.repeat[span] === repeat &&
      !Number.isNaN(startNs[span] ?? Number.NaN) &&
      kindOf(placed, span) !== 'window'
    )
      own.push(span)
  return {
    variant,
    variantIndex,
    repeat,
    zeroNs: windowStartNs,
    windowNs: windowEndNs - windowStartNs,
    spans: own,
    stepEnds: stepEnds(placed, own, windowStartNs),
  }
}

/** A step has ended with its last pass; without device times, with the last span of any lane that belongs to it. */
function stepEnds(placed: PlacedTrace, own: readonly number[], zeroNs: number): ReadonlyMap<number, number> {
  const onDevice = own.filter((span) => laneKindOf(placed, span) === 'device')
  const ends = new Map<number, number>()
  for (const span of onDevice.length > 0 ? onDevice : own) {
    const step = placed.trace.spans.step[span] ?? -1
    if (step >= 0) ends.set(step, Math.max(ends.get(step) ?? 0, (placed.endNs[span] ?? 0) - zeroNs))
  }
  return ends
}

const ROW_ORDER: readonly StoryRow['kind'][] = ['host', 'staging', 'device']

export interface StoryOptions {
  /** How many of the slowest variant are in view. */
  readonly steps: number
  /** Those of `findGaps`, where they are known already. */
  readonly gaps?: readonly Gap[]
  /** As long at least: two stories that are laid beside each other share one scale. */
  readonly leastNs?: number
  /** From the end of the first step on the device. Only if each variant has steps enough after it: all strips begin alike. */
  readonly isSteady?: boolean
}

/** The same repeat without its first step; null where it has no more than so many others, or no times of the device. */
function withoutFill(cut: Cut, placed: PlacedTrace, steps: number): Cut | null {
  const [first, ...others] = [...cut.stepEnds].sort(([one], [other]) => one - other)
  if (!first || others.length < steps) return null
  if (!cut.spans.some((span) => laneKindOf(placed, span) === 'device')) return null
  const [, fillNs] = first
  return {
    ...cut,
    zeroNs: cut.zeroNs + fillNs,
    windowNs: cut.windowNs - fillNs,
    stepEnds: new Map(others.map(([step, end]) => [step, end - fillNs])),
  }
}

/** Variants that were not measured are left out; null where none was. */
export function tellStory(
  placed: PlacedTrace,
  variants: readonly string[],
  { steps, gaps = findGaps(placed), leastNs = 0, isSteady = false }: StoryOptions,
): Story | null {
  const whole = variants.flatMap((variant) => typicalRepeat(placed, variant) ?? [])
  if (whole.length === 0) return null
  const steady = isSteady ? whole.flatMap((cut) => withoutFill(cut, placed, steps) ?? []) : []
  const isCut = steady.length === whole.length
  const cuts = isCut ? steady : whole
  const lengthOf = ({ stepEnds: ends, windowNs }: Cut): number => {
    const inOrder = [...ends].sort(([one], [other]) => one - other).map(([, end]) => end)
    return Math.min(windowNs, Math.max(...inOrder.slice(0, steps), 0) || windowNs)
  }
  const lengthNs = Math.max(leastNs, ...cuts.map(lengthOf))
  return {
    lengthNs,
    strips: cuts.map((cut) => stripOf(placed, cut, lengthNs, gaps)),
    isDeviceTimed: placed.fits.some((fit) => fit !== null),
    isSteady: isCut,
  }
}

function stripOf(placed: PlacedTrace, cut: Cut, lengthNs: number, gaps: readonly Gap[]): StoryStrip {
  const { trace } = placed
  const { zeroNs } = cut
  const byLane = new Map<number, StoryBar[]>()
  for (const span of cut.spans) {
    const lane = trace.spans.lane[span] ?? -1
    const startNs = (placed.startNs[span] ?? 0) - zeroNs
    const endNs = (placed.endNs[span] ?? 0) - zeroNs
    if (startNs >= lengthNs || (startNs < 0 && endNs <= 0) || laneKindOf(placed, span) === 'queue') continue
    const list = byLane.get(lane) ?? []
    list.push({
      kind: kindOf(placed, span),
      role: SPAN_ROLES[trace.spans.role[span] ?? 0] ?? 'none',
      name: trace.strings[trace.spans.name[span] ?? 0] ?? '',
      startNs,
      endNs: Math.min(endNs, lengthNs),
      line: trace.spans.line[span] ?? -1,
      step: trace.spans.step[span] ?? -1,
      startBoundNs: Math.max(...placed.edgeBoundNs(span, 'start')),
      endBoundNs: Math.max(...placed.edgeBoundNs(span, 'end')),
      isInferred: trace.spans.source[span] === 1,
      span,
    })
    byLane.set(lane, list)
  }
  // Of several host lanes the program's own was made first.
  const rows = [...byLane]
    .sort(([a], [b]) => a - b)
    .flatMap(([id, bars]): readonly StoryRow[] => {
      const lane = trace.lanes[id]
      if (!lane || lane.kind === 'queue' || lane.kind === 'other') return []
      const { kind, name, group } = lane
      return [{ kind, name, group, bars: bars.sort((a, b) => a.startNs - b.startNs) }]
    })
    .sort((a, b) => ROW_ORDER.indexOf(a.kind) - ROW_ORDER.indexOf(b.kind))
  const idle = gaps.flatMap((gap, index): readonly StoryIdle[] => {
    if (gap.variant !== cut.variantIndex || gap.repeat !== cut.repeat || Number.isNaN(gap.startNs)) return []
    const startNs = gap.startNs - zeroNs
    if (startNs >= lengthNs || gap.endNs <= zeroNs) return []
    const group = trace.lanes[gap.lane]?.group ?? ''
    return [{ startNs, endNs: Math.min(gap.endNs - zeroNs, lengthNs), cause: gap.cause, group, gap: index }]
  })
  return {
    variant: cut.variant,
    repeat: cut.repeat,
    zeroNs,
    windowNs: cut.windowNs,
    rows,
    idle,
    messages: messagesIn(placed, rows, lengthNs),
    // What is counted after the repeat's own window is another repeat's.
    depth: depthOf(placed, zeroNs, Math.min(lengthNs, cut.windowNs)),
    stepsEnded: [...cut.stepEnds.values()].filter((end) => end <= lengthNs).length,
  }
}

/** Each `send` with the `recv` that took it. */
function messagesIn(
  { trace }: PlacedTrace,
  rows: readonly StoryRow[],
  lengthNs: number,
): readonly StoryMessage[] {
  const ends = messagePeers(trace)
  if (ends.size === 0) return []
  const calls = rows.flatMap(({ name, bars }, row) => {
    const rank = rankOfLane(name)
    return bars.filter(({ kind }) => kind === 'collective').map((bar) => ({ row, rank, bar }))
  })
  const callOf = new Map(calls.map((call) => [call.bar.span, call]))
  return calls
    .filter(({ bar }) => bar.role === 'send')
    .flatMap(({ row, rank, bar }): readonly StoryMessage[] => {
      const taken = callOf.get(ends.get(bar.span) ?? -1)
      if (!taken || taken.bar.endNs >= lengthNs) return []
      return [
        {
          from: rank,
          to: taken.rank,
          bytes: trace.spans.bytes[bar.span] ?? Number.NaN,
          sentNs: bar.startNs,
          thereNs: taken.bar.endNs,
          fromRow: row,
          toRow: taken.row,
          span: bar.span,
        },
      ]
    })
    .toSorted((a, b) => a.sentNs - b.sentNs)
}

const QUEUE_DEPTH = 'queue depth'

function depthOf(
  { trace: { counters } }: PlacedTrace,
  zeroNs: number,
  lengthNs: number,
): readonly StoryDepth[] {
  const found: StoryDepth[] = []
  for (const { name, length, timeNs, value } of counters) {
    if (name !== QUEUE_DEPTH) continue
    let before = 0
    for (let index = 0; index < length; index += 1) {
      const atNs = (timeNs[index] ?? 0) - zeroNs
      if (atNs < 0) before = value[index] ?? 0
      else if (atNs <= lengthNs) found.push({ atNs, value: value[index] ?? 0 })
    }
    found.unshift({ atNs: 0, value: before })
  }
  return found
}

/** What each part was doing at one moment of a strip. */
export interface Moment {
  /** The innermost span of the program's thread, or null: it was in none of its recorded calls. */
  readonly host: StoryBar | null
  /** Null: idle, not begun yet, or not visible. */
  readonly device: StoryBar | null
  readonly idle: StoryIdle | null
  readonly queued: number
  /** By row of staging buffers. */
  readonly staging: readonly (StoryBar | null)[]
  /** Between ranks, under way. */
  readonly messages: readonly StoryMessage[]
}

/** The bar that covers a moment; of several the one that started last, which lies inside the others. */
const barAt = (bars: readonly StoryBar[], atNs: number): StoryBar | null =>
  bars.findLast(({ startNs, endNs }) => startNs <= atNs && atNs < endNs) ?? null

export function momentOf(strip: StoryStrip, atNs: number): Moment {
  const rowsOf = (kind: StoryRow['kind']) => strip.rows.filter((row) => row.kind === kind)
  return {
    host: barAt(rowsOf('host')[0]?.bars ?? [], atNs),
    device: barAt(rowsOf('device')[0]?.bars ?? [], atNs),
    idle: strip.idle.find(({ startNs, endNs }) => startNs <= atNs && atNs < endNs) ?? null,
    queued: strip.depth.findLast((each) => each.atNs <= atNs)?.value ?? 0,
    staging: rowsOf('staging').map(({ bars }) => barAt(bars, atNs)),
    messages: strip.messages.filter(({ sentNs, thereNs }) => sentNs <= atNs && atNs < thereNs),
  }
}

/** Moments at which something changes in any strip, ascending: where a replay without motion stops. */
export function changesIn({ strips, lengthNs }: Story): readonly number[] {
  const times = new Set<number>([0])
  for (const { rows } of strips)
    for (const { kind, bars } of rows)
      if (kind !== 'staging')
        for (const { startNs, endNs } of bars) {
          times.add(Math.max(0, startNs))
          times.add(endNs)
        }
  return [...times].filter((time) => time <= lengthNs).sort((a, b) => a - b)
}
