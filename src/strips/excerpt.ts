/**
 * An excerpt: part of one or several traces as strips on one scale, each from a zero of its own,
 * with its lanes, their bars and idle time. Cut from a run (of-run.ts), from profiles
 * (of-profiles.ts) or from what a model saw. Times are ns.
 */
import type { GapCause } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, SPAN_ROLES, type LaneKind, type SpanKind, type SpanRole } from '../trace/schema'

/** One span. Cut at the excerpt's end, never moved: it may have begun before the excerpt. */
export interface ExcerptBar {
  readonly kind: SpanKind
  readonly role: SpanRole
  readonly name: string
  readonly startNs: number
  readonly endNs: number
  /** Line of the program; -1 not known. */
  readonly line: number
  readonly step: number
  readonly isInferred: boolean
  /** Index into the trace's spans. */
  readonly span: number
  /** Inside it, where there is room; left out, its step. */
  readonly label?: string
  /** Of a bar that stands for several short ones: the part of its time in which they ran. */
  readonly share?: number
}

export interface ExcerptRow {
  readonly kind: Exclude<LaneKind, 'queue' | 'other'>
  readonly name: string
  /** Beside the row. Rows of ranks have theirs anyway. */
  readonly label?: string
  /** Group of its lane: streams of one device have the same. */
  readonly group: string
  readonly bars: readonly ExcerptBar[]
  /**
   * When its device had nothing to do: of several ranks one device is idle while another computes.
   * Elsewhere none.
   */
  readonly idle: readonly ExcerptIdle[]
}

/**
 * Between two ranks, from the call of `send` to the end of `recv`: of both, as they were recorded.
 */
export interface ExcerptMessage {
  readonly from: number
  readonly to: number
  readonly bytes: number
  readonly sentNs: number
  readonly thereNs: number
  /** Indices of `rows`. */
  readonly fromRow: number
  readonly toRow: number
  /** The `send`, as an index into the trace's spans. */
  readonly span: number
}

export interface ExcerptIdle {
  readonly startNs: number
  readonly endNs: number
  /** Null: nobody asked why. */
  readonly cause: GapCause | null
  /** Index into the gaps that were given. */
  readonly gap: number
}

/** The queue from `atNs` until the next entry. */
export interface ExcerptDepth {
  readonly atNs: number
  readonly value: number
}

/** Origin of the times: each has a texture of its own. */
export type Basis = 'measured' | 'modelled' | 'predicted'

export interface ExcerptStrip {
  readonly basis: Basis
  readonly variant: string
  /** The repeat that is drawn; below, how many were measured. */
  readonly repeat: number
  readonly repeats: number
  /** Start of the strip on the trace's own axis. */
  readonly zeroNs: number
  /** From there to the end of the repeat, which may go on after the excerpt. */
  readonly windowNs: number
  /**
   * Host, then staging, then device; none of the device where it gives no timestamps, or its clock
   * could not be fitted.
   */
  readonly rows: readonly ExcerptRow[]
  /**
   * Those that arrived within the excerpt, by when they were sent. Of one rank alone there are
   * none.
   */
  readonly messages: readonly ExcerptMessage[]
  readonly depth: readonly ExcerptDepth[]
  /** When the host began steps, where that is marked. */
  readonly stepBegins?: readonly number[]
  /** Steps that ended within the excerpt. */
  readonly stepsEnded: number
}

export interface Excerpt {
  /** All strips share it. */
  readonly lengthNs: number
  readonly strips: readonly ExcerptStrip[]
  /**
   * A device's clock was fitted, so that a strip without a row of it has nothing on the device that
   * is timed.
   */
  readonly isDeviceTimed: boolean
  /** Strips begin when their first step has ended, and not with it. */
  readonly isSteady?: boolean
}

const PLAIN_BAR = { role: 'none', name: '', line: -1, step: -1, isInferred: false, span: -1 } as const
/** A bar, of which no more is known than `more` says. */
export const plainBar = (
  kind: ExcerptBar['kind'],
  startNs: number,
  endNs: number,
  more: Partial<ExcerptBar> = {},
): ExcerptBar => ({ ...PLAIN_BAR, kind, startNs, endNs, ...more })

/** A span as a bar, at its place on the trace's own axis. */
export const barOfSpan = (
  { trace: { spans, strings }, startNs, endNs }: PlacedTrace,
  span: number,
): ExcerptBar => ({
  kind: SPAN_KINDS[spans.kind[span] ?? -1] ?? 'other',
  role: SPAN_ROLES[spans.role[span] ?? -1] ?? 'none',
  name: strings[spans.name[span] ?? -1] ?? '',
  startNs: startNs[span] ?? 0,
  endNs: endNs[span] ?? 0,
  line: spans.line[span] ?? -1,
  step: spans.step[span] ?? -1,
  isInferred: spans.source[span] === 1,
  span,
})

