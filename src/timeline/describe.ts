/**
 * Describes the selection in words and figures, for the details pane, the tooltip and the screen
 * reader. Pure. A figure carries its bound and says which clock it was read from; a length measured
 * on the device's own clock needs no clock fit, its place does.
 */
import { median, range } from 'd3-array'
import {
  formatBound,
  formatByteRate,
  formatBytes,
  formatCount,
  formatDuration,
  formatFlopRate,
  formatTime,
  THIN,
} from './format'
import { MARKS, spanKindAt, spanSourceAt, type Hue, type MarkName } from './marks'
import { CAUSES, isIdle } from '../trace/gap-causes'
import type { Gap } from '../trace/gaps'
import { edgeBoundNs, type PlacedTrace } from '../trace/place'
import { collectiveOfSpan, isOfRanks } from '../trace/collectives'
import { REPEAT_WARM_UP, type SpanKind, type SpanSource, type Trace } from '../trace/schema'
import type { Target, TimelineData } from './types'

export interface Fact {
  readonly label: string
  readonly value: string
  /** Origin of the value, or a fact that its reader needs. */
  readonly note?: string
}

export interface Description {
  readonly title: string
  /** 'compute pass', 'idle', 'counter'. */
  readonly kind: string
  /** As it is drawn: a gap as a bracket in the colour of its cause. */
  readonly swatch: { readonly hue: Hue | 'text-2'; readonly mark: MarkName | 'bracket' }
  readonly facts: readonly Fact[]
  /** One sentence for the screen reader and the tooltip. */
  readonly spoken: string
}

/** No fact where there is no value. */
const known = (label: string, value: string | undefined, note?: string): readonly Fact[] =>
  value ? [{ label, value, ...(note && { note }) }] : []

const text = (trace: Trace, index: number | undefined): string => trace.strings[index ?? -1] ?? ''

const repeatText = (repeat: number | undefined): string =>
  repeat === REPEAT_WARM_UP ? 'warm-up' : repeat !== undefined && repeat >= 0 ? `repeat ${repeat + 1}` : ''

/** 'every-step, repeat 2, step 14'; '' where the span belongs to none. */
export function belonging(trace: Trace, span: number): string {
  const { variant, repeat, step } = trace.spans
  const at = step[span] ?? -1
  // A profiler's own numbers stand as they are; the lab counts from 0.
  const first = trace.info.experiment === '' ? 0 : 1
  return [text(trace, variant[span]), repeatText(repeat[span]), at >= 0 ? `step ${at + first}` : '']
    .filter((part) => part !== '')
    .join(', ')
}

const clockOf = ({ trace }: PlacedTrace, span: number) =>
  trace.clocks[trace.lanes[trace.spans.lane[span] ?? -1]?.clock ?? -1]

/** A length is a difference of two stamps of one clock, each known to one step of it. */
const durationBoundNs = (placed: PlacedTrace, span: number): number => clockOf(placed, span)?.stepNs ?? NaN

/**
 * Length in the span's own clock: exact ticks for device spans, also where they could not be
 * placed.
 */
export const spanDurationNs = ({ trace: { spans } }: PlacedTrace, span: number): number =>
  (spans.end[span] ?? NaN) - (spans.start[span] ?? NaN)

/**
 * A profiler's file has host and device on one clock already; how well its own conversion holds, it
 * does not say.
 */
const ONE_CLOCK = 'the file’s own clock, host and device alike'

const TRANSFER_NOTE =
  'Bracketed by the passes before and after: at most this long, so at least this fast. It times the copy on the device, not the bus.'

function describeSpan(data: TimelineData, span: number): Description {
  const { placed } = data
  const { trace } = placed
  const { spans } = trace
  const kind: SpanKind = spanKindAt(spans.kind, span)
  const mark = MARKS[kind]
  const name = text(trace, spans.name[span])
  const durationNs = spanDurationNs(placed, span)
  const clock = clockOf(placed, span)
  const source = spanSourceAt(spans.source, span)
  const submission = spans.submission[span] ?? -1
  const owner = belonging(trace, span)
  const duration = formatDuration(durationNs)
  const durationBound = formatBound(durationBoundNs(placed, span), durationBoundNs(placed, span))
  const facts = [
    { label: 'lane', value: laneName(trace, span) },
    ...known('belongs to', owner),
    startFact(placed, span),
    {
      label: 'duration',
      value: `${duration} ${durationBound}`,
      note: clock?.kind === 'device' ? 'two ticks of the device clock, no fit needed' : hostClock(source),
    },
    {
      label: 'clock',
      value: `${clock?.name ?? 'unknown'}, step ${formatDuration(clock?.stepNs ?? NaN)}`,
      note:
        source === 'measured' ? 'measured' : source === 'inferred' ? 'inferred, not measured' : 'imported',
    },
    ...workFacts(trace, span, durationNs, kind),
    ...collectiveFacts(trace, span),
  ]
  return {
    title: name || mark.label,
    kind: mark.label,
    swatch: mark,
    facts: submission >= 0 ? [...facts, { label: 'submission', value: `${submission}` }] : facts,
    spoken: spokenSpan(data, span),
  }
}

