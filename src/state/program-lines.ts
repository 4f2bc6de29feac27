/**
 * Which lines of a program run, and for how long: from the lines that the recorder wrote into the trace, never from a script. Each
 * line's share is of the host's time within one variant's windows.
 */
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, SPAN_ROLES, type SpanRole, type Trace } from '../trace/schema'

export interface ProgramLine {
  readonly variant: string
  /** Counted from 1. */
  readonly line: number
  readonly role: SpanRole
}

/** Null where no line of a program made the call. */
export function lineOfSpan({ spans, strings }: Trace, span: number): ProgramLine | null {
  const line = spans.line[span] ?? -1
  const variant = strings[spans.variant[span] ?? -1]
  if (line < 1 || variant === undefined) return null
  return { variant, line, role: SPAN_ROLES[spans.role[span] ?? 0] ?? 'none' }
}

const isOnHost = ({ lanes, spans }: Trace, span: number): boolean =>
  lanes[spans.lane[span] ?? -1]?.kind === 'host'

export interface LineShare {
  readonly role: SpanRole
  /** Of the windows' time, repeats that count. */
  readonly share: number
}

/** What the host spent on each line of a variant's program; the role is the one that took most of it. */
export function lineShares(
  { trace, startNs, endNs }: PlacedTrace,
  variant: string,
): ReadonlyMap<number, LineShare> {
  const { spans } = trace
  const wanted = trace.strings.indexOf(variant)
  const times = new Map<number, Map<SpanRole, number>>()
  let windowNs = 0
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.variant[span] !== wanted || (spans.repeat[span] ?? -1) < 0 || !isOnHost(trace, span)) continue
    const duration = (endNs[span] ?? 0) - (startNs[span] ?? 0)
    if (SPAN_KINDS[spans.kind[span] ?? -1] === 'window') windowNs += duration
    const at = lineOfSpan(trace, span)
    if (!at) continue
    const ofLine = times.get(at.line) ?? new Map<SpanRole, number>()
    ofLine.set(at.role, (ofLine.get(at.role) ?? 0) + duration)
    times.set(at.line, ofLine)
  }
  const shares = new Map<number, LineShare>()
  if (windowNs <= 0) return shares
  for (const [line, ofLine] of times) {
    const [longest] = [...ofLine].sort(([, one], [, other]) => other - one)
    const total = [...ofLine.values()].reduce((sum, ns) => sum + ns, 0)
    if (longest) shares.set(line, { role: longest[0], share: total / windowNs })
  }
  return shares
}
