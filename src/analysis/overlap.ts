/**
 * How much of one kind of work ran while another did: the host filling staging memory while the device computes, say.
 * Both on the host's clock, so a device side carries the bound of the clock fit: each edge where the two sets meet may be off.
 */
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, type LaneKind, type SpanKind } from '../trace/schema'
import { clip, intersect, total, union } from './intervals'
import type { Interval } from './types'

/** Which spans: all that are given must match. */
export interface SpanFilter {
  readonly kinds?: readonly SpanKind[]
  readonly laneKind?: LaneKind
  readonly name?: (name: string) => boolean
  readonly variant?: string
  readonly repeat?: number
}

/** Indices of the spans that have a place on the host's axis and match. */
export function findSpans({ trace, startNs }: PlacedTrace, filter: SpanFilter): readonly number[] {
  const { spans, lanes, strings } = trace
  const kinds = filter.kinds && new Set(filter.kinds.map((kind) => SPAN_KINDS.indexOf(kind)))
  const found: number[] = []
  for (let span = 0; span < spans.length; span += 1) {
    if (Number.isNaN(startNs[span])) continue
    if (kinds && !kinds.has(spans.kind[span] ?? -1)) continue
    if (filter.repeat !== undefined && spans.repeat[span] !== filter.repeat) continue
    if (filter.laneKind && lanes[spans.lane[span] ?? -1]?.kind !== filter.laneKind) continue
    if (filter.variant !== undefined && strings[spans.variant[span] ?? -1] !== filter.variant) continue
    if (filter.name && !filter.name(strings[spans.name[span] ?? -1] ?? '')) continue
    found.push(span)
  }
  return found
}

export interface Overlap {
  readonly aNs: number
  readonly bNs: number
  readonly bothNs: number
  /** bothNs / min(aNs, bNs): 1 when the shorter is hidden altogether; NaN where one of them is nothing. */
  readonly share: number
  /** By how much bothNs may be off: the widest edge bound, twice for each stretch of overlap, and never more than the shorter. */
  readonly boundNs: number
}

export function overlap(placed: PlacedTrace, a: SpanFilter, b: SpanFilter, within?: Interval): Overlap {
  const [spansA, spansB] = [findSpans(placed, a), findSpans(placed, b)]
  const setOf = (spans: readonly number[]) => {
    const set = union(
      spans.map((span) => ({ start: placed.startNs[span] ?? NaN, end: placed.endNs[span] ?? NaN })),
    )
    return within ? clip(set, within.start, within.end) : set
  }
  const [setA, setB] = [setOf(spansA), setOf(spansB)]
  const both = intersect(setA, setB)
  const [aNs, bNs, bothNs] = [total(setA), total(setB), total(both)]
  const shorterNs = Math.min(aNs, bNs)
  let edgeNs = 0
  for (const span of [...spansA, ...spansB])
    edgeNs = Math.max(edgeNs, ...placed.edgeBoundNs(span, 'start'), ...placed.edgeBoundNs(span, 'end'))
  const stretches = Math.max(1, both.length)
  return {
    aNs,
    bNs,
    bothNs,
    share: shorterNs > 0 ? bothNs / shorterNs : Number.NaN,
    boundNs: Math.min(shorterNs, 2 * edgeNs * stretches),
  }
}