function spokenSpan({ placed }: TimelineData, span: number): string {
  const { trace } = placed
  const { spans } = trace
  const mark = MARKS[spanKindAt(spans.kind, span)]
  const name = text(trace, spans.name[span])
  const submission = spans.submission[span] ?? -1
  const variant = text(trace, spans.variant[span])
  const boundNs = durationBoundNs(placed, span)
  const parts = [
    name.includes(mark.label) || name === '' ? name || mark.label : `${mark.label} ${name}`,
    submission >= 0 ? `submission ${submission}` : '',
    formatDuration(spanDurationNs(placed, span)),
    formatBound(boundNs, boundNs),
    spanSourceAt(spans.source, span) === 'inferred' ? 'inferred' : '',
    variant === '' ? '' : `variant ${variant}`,
    repeatText(spans.repeat[span]),
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function spokenGap(gap: Gap, owner: string): string {
  const what = isIdle(gap.cause) ? `device idle` : `device at work or idle`
  const said = [`${what} for ${formatDuration(gap.durationNs)}`, CAUSES[gap.cause].label, owner]
  // The evidence of a file's gaps comes a moment after them.
  return `${said.filter((part) => part !== '').join(', ')}. ${gap.evidence}`.trimEnd()
}

const hostClock = (source: SpanSource): string => (source === 'imported' ? ONE_CLOCK : 'host clock')

const laneName = (trace: Trace, span: number): string => trace.lanes[trace.spans.lane[span] ?? -1]?.name ?? ''

function startFact(placed: PlacedTrace, span: number): Fact {
  const startNs = placed.startNs[span] ?? NaN
  if (!Number.isFinite(startNs))
    return { label: 'start', value: 'not placed', note: 'the device clock has no fit to the host clock' }
  const [before, after] = edgeBoundNs(placed, span, 'start')
  const isDevice = clockOf(placed, span)?.kind === 'device'
  return {
    label: 'start',
    value: `${formatTime(startNs)}${before === after ? ' ' : ', '}${formatBound(before, after)}`,
    note: isDevice
      ? 'placed on the host clock by the fit'
      : hostClock(spanSourceAt(placed.trace.spans.source, span)),
  }
}

function workFacts({ spans }: Trace, span: number, durationNs: number, kind: SpanKind): readonly Fact[] {
  const facts: Fact[] = []
  const size = spans.bytes[span] ?? NaN
  // A profiler times the copy itself.
  const isBracketed = spanSourceAt(spans.source, span) !== 'imported'
  const flops = spans.flops[span] ?? NaN
  const over = (amount: number, rate: (perNs: number) => string): string =>
    durationNs > 0 ? `, ${rate(amount / durationNs)}` : ''
  // A staging buffer that holds data moves nothing, so it has no rate. In a collective, waiting may
  // be most of the time.
  const hasRate =
    kind !== 'staging-in-flight' && kind !== 'staging-mapped' && kind !== 'queued' && kind !== 'collective'
  if (Number.isFinite(size))
    facts.push({
      label: 'bytes',
      value: formatBytes(size) + (hasRate ? over(size, formatByteRate) : ''),
      ...(kind === 'transfer' && isBracketed ? { note: TRANSFER_NOTE } : {}),
    })
  if (Number.isFinite(flops) && durationNs > 0)
    facts.push({ label: 'work', value: formatFlopRate(flops / durationNs) })
  return facts
}

/**
 * Facts of a collective from the file, and in joined ranks how long it waited for the last of them.
 */
function collectiveFacts(trace: Trace, span: number): readonly Fact[] {
  const found = collectiveOfSpan(trace, span)
  if (!found) return []
  const { operation, group, groupSize, ranks, peer, dtype, waitNs } = found
  const size = groupSize === undefined ? '' : `, ${groupSize} ranks`
  return [
    { label: 'operation', value: peer === undefined ? operation : `${operation}, rank ${peer}` },
    ...known('elements', dtype),
    ...known('group', `${group ?? ''}${size}`.replace(/^, /, ''), ranks),
    ...(waitNs === 0
      ? known('waited', 'not at all', 'this rank was the last to begin it')
      : known('waited', waitNs === undefined ? '' : formatDuration(waitNs), 'until the last rank began it')),
  ]
}

function describeGap(data: TimelineData, index: number): Description | null {
  const gap = data.gaps[index]
  if (!gap) return null
  const { trace } = data.placed
  const clock = trace.clocks[trace.lanes[gap.lane]?.clock ?? -1]
  const stepNs = clock?.stepNs ?? NaN
  const isOnDevice = clock?.kind === 'device'
  const duration = formatDuration(gap.durationNs)
  const nameOf = (span: number): string => text(trace, trace.spans.name[span])
  const owner = [text(trace, gap.variant), repeatText(gap.repeat)].filter((part) => part !== '').join(', ')
  return {
    title: isIdle(gap.cause) ? `device idle, ${CAUSES[gap.cause].label}` : CAUSES[gap.cause].label,
    kind: 'gap',
    swatch: { hue: CAUSES[gap.cause].isHosts ? 'wait' : 'text-2', mark: 'bracket' },
    facts: [
      { label: 'cause', value: CAUSES[gap.cause].label, note: gap.evidence },
      ...known('belongs to', owner),
      {
        label: 'start',
        value: formatTime(gap.startNs),
        note: isOnDevice ? 'placed on the host clock by the fit' : ONE_CLOCK,
      },
      {
        label: 'duration',
        value: `${duration} ${formatBound(stepNs, stepNs)}`,
        note: isOnDevice ? 'two ticks of the device clock, no fit needed' : ONE_CLOCK,
      },
      {
        label: 'between',
        value: `${nameOf(gap.before) || 'the beginning'} and ${nameOf(gap.after) || 'the end'}`,
      },
    ],
    spoken: spokenGap(gap, owner),
  }
}

export function describeTarget(data: TimelineData, target: Target): Description | null {
  if (target.type === 'span')
    return target.span < data.placed.trace.spans.length ? describeSpan(data, target.span) : null
  if (target.type === 'gap') return describeGap(data, target.gap)
  const counter = data.placed.trace.counters[target.counter]
  if (!counter) return null
  const value = `${formatCount(target.value)}${THIN}${counter.unit}`
  return {
    title: counter.name,
    kind: 'counter',
    swatch: MARKS.queued,
    facts: [
      { label: 'at', value: formatTime(target.timeNs) },
      { label: 'value', value },
    ],
    spoken: `${counter.name}: ${value} at ${formatTime(target.timeNs)}`,
  }
}

/** How far the device's spans may be believed where they lie: one line for a person. */
export function clockText({ placed, live }: TimelineData): string {
  const { trace } = placed
  const deviceLanes = trace.lanes.filter(({ clock }) => trace.clocks[clock]?.kind === 'device')
  const lane = deviceLanes.find(({ clock }) => placed.fits[clock])
  if (lane) return `device clock fitted, edges ${formatBound(...medianBound(placed, lane.id))}`
  if (deviceLanes.length > 0)
    return 'the device clock does not fit the host clock: its spans have no place here'
  if (trace.lanes.some(({ kind }) => kind === 'device'))
    return isOfRanks(trace)
      ? 'ranks on one axis, their clocks aligned by the ends of collectives'
      : 'host and device on one clock, as the file gives them'
  return live ? 'device clock: waiting for its first timestamps' : 'no device clock: host-side times only'
}

/** The median of both bounds over up to 64 spans spread over the lane. */
function medianBound(placed: PlacedTrace, laneId: number): readonly [number, number] {
  const { span = [], length = 0 } = placed.lanes.find(({ lane }) => lane === laneId) ?? {}
  const bounds = range(0, length, Math.max(1, Math.floor(length / 64))).map((at) =>
    edgeBoundNs(placed, span[at] ?? 0, 'start'),
  )
  return [median(bounds, ([before]) => before) ?? NaN, median(bounds, ([, after]) => after) ?? NaN]
}
