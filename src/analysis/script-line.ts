/** Names the function of a page that ran for most of some time, by samples of its script. */
import type { PlacedTrace } from '../trace/place'
import { SCRIPTS_LANE } from '../trace/schema'
import type { SourceLine } from './findings'
import { IndexedSet } from './intervals'
import { SpanNames } from './replay/span-names'
import type { Interval } from './types'

/** A function with a smaller share of the sampled time is not worth naming. */
const NAMED_PART = 0.25

/** @param times sorted, disjoint; null where nothing was sampled, or no function stands out */
export function scriptLine(placed: PlacedTrace, times: readonly Interval[]): SourceLine | null {
  const { trace, startNs, endNs } = placed
  const lane = trace.lanes.findIndex(({ name }) => name === SCRIPTS_LANE)
  if (lane < 0) return null
  const within = IndexedSet.of(times)
  const names = new SpanNames(trace)
  const nsOf = new Map<string, number>()
  let allNs = 0
  for (let span = 0; span < trace.spans.length; span += 1) {
    if (trace.spans.lane[span] !== lane) continue
    const ns = within.totalWithin(startNs[span] ?? 0, endNs[span] ?? 0)
    const name = names.of(span)
    nsOf.set(name, (nsOf.get(name) ?? 0) + ns)
    allNs += ns
  }
  const [most] = [...nsOf].sort((a, b) => b[1] - a[1])
  if (!most || most[1] < NAMED_PART * allNs || allNs === 0) return null
  const [, name, file, line] = /^(.*) \((.*):(\d+)\)$/.exec(most[0]) ?? []
  if (name === undefined || file === undefined) return null
  return { file, line: Number(line), name, method: null, share: most[1] / allNs }
}
