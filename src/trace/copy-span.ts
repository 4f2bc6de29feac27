import type { NewSpan } from './builder'
import { SPAN_KINDS, SPAN_ROLES, SPAN_SOURCES, type SpanColumns } from './schema'

/**
 * A span of one trace as a new one of another: all that is the same wherever it stands. Its lane,
 * times and submission are the caller's.
 *
 * @param textOf of the trace that the span is of, by its index; '' where there is none
 */
export function copySpan(
  spans: SpanColumns,
  row: number,
  textOf: (text: number | undefined) => string,
): Omit<NewSpan, 'lane' | 'start' | 'end' | 'submission'> {
  const variant = spans.variant[row] ?? -1
  return {
    kind: SPAN_KINDS[spans.kind[row] ?? -1] ?? 'other',
    role: SPAN_ROLES[spans.role[row] ?? -1],
    source: SPAN_SOURCES[spans.source[row] ?? -1] ?? 'imported',
    name: textOf(spans.name[row]),
    variant: variant < 0 ? undefined : textOf(variant),
    repeat: spans.repeat[row],
    step: spans.step[row],
    line: spans.line[row],
    bytes: spans.bytes[row],
    flops: spans.flops[row],
  }
}
