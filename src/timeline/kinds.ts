/** Which kinds of spans a picture shows: read from its levels of detail, not from its spans. */
import { pictureOf } from '../trace/picture'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, type SpanKind } from '../trace/schema'

export function kindsDrawn(placed: PlacedTrace): ReadonlySet<SpanKind> {
  const kinds = new Set<SpanKind>()
  for (const { rows } of pictureOf(placed).lanes)
    for (const { buckets } of rows)
      for (const bucket of buckets) kinds.add(SPAN_KINDS[bucket >> 1] ?? 'other')
  return kinds
}
