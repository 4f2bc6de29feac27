/**
 * The excerpt of a run: of each variant one typical repeat, cut where the slowest variant has ended
 * its steps, so that all are drawn on one scale. The typical repeat is the one whose window has the
 * median length.
 */
import type { Gap } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { messagePeers, rankOfLane } from '../trace/collectives'
import { REPEAT_NONE, SPAN_KINDS, type LaneKind, type SpanKind } from '../trace/schema'
import { typicalRepeats } from '../trace/typical-repeats'
import { addTo } from '../base/lists'
import {
  barOfSpan,
  plainStrip,
  stepEndsOf,
  within,
  type Excerpt,
  type ExcerptBar,
  type ExcerptDepth,
  type ExcerptIdle,
  type ExcerptMessage,
  type ExcerptRow,
  type ExcerptStrip,
} from './excerpt'

interface Cut {
  readonly variant: string
  readonly variantIndex: number
  readonly repeat: number
  readonly repeats: number
  readonly zeroNs: number
  readonly windowNs: number
  readonly bars: readonly ExcerptBar[]
  /** By the device's clock, some of them. */
  readonly isTimed: boolean
  /**
   * Says when each step had ended: with its last pass, or without device times with the last span
   * of any lane that belongs to it.
   */
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
  const repeats = typicalRepeats(trace, variantIndex)
  const [repeat] = repeats
  const window = spans.kind.findIndex(
    (_, span) =>
      spans.repeat[span] === repeat &&
      spans.variant[span] === variantIndex &&
      kindOf(placed, span) === 'window',
  )
  if (repeat === undefined || window < 0) return null
  const [windowStartNs, windowEndNs] = [startNs[window] ?? 0, endNs[window] ?? 0]
  const bars: ExcerptBar[] = []
  for (let span = 0; span < spans.length; span += 1)
    if (
      spans.variant[span] === variantIndex &&
      spans.repeat[span] === repeat &&
      !Number.isNaN(startNs[span] ?? Number.NaN) &&
      kindOf(placed, span) !== 'window'
    )
      bars.push(barOfSpan(placed, span))
  const onDevice = bars.filter(({ span }) => laneKindOf(placed, span) === 'device')
  return {
    variant,
    variantIndex,
    repeat,
    repeats: repeats.length,
    zeroNs: windowStartNs,
    windowNs: windowEndNs - windowStartNs,
    bars,
    isTimed: onDevice.length > 0,
    stepEnds: stepEndsOf(onDevice.length > 0 ? onDevice : bars, windowStartNs),
  }
}

const ROW_ORDER: readonly ExcerptRow['kind'][] = ['host', 'staging', 'device']

/** The excerpt to cut. */
export interface ExcerptCut {
  /** One above the other; those that a run does not have are left out. */
  readonly variants: readonly string[]
  /** How many of the slowest variant's steps are in view. */
  readonly steps: number
  /**
   * From the end of the first step on the device, if each variant has steps enough after it. Else
   * from the start.
   */
  readonly isSteady: boolean
}

interface CutOptions extends Omit<ExcerptCut, 'variants'> {
  readonly gaps: readonly Gap[]
  /** Least length: two excerpts that are laid beside each other share one scale. */
  readonly leastNs: number
}

/**
 * The same repeat without its first step; null where it has no more than so many others, or no
 * times of the device.
 */
function withoutFill(cut: Cut, steps: number): Cut | null {
  const [first, ...others] = [...cut.stepEnds].sort(([one], [other]) => one - other)
  if (!first || others.length < steps || !cut.isTimed) return null
  const [, fillNs] = first
  return {
    ...cut,
    zeroNs: cut.zeroNs + fillNs,
    windowNs: cut.windowNs - fillNs,
    stepEnds: new Map(others.map(([step, end]) => [step, end - fillNs])),
  }
}

/** How far a picture of all steps goes on, over their own length. */
const AFTER_ALL = 9 / 8

/** Variants that were not measured are left out; null where none was. */
function cutExcerpt(
  placed: PlacedTrace,
  variants: readonly string[],
  { steps, isSteady, gaps, leastNs }: CutOptions,
): Excerpt | null {
  const whole = variants.flatMap((variant) => typicalRepeat(placed, variant) ?? [])
  if (whole.length === 0) return null
  const steady = isSteady ? whole.flatMap((cut) => withoutFill(cut, steps) ?? []) : []
  const isCut = steady.length === whole.length
  const cuts = isCut ? steady : whole
  const lengthOf = ({ stepEnds: ends, windowNs }: Cut): number => {
    const inOrder = [...ends].sort(([one], [other]) => one - other).map(([, end]) => end)
    const endNs = Math.max(...inOrder.slice(0, steps), 0) || windowNs
    // Where all steps are in view, so is what follows them: a rank may hang there.
    return Math.min(windowNs, ends.size > steps ? endNs : endNs * AFTER_ALL)
  }
  const lengthNs = Math.max(leastNs, ...cuts.map(lengthOf))
  return {
    lengthNs,
    strips: cuts.map((cut) => stripOf(placed, cut, lengthNs, gaps)),
    isDeviceTimed: placed.fits.some((fit) => fit !== null),
    isSteady: isCut,
  }
}

