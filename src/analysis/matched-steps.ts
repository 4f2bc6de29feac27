/**
 * Spans of two runs that are the same step of the same repeat: n-th of their kind there, on lanes that correspond. What has no
 * counterpart is counted, not hidden. Durations are differences on the lane's own clock: no clock fit enters them.
 */
import { addTo } from '../base/lists'
import { rowsThat } from '../trace/columns'
import { median } from '../base/stats'
import type { PlacedTrace } from '../trace/place'
import type { Metric } from '../trace/report'
import { SPAN_KINDS, type Lane, type SpanKind } from '../trace/schema'
import { differenceOf, type Difference } from './difference'
import { summarise } from './metrics'

/** Lanes correspond when they are the n-th of their kind: 'staging 1' with 'staging 1', a device with a device. */
function laneKeys(lanes: readonly Lane[]): readonly string[] {
  const seen = new Map<string, number>()
  return lanes.map(({ kind }) => {
    const nth = seen.get(kind) ?? 0
    seen.set(kind, nth + 1)
    return `${kind} ${String(nth)}`
  })
}

/** Key of a step -> its span. Only spans of counted repeats with a step. */
function stepsOf({ trace }: PlacedTrace, variant: string): ReadonlyMap<string, number> {
  const { spans, strings, lanes } = trace
  const keys = laneKeys(lanes)
  const nth = new Map<string, number>()
  const steps = new Map<string, number>()
  // In the order of the lane's own clock, so that the n-th is the same one on both sides.
  const order = rowsThat(spans.length, (span) => {
    const isCounted = (spans.repeat[span] ?? -1) >= 0 && (spans.step[span] ?? -1) >= 0
    return isCounted && strings[spans.variant[span] ?? -1] === variant
  })
  for (const span of order.toSorted((a, b) => (spans.start[a] ?? 0) - (spans.start[b] ?? 0) || a - b)) {
    const kind = SPAN_KINDS[spans.kind[span] ?? -1] ?? 'other'
    const place = `${keys[spans.lane[span] ?? -1] ?? ''}|${String(spans.repeat[span])}|${String(spans.step[span])}|${kind}`
    const at = nth.get(place) ?? 0
    nth.set(place, at + 1)
    steps.set(`${place}|${String(at)}`, span)
  }
  return steps
}

export interface MatchedSteps {
  /** Span of A -> span of B, and back. */
  readonly inB: ReadonlyMap<number, number>
  readonly inA: ReadonlyMap<number, number>
  /** Steps without a counterpart. */
  readonly onlyA: number
  readonly onlyB: number
}

export function matchSteps(a: PlacedTrace, b: PlacedTrace, variantA: string, variantB: string): MatchedSteps {
  const [stepsA, stepsB] = [stepsOf(a, variantA), stepsOf(b, variantB)]
  const inB = new Map<number, number>()
  const inA = new Map<number, number>()
  for (const [key, spanA] of stepsA) {
    const spanB = stepsB.get(key)
    if (spanB === undefined) continue
    inB.set(spanA, spanB)
    inA.set(spanB, spanA)
  }
  return { inB, inA, onlyA: stepsA.size - inB.size, onlyB: stepsB.size - inA.size }
}

export interface KindOfStep {
  readonly kind: SpanKind
  /** Pairs of spans. */
  readonly matched: number
  /** Length of such a span, ms: the median within each repeat is one sample. */
  readonly difference: Difference
}

function lengthMs({ trace }: PlacedTrace, variant: string, kind: SpanKind, of: readonly number[]): Metric {
  const { spans, lanes, clocks } = trace
  const byRepeat = new Map<number, number[]>()
  let [stepNs, isDevice] = [0, false]
  for (const span of of) {
    const clock = clocks[lanes[spans.lane[span] ?? -1]?.clock ?? -1]
    stepNs = Math.max(stepNs, clock?.stepNs ?? 0)
    isDevice = clock?.kind === 'device'
    const repeat = spans.repeat[span] ?? -1
    const length = ((spans.end[span] ?? Number.NaN) - (spans.start[span] ?? Number.NaN)) / 1e6
    addTo(byRepeat, repeat, length)
  }
  return summarise({
    name: kind,
    variant,
    unit: 'ms',
    origin: isDevice ? 'device-clock' : 'host-clock',
    samples: [...byRepeat.values()].map((lengths) => median(lengths)),
    systematic: stepNs / 1e6,
    range: [0, Infinity],
  })
}

/** By kind, in the order of SPAN_KINDS. */
export function stepDifferences(
  a: PlacedTrace,
  b: PlacedTrace,
  variantA: string,
  variantB: string,
  { inB }: MatchedSteps,
): readonly KindOfStep[] {
  const byKind = new Map<SpanKind, { a: number[]; b: number[] }>()
  for (const [spanA, spanB] of inB) {
    const kind = SPAN_KINDS[a.trace.spans.kind[spanA] ?? -1] ?? 'other'
    const pair = byKind.get(kind) ?? { a: [], b: [] }
    byKind.set(kind, pair)
    pair.a.push(spanA)
    pair.b.push(spanB)
  }
  return SPAN_KINDS.flatMap((kind) => {
    const pair = byKind.get(kind)
    if (!pair) return []
    const difference = differenceOf(lengthMs(a, variantA, kind, pair.a), lengthMs(b, variantB, kind, pair.b))
    return [{ kind, matched: pair.a.length, difference }]
  })
}
