/**
 * Which lines of the code run: from the host lane of the trace, never from a script. While a run goes on, the region of the newest host
 * span; afterwards, the share of each region in the host's time within one variant's windows.
 */
import { hostActivity } from '../analysis/host-activity'
import type { CodeRegion } from '../lessons/lesson'
import type { PlacedTrace } from '../trace/place'
import { REPEAT_NONE, SPAN_KINDS, type Trace } from '../trace/schema'

/** Null: the host did something that no line of the lesson shows. */
export function regionOfSpan(trace: Trace, span: number): CodeRegion | null {
  const kind = SPAN_KINDS[trace.spans.kind[span] ?? -1]
  const name = trace.strings[trace.spans.name[span] ?? -1] ?? ''
  const activity = kind === undefined ? null : hostActivity(kind, name)
  switch (activity) {
    case 'encode':
    case 'submit':
    case 'fill':
      return activity
    case 'await-result':
    case 'await-staging':
      return 'wait'
    case 'work':
      return name.startsWith('read') ? 'read' : null
    case null:
      return null
  }
}

/** The region that the newest host span of a variant belongs to; setting up and checking are none of the lesson's lines. */
export function newestRegion({ trace, endNs }: PlacedTrace): CodeRegion | null {
  // Spans are appended as they end, so the newest are near the end; device spans come late, a window's worth at a time.
  const LOOK_BACK = 2048
  let newest = -1
  const last = trace.spans.length - 1
  for (let span = last; span >= 0 && span > last - LOOK_BACK; span -= 1) {
    if (trace.spans.repeat[span] === REPEAT_NONE || regionOfSpan(trace, span) === null) continue
    if (newest < 0 || (endNs[span] ?? 0) > (endNs[newest] ?? 0)) newest = span
  }
  return newest < 0 ? null : regionOfSpan(trace, newest)
}

/** Share of the windows' time (repeats that count) that the host spent in each region; the rest is unlabelled. */
export function regionShares(
  { trace, startNs, endNs }: PlacedTrace,
  variant: string,
): Readonly<Partial<Record<CodeRegion, number>>> {
  const wanted = trace.strings.indexOf(variant)
  const { spans } = trace
  const shares: Partial<Record<CodeRegion, number>> = {}
  let windowNs = 0
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.variant[span] !== wanted || (spans.repeat[span] ?? -1) < 0) continue
    const duration = (endNs[span] ?? 0) - (startNs[span] ?? 0)
    if (SPAN_KINDS[spans.kind[span] ?? -1] === 'window') windowNs += duration
    const region = regionOfSpan(trace, span)
    if (region !== null) shares[region] = (shares[region] ?? 0) + duration
  }
  if (windowNs <= 0) return {}
  return Object.fromEntries(Object.entries(shares).map(([region, total]) => [region, total / windowNs]))
}
