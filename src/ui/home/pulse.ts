/**
 * What the strip on the home page draws: host and device spans and the queue's depth, within a window that follows the newest evidence.
 * Pure geometry; every bar is a recorded span, every step a recorded count.
 */
import { SPAN_KINDS, type SpanKind } from '../../trace/schema'
import type { PlacedTrace } from '../../trace/place'

export interface PulseBar {
  readonly row: 0 | 2
  readonly kind: SpanKind
  /** 0 to 1 across the strip. */
  readonly from: number
  readonly to: number
}

const ROW_OF_KIND: Partial<Record<SpanKind, 0 | 2>> = {
  encode: 0,
  submit: 0,
  'host-work': 0,
  'host-wait': 0,
  compute: 2,
  transfer: 2,
}

/** Extent of one variant's first counted repeat, or null while there is none. */
export function windowOf(
  { trace, startNs, endNs }: PlacedTrace,
  variant: string,
): readonly [number, number] | null {
  const { spans, strings } = trace
  const wanted = strings.indexOf(variant)
  for (let span = 0; span < spans.length; span += 1) {
    if (SPAN_KINDS[spans.kind[span] ?? -1] !== 'window') continue
    if (spans.variant[span] === wanted && (spans.repeat[span] ?? -1) >= 0)
      return [startNs[span] ?? 0, endNs[span] ?? 0]
  }
  return null
}

export function pulseBars(
  { trace, startNs, endNs }: PlacedTrace,
  [fromNs, toNs]: readonly [number, number],
): readonly PulseBar[] {
  const { spans } = trace
  const extent = toNs - fromNs
  if (!(extent > 0)) return []
  const bars: PulseBar[] = []
  for (let span = 0; span < spans.length; span += 1) {
    const kind = SPAN_KINDS[spans.kind[span] ?? -1]
    const row = kind === undefined ? undefined : ROW_OF_KIND[kind]
    const [start, end] = [startNs[span] ?? Number.NaN, endNs[span] ?? Number.NaN]
    // NaN: a device time that no clock fit places; it is not drawn.
    if (kind === undefined || row === undefined || !(end >= fromNs && start <= toNs)) continue
    bars.push({
      row,
      kind,
      from: Math.max(0, (start - fromNs) / extent),
      to: Math.min(1, (end - fromNs) / extent),
    })
  }
  return bars
}

export interface DepthStep {
  /** 0 to 1 across the strip. */
  readonly at: number
  /** Share of the deepest within the window. */
  readonly depth: number
}

/** The queue's depth as steps: each holds until the next. */
export function depthSteps(
  { trace }: PlacedTrace,
  [fromNs, toNs]: readonly [number, number],
): readonly DepthStep[] {
  const counter = trace.counters.find(({ lane }) => trace.lanes[lane]?.kind === 'queue')
  const extent = toNs - fromNs
  if (!counter || !(extent > 0)) return []
  let before = 0
  const within: { at: number; depth: number }[] = []
  for (let sample = 0; sample < counter.length; sample += 1) {
    const timeNs = counter.timeNs[sample] ?? 0
    const depth = counter.value[sample] ?? 0
    if (timeNs <= fromNs) before = depth
    else if (timeNs <= toNs) within.push({ at: (timeNs - fromNs) / extent, depth })
  }
  const steps = [{ at: 0, depth: before }, ...within]
  const most = Math.max(...steps.map(({ depth }) => depth))
  return most > 0 ? steps.map(({ at, depth }) => ({ at, depth: depth / most })) : []
}
