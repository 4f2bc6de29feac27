/** When a profiler itself was at work, as its file says. */
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS } from '../trace/schema'
import { union } from './intervals'
import type { Interval } from './types'

const OTHER = SPAN_KINDS.indexOf('other')
/** CUPTI's own time has these names; other kinds of its 'overhead' are the driver's. */
const PROFILER_AT_WORK =
  /^(?:Activity Buffer Request|Buffer Flush|Instrumentation|Resource|CUPTI .*|Profiler .*)$/i

/** Disjoint, by start, host ns. */
export function profilerTimes({ trace, startNs, endNs }: PlacedTrace): readonly Interval[] {
  const { spans, strings } = trace
  const names = new Set<number>()
  for (const [name, text] of strings.entries()) if (PROFILER_AT_WORK.test(text)) names.add(name)
  if (names.size === 0) return []
  const times: { start: number; end: number }[] = []
  for (let span = 0; span < spans.length; span += 1)
    if (spans.kind[span] === OTHER && names.has(spans.name[span] ?? -1))
      times.push({ start: startNs[span] ?? Number.NaN, end: endNs[span] ?? Number.NaN })
  return union(times)
}
