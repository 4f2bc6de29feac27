/**
 * Which lines of a program run, and for how long: from the lines that the recorder wrote into the trace, never from a script. Each
 * line's share is of the host's time within one variant's windows.
 */
import type { PlacedTrace } from '../../trace/place'
import { SPAN_KINDS, SPAN_ROLES, type SpanRole, type Trace } from '../../trace/schema'

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

const RANK = /^rank \d+ · /

/**
 * What the host spent on each line of a variant's program; the role is the one that took most of it. Calls of one line that go on at the
 * same time count once. Of a program on several ranks it is their mean.
 */
export function lineShares(
  { trace, startNs, endNs }: PlacedTrace,
  variant: string,
): ReadonlyMap<number, LineShare> {
  const { spans, lanes } = trace
  const wanted = trace.strings.indexOf(variant)
  const times = new Map<number, Map<SpanRole, number>>()
  /** By line and lane. */
  const calls = new Map<string, { readonly from: number; readonly to: number; readonly at: ProgramLine }[]>()
  const ranks = new Set<number>()
  let windowNs = 0
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.variant[span] !== wanted || (spans.repeat[span] ?? -1) < 0 || !isOnHost(trace, span)) continue
    const [from, to] = [startNs[span] ?? 0, endNs[span] ?? 0]
    if (SPAN_KINDS[spans.kind[span] ?? -1] === 'window') windowNs += to - from
    const at = lineOfSpan(trace, span)
    if (!at) continue
    const lane = spans.lane[span] ?? -1
    if (RANK.test(lanes[lane]?.name ?? '')) ranks.add(lane)
    const key = `${String(at.line)} ${String(lane)}`
    const known = calls.get(key)
    if (known) known.push({ from, to, at })
    else calls.set(key, [{ from, to, at }])
  }
  for (const ofLane of calls.values()) {
    let until = -Infinity
    for (const { from, to, at } of ofLane.toSorted((a, b) => a.from - b.from)) {
      const ofLine = times.get(at.line) ?? new Map<SpanRole, number>()
      ofLine.set(at.role, (ofLine.get(at.role) ?? 0) + Math.max(0, to - Math.max(from, until)))
      times.set(at.line, ofLine)
      until = Math.max(until, to)
    }
  }
  const shares = new Map<number, LineShare>()
  const wholeNs = windowNs * Math.max(1, ranks.size)
  if (wholeNs <= 0) return shares
  for (const [line, ofLine] of times) {
    const [longest] = [...ofLine].sort(([, one], [, other]) => other - one)
    const total = [...ofLine.values()].reduce((sum, ns) => sum + ns, 0)
    if (longest) shares.set(line, { role: longest[0], share: total / wholeNs })
  }
  return shares
}
