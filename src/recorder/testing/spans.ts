/** What a trace holds, in words: for tests in Node and in a browser. */
import { SPAN_KINDS, SPAN_ROLES, type Trace } from '../../trace/schema'

export interface Span {
  readonly index: number
  readonly lane: string
  readonly kind: string
  readonly role: string
  readonly name: string
  readonly start: number
  readonly end: number
  readonly submission: number
  readonly variant: string
  readonly repeat: number
  readonly step: number
  readonly line: number
  readonly bytes: number
}

export function spansOf(trace: Trace, only: Partial<Span> = {}): readonly Span[] {
  const { spans, lanes, strings } = trace
  const all = Array.from({ length: spans.length }, (_, index): Span => ({
    index,
    lane: lanes[spans.lane[index] ?? -1]?.name ?? '',
    kind: SPAN_KINDS[spans.kind[index] ?? -1] ?? '',
    role: SPAN_ROLES[spans.role[index] ?? -1] ?? '',
    name: strings[spans.name[index] ?? -1] ?? '',
    start: spans.start[index] ?? Number.NaN,
    end: spans.end[index] ?? Number.NaN,
    submission: spans.submission[index] ?? -1,
    variant: strings[spans.variant[index] ?? -1] ?? '',
    repeat: spans.repeat[index] ?? -1,
    step: spans.step[index] ?? -1,
    line: spans.line[index] ?? -1,
    bytes: spans.bytes[index] ?? Number.NaN,
  }))
  return all.filter((span) =>
    Object.entries(only).every(([name, value]) => span[name as keyof Span] === value),
  )
}
