/**
 * Splits the time of each lane in the counted repeats of a variant: busy, waiting, idle, one sample
 * a repeat, in ms. Host, queue and staging lanes are read within the repeat's window on the host's
 * clock; device lanes by device ticks alone, from the repeat's first begin to its last end, so that
 * no clock fit enters a difference.
 */
import { addTo } from '../base/lists'
import { NS_PER_MS } from '../base/units'
import type { PlacedTrace } from '../trace/place'
import type { Metric, MetricOrigin } from '../trace/report'
import { SPAN_KINDS, type LaneKind, type SpanKind } from '../trace/schema'
import { deviceWindows, stampBoundNs, type DeviceWindow } from './device-windows'
import { IndexedSet, union } from './intervals'
import { summarise } from './metrics'
import type { Interval } from './types'

type LaneState = 'busy' | 'wait' | 'idle'

/**
 * The kinds of spans that are busy time and waits of a lane; the rest is idle. Null: the lane has
 * no such state.
 */
const STATES: Readonly<Partial<Record<LaneKind, Readonly<Record<'busy' | 'wait', readonly SpanKind[]>>>>> = {
  host: { busy: ['encode', 'submit', 'host-work'], wait: ['host-wait'] },
  queue: { busy: ['queued'], wait: [] },
  staging: { busy: ['staging-filled', 'staging-in-flight'], wait: ['staging-mapping'] },
}

export interface LaneTimes {
  readonly lane: number
  readonly kind: LaneKind
  readonly name: string
  /** In the order of LANE_STATES; without those that do not exist on this lane. */
  readonly metrics: readonly Metric[]
}

interface Window extends Interval {
  readonly repeat: number
}

/**
 * Lanes times repeats, at most: a run of the lab has some ten lanes and some hundred repeats, and a file may have 10^4 lanes and 10^6
 * repeats. What is beyond is left out of each lane alike, and its figures say so.
 */
const MOST_SAMPLES = 2 ** 20

function windowsOf({ trace, startNs, endNs }: PlacedTrace, variant: string): readonly Window[] {
  const { spans, strings } = trace
  const windows: Window[] = []
  for (let span = 0; span < spans.length; span += 1) {
    const repeat = spans.repeat[span] ?? -1
    if (repeat < 0 || SPAN_KINDS[spans.kind[span] ?? -1] !== 'window') continue
    if (strings[spans.variant[span] ?? -1] !== variant) continue
    windows.push({ repeat, start: startNs[span] ?? Number.NaN, end: endNs[span] ?? Number.NaN })
  }
  return windows
}

interface Sampled {
  readonly state: LaneState
  readonly samplesMs: readonly number[]
  /** How far the clock's steps may have moved one of them. */
  readonly boundMs: number
  readonly origin: MetricOrigin
}

const asMetric = (variant: string, { state, samplesMs, boundMs, origin }: Sampled, note?: string): Metric =>
  summarise({
    ...(note === undefined ? {} : { note }),
    name: state,
    variant,
    unit: 'ms',
    origin,
    samples: samplesMs,
    systematic: boundMs,
    range: [0, Infinity],
  })

function hostSide(
  placed: PlacedTrace,
  lane: number,
  states: NonNullable<(typeof STATES)[LaneKind]>,
  windows: readonly Window[],
): readonly Sampled[] {
  const { trace, lanes } = placed
  const stepNs = trace.clocks[trace.lanes[lane]?.clock ?? -1]?.stepNs ?? 0
  const own = lanes[lane]
  const setOf = (kinds: readonly SpanKind[]) => {
    const intervals: Interval[] = []
    for (let at = 0; own && at < own.length; at += 1) {
      const kind = SPAN_KINDS[trace.spans.kind[own.span[at] ?? -1] ?? -1]
      if (kind && kinds.includes(kind))
        intervals.push({ start: own.startNs[at] ?? 0, end: own.endNs[at] ?? 0 })
    }
    const set = union(intervals)
    const indexed = IndexedSet.of(set)
    const samplesMs = windows.map(({ start, end }) => indexed.totalWithin(start, end) / NS_PER_MS)
    // Stretches a window holds: each has two stamped edges.
    const count = windows.length === 0 ? 0 : Math.ceil(set.length / windows.length)
    return { samplesMs, boundMs: stampBoundNs(Math.max(1, count), stepNs) / NS_PER_MS }
  }
  const busy = setOf(states.busy)
  const wait = setOf(states.wait)
  const either = setOf([...states.busy, ...states.wait])
  const origin = 'host-clock' as const
  const idleMs = windows.map(({ start, end }, at) =>
    Math.max(0, (end - start) / NS_PER_MS - (either.samplesMs[at] ?? 0)),
  )
  return [
    { state: 'busy', ...busy, origin },
    ...(states.wait.length > 0 ? [{ state: 'wait' as const, ...wait, origin }] : []),
    { state: 'idle', samplesMs: idleMs, boundMs: either.boundMs, origin },
  ]
}

/** Lanes with something to say of this variant, in the trace's order. */
export function laneTimes(placed: PlacedTrace, variant: string): readonly LaneTimes[] {
  const { lanes } = placed.trace
  const all = windowsOf(placed, variant)
  const hosts = lanes.reduce((count, { kind }) => count + (STATES[kind] ? 1 : 0), 0)
  const windows = all.slice(0, Math.max(1, Math.floor(MOST_SAMPLES / Math.max(1, hosts))))
  const note =
    windows.length < all.length
      ? `of the first ${String(windows.length)} of ${String(all.length)} repeats`
      : undefined
  // By lane, dealt out once: to look for each lane's among all is the square of what a file with many lanes has.
  const byLane = new Map<number, DeviceWindow[]>()
  for (const window of deviceWindows(placed.trace)) {
    if (window.variant !== variant) continue
    addTo(byLane, window.lane, window)
  }
  return lanes.flatMap(({ id, kind, name }): readonly LaneTimes[] => {
    const states = STATES[kind]
    if (kind === 'device') {
      const own = byLane.get(id) ?? []
      if (own.length === 0) return []
      const boundMs = own.reduce((most, { busyBoundNs }) => Math.max(most, busyBoundNs), 0) / NS_PER_MS
      const sampled = (state: LaneState, pick: (window: DeviceWindow) => number): Sampled => ({
        state,
        samplesMs: own.map((window) => pick(window) / NS_PER_MS),
        boundMs,
        origin: 'device-clock',
      })
      const metrics = [
        sampled('busy', ({ busyNs }) => busyNs),
        sampled('idle', ({ extentNs, busyNs }) => Math.max(0, extentNs - busyNs)),
      ].map((each) => asMetric(variant, each))
      return [{ lane: id, kind, name, metrics }]
    }
    if (!states || windows.length === 0) return []
    const metrics = hostSide(placed, id, states, windows).map((each) => asMetric(variant, each, note))
    return [{ lane: id, kind, name, metrics }]
  })
}