/** By step: when the last of it ended, from the strip's zero. */
export function stepEndsOf(
  bars: readonly Pick<ExcerptBar, 'step' | 'endNs'>[],
  zeroNs: number,
): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  for (const { step, endNs } of bars)
    if (step >= 0) ends.set(step, Math.max(ends.get(step) ?? 0, endNs - zeroNs))
  return ends
}

/** What begins before `lengthNs`, cut there, from the strip's own zero. */
export const within = <T extends { readonly startNs: number; readonly endNs: number }>(
  all: readonly T[],
  zeroNs: number,
  lengthNs: number,
): readonly T[] =>
  all
    .map((each) => ({
      ...each,
      startNs: each.startNs - zeroNs,
      endNs: Math.min(each.endNs - zeroNs, lengthNs),
    }))
    .filter(({ startNs, endNs }) => startNs < lengthNs && (startNs >= 0 || endNs > 0))

const PLAIN_STRIP = {
  basis: 'measured',
  variant: '',
  repeat: 0,
  repeats: 1,
  zeroNs: 0,
  stepsEnded: 0,
} as const
/** A strip of one measurement, of which no more is known than `more` says. */
export const plainStrip = (
  rows: readonly ExcerptRow[],
  windowNs: number,
  more: Partial<ExcerptStrip> = {},
): ExcerptStrip => ({ ...PLAIN_STRIP, rows, windowNs, messages: [], depth: [], ...more })

/** How many repeats the figures beside an excerpt are of, where it shows one of several; else 0. */
export function repeatsBeside({ strips }: Excerpt): number {
  const most = Math.max(0, ...strips.map(({ repeats }) => repeats))
  return most > 1 ? most : 0
}

/** The devices of a strip, each with the bars of all its streams. */
export function devicesOf({ rows }: Pick<ExcerptStrip, 'rows'>): readonly ExcerptRow[] {
  const byGroup = new Map<string, ExcerptRow>()
  for (const row of rows.filter(({ kind }) => kind === 'device')) {
    const known = byGroup.get(row.group)?.bars ?? []
    const bars = [...known, ...row.bars].sort((one, other) => one.startNs - other.startNs)
    byGroup.set(row.group, { ...row, bars })
  }
  return [...byGroup.values()]
}

/** Idle time of all devices, by when it begins. */
export const idleOf = (strip: Pick<ExcerptStrip, 'rows'>): readonly ExcerptIdle[] =>
  devicesOf(strip)
    .flatMap(({ idle }) => idle)
    .sort((one, other) => one.startNs - other.startNs)

/** Several excerpts as one, on the scale of the longest: each is told how long that is. */
export function together(
  parts: readonly {
    readonly cut: (leastNs: number) => Excerpt | null
    /** What its strip is called. */
    readonly name: string
  }[],
): Excerpt | null {
  const lengthNs = Math.max(0, ...parts.map(({ cut }) => cut(0)?.lengthNs ?? 0))
  if (lengthNs === 0) return null
  const cuts = parts.map(({ cut, name }) => ({ excerpt: cut(lengthNs), name }))
  return {
    lengthNs,
    isDeviceTimed: cuts.some(({ excerpt }) => excerpt?.isDeviceTimed === true),
    strips: cuts.flatMap(({ excerpt, name }) =>
      (excerpt?.strips ?? []).map((strip) => ({ ...strip, variant: name })),
    ),
  }
}

/** State of each part at one moment of a strip. */
export type Moment = ReturnType<typeof momentOf>

const isAt = (atNs: number) => (each: { readonly startNs: number; readonly endNs: number }) =>
  each.startNs <= atNs && atNs < each.endNs

/**
 * The bar that covers a moment; of several the one that started last, which lies inside the others.
 */
const barAt = (bars: readonly ExcerptBar[], atNs: number): ExcerptBar | null =>
  bars.findLast(isAt(atNs)) ?? null

export function momentOf(strip: ExcerptStrip, atNs: number) {
  return {
    /** The innermost span of the program's thread; null: it was in none of its recorded calls. */
    host: barAt(strip.rows.find(({ kind }) => kind === 'host')?.bars ?? [], atNs),
    /** Each device; without a bar and idle time it had not begun yet, or is not visible. */
    devices: devicesOf(strip).map(({ name, bars, idle }) => ({
      name,
      bar: barAt(bars, atNs),
      idle: idle.find(isAt(atNs)) ?? null,
    })),
    queued: strip.depth.findLast((each) => each.atNs <= atNs)?.value ?? 0,
    /** Between ranks, under way. */
    messages: strip.messages.filter(({ sentNs, thereNs }) => sentNs <= atNs && atNs < thereNs),
  }
}

/**
 * Moments at which something changes in any strip, ascending: where a replay without motion stops.
 */
export function changesIn({ strips, lengthNs }: Excerpt): readonly number[] {
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