function stripOf(placed: PlacedTrace, cut: Cut, lengthNs: number, gaps: readonly Gap[]): ExcerptStrip {
  const { trace } = placed
  const { zeroNs } = cut
  const byLane = new Map<number, ExcerptBar[]>()
  for (const bar of within(cut.bars, zeroNs, lengthNs)) {
    if (laneKindOf(placed, bar.span) === 'queue') continue
    const label = bar.kind === 'host-work' ? { label: bar.name } : {}
    addTo(byLane, trace.spans.lane[bar.span] ?? -1, { ...bar, ...label })
  }
  const idleIn = (group: string): readonly ExcerptIdle[] => {
    const own = gaps.flatMap(({ variant, repeat, lane, startNs, endNs, cause }, gap) =>
      variant === cut.variantIndex && repeat === cut.repeat && trace.lanes[lane]?.group === group
        ? [{ startNs, endNs, cause, gap }]
        : [],
    )
    return within(own, zeroNs, lengthNs)
  }
  // Of several host lanes the program's own was made first.
  const rows = [...byLane]
    .sort(([a], [b]) => a - b)
    .flatMap(([id, bars]): readonly ExcerptRow[] => {
      const lane = trace.lanes[id]
      if (!lane || lane.kind === 'queue' || lane.kind === 'other') return []
      const { kind, name, group } = lane
      const idle = kind === 'device' ? idleIn(group) : []
      return [{ kind, name, group, bars: bars.sort((a, b) => a.startNs - b.startNs), idle }]
    })
    .sort((a, b) => ROW_ORDER.indexOf(a.kind) - ROW_ORDER.indexOf(b.kind))
  return plainStrip(rows, cut.windowNs, {
    variant: cut.variant,
    repeat: cut.repeat,
    repeats: cut.repeats,
    zeroNs,
    messages: messagesIn(placed, rows, lengthNs),
    // What is counted after the repeat's own window is another repeat's.
    depth: depthOf(placed, zeroNs, Math.min(lengthNs, cut.windowNs)),
    stepsEnded: [...cut.stepEnds.values()].filter((end) => end <= lengthNs).length,
  })
}

/** Each `send` with the `recv` that took it. */
function messagesIn(
  { trace }: PlacedTrace,
  rows: readonly ExcerptRow[],
  lengthNs: number,
): readonly ExcerptMessage[] {
  const ends = messagePeers(trace)
  if (ends.size === 0) return []
  const calls = rows.flatMap(({ name, bars }, row) => {
    const rank = rankOfLane(name)
    return bars.filter(({ kind }) => kind === 'collective').map((bar) => ({ row, rank, bar }))
  })
  const callOf = new Map(calls.map((call) => [call.bar.span, call]))
  return calls
    .filter(({ bar }) => bar.role === 'send')
    .flatMap(({ row, rank, bar }): readonly ExcerptMessage[] => {
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
): readonly ExcerptDepth[] {
  const found: ExcerptDepth[] = []
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

/** A run from which an excerpt is cut. */
export interface CutRun {
  readonly placed: PlacedTrace | null
  readonly gaps: readonly Gap[]
}

const MOST = 3

function measuredIn({ placed }: CutRun): ReadonlySet<string> {
  const measured = new Set<string>()
  if (!placed) return measured
  const { spans, strings } = placed.trace
  for (let span = 0; span < spans.length; span += 1)
    if ((spans.repeat[span] ?? REPEAT_NONE) >= 0) measured.add(strings[spans.variant[span] ?? -1] ?? '')
  measured.delete('')
  return measured
}

/**
 * Those of the plan that were measured; of a run without any of them the first, the middle and the
 * last that were.
 */
function variantsOf(run: CutRun, { variants }: ExcerptCut): readonly string[] {
  const measured = measuredIn(run)
  const planned = variants.filter((variant) => measured.has(variant))
  if (planned.length > 0) return planned
  const all = [...measured]
  return all.length <= MOST ? all : [0, all.length >> 1, all.length - 1].flatMap((index) => all[index] ?? [])
}

/** Null where nothing was recorded. `leastNs`: as long as another that it is laid beside. */
export const excerptOf = (run: CutRun, plan: ExcerptCut, leastNs = 0): Excerpt | null =>
  run.placed &&
  cutExcerpt(run.placed, variantsOf(run, plan), {
    steps: plan.steps,
    isSteady: plan.isSteady,
    gaps: run.gaps,
    leastNs,
  })

/**
 * What is told of the run before one, so that the same is compared: `of` names what stands for a
 * variant there. Null: it has none of them.
 */
export function planBefore(
  before: CutRun,
  after: CutRun,
  plan: ExcerptCut,
  of: (variant: string) => string,
): ExcerptCut | null {
  const measured = measuredIn(before)
  const variants = variantsOf(after, plan)
    .map(of)
    .filter((variant) => measured.has(variant))
  return variants.length > 0 ? { ...plan, variants } : null
}
