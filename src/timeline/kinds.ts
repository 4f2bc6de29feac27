/**
 * Lists the kinds of spans and the variants in a picture, read from its levels of detail, not from
 * its spans.
 */
import { lodOf } from './lod/trace-lod'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, type SpanKind } from '../trace/schema'

export function kindsDrawn(placed: PlacedTrace): ReadonlySet<SpanKind> {
  const kinds = new Set<SpanKind>()
  for (const { rows } of lodOf(placed).lanes)
    for (const { buckets } of rows)
      for (const bucket of buckets) kinds.add(SPAN_KINDS[bucket >> 1] ?? 'other')
  return kinds
}

/** In the order they came: by the windows of the repeats, which are few, else by the spans. */
export function variantsDrawn(placed: PlacedTrace): readonly string[] {
  const { bands } = lodOf(placed)
  const { spans, strings } = placed.trace
  const names =
    bands.length > 0
      ? bands.map(({ variant }) => variant)
      : [...new Set(spans.variant.subarray(0, spans.length))].map((index) => strings[index] ?? '')
  return [...new Set(names)].filter((name) => name !== '')
}
