/**
 * Times of the host that say nothing of a step: the profiler at work, as its file says; the first
 * use of the GPU and its libraries, which make contexts, handles and modules of code then, once;
 * and waits for work that the file does not hold. In all the GPU is idle by its records.
 */
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, SPAN_ROLES } from '../trace/schema'
import { IndexedSet, union } from './intervals'
import { nest } from './replay/host-stretches'
import { SpanNames } from './replay/span-names'
import type { Interval } from './types'

const [TRANSFER, OTHER] = [SPAN_KINDS.indexOf('transfer'), SPAN_KINDS.indexOf('other')]
const LAUNCH = SPAN_ROLES.indexOf('launch')
/** Kinds of names that are operators. */
export const OPERATORS: ReadonlySet<string> = new Set(['operator', 'read-operator', 'front-end'])
/** A call that does not wait takes some µs, and a wait ends some µs after what it waited for. */
const LONG_NS = 1_000_000
/** From this share of its time on, a call is what its time is named for. */
const MOSTLY = 0.5

/** CUPTI's own time has these names; other kinds of its 'overhead' are the driver's. */
const PROFILER_AT_WORK =
  /^(?:Activity Buffer Request|Buffer Flush|Instrumentation|Resource|CUPTI .*|Profiler .*)$/i

/** Disjoint, by start, host ns. */
/** @param calls by span of a device, the call that launched it; -1: none is known */
export function idleTimes(placed: PlacedTrace, calls: Int32Array) {
  const { trace, startNs, endNs } = placed
  const { spans, lanes } = trace
  const names = new SpanNames(trace)
  const lengthOf = (span: number) => (endNs[span] ?? 0) - (startNs[span] ?? 0)
  const isProfiler = names.matching(PROFILER_AT_WORK)
  const profiling: Interval[] = []
  const longWithProfiler: number[] = []
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.kind[span] === OTHER && isProfiler(span))
      profiling.push({ start: startNs[span] ?? Number.NaN, end: endNs[span] ?? Number.NaN })
    if (!(lengthOf(span) > LONG_NS) || lanes[spans.lane[span] ?? -1]?.kind !== 'host') continue
    const kind = names.kindOf(span)
    if (kind === 'call' || kind === 'wait' || kind === 'allocation') longWithProfiler.push(span)
  }
  const profiler = union(profiling)
  // A call in which the profiler was at work may be short without it.
  const own = IndexedSet.of(profiler)
  const long = longWithProfiler.filter(
    (span) => lengthOf(span) - own.totalWithin(startNs[span] ?? 0, endNs[span] ?? 0) > LONG_NS,
  )
  if (long.length === 0) return { profiler, firstUse: [], unrecordedWork: [] }
  const busy = busyTimes(placed)
  const works = new LaunchedWork(placed, calls)
  // Where no launch is known, the first can't be told from the others.
  const isKnown = works.firstNs < Infinity
  const firstUse = new Set<number>()
  const waits: Interval[] = []
  for (const span of long) {
    const [start, end] = [startNs[span] ?? 0, endNs[span] ?? 0]
    if (busy.totalWithin(start, end) > (1 - MOSTLY) * (end - start)) continue
    if (names.kindOf(span) === 'wait' || works.isAwaited(span)) waits.push({ start, end })
    else if (!isKnown) continue
    else if (names.kindOf(span) === 'allocation' ? start < works.firstNs : works.isFirst(span))
      firstUse.add(span)
  }
  return { profiler, firstUse: withOperators(placed, names, firstUse), unrecordedWork: union(waits) }
}

function busyTimes({ trace, startNs, endNs }: PlacedTrace): IndexedSet {
  const { spans, lanes } = trace
  const times: Interval[] = []
  for (let span = 0; span < spans.length; span += 1)
    if (lanes[spans.lane[span] ?? -1]?.kind === 'device')
      times.push({ start: startNs[span] ?? Number.NaN, end: endNs[span] ?? Number.NaN })
  return IndexedSet.of(union(times))
}

/** What each call launched. */
class LaunchedWork {
  readonly #placed: PlacedTrace
  /** By call: its work; -1: there is more than one. */
  readonly #of = new Map<number, number>()
  /** When the first of them was called. */
  firstNs = Infinity
  /** By name of work: its first call. */
  readonly #first = new Map<number, number>()

  constructor(placed: PlacedTrace, calls: Int32Array) {
    this.#placed = placed
    const { startNs, trace } = placed
    for (let work = 0; work < trace.spans.length; work += 1) {
      const call = calls[work] ?? -1
      if (call < 0) continue
      this.firstNs = Math.min(this.firstNs, startNs[call] ?? Infinity)
      this.#of.set(call, this.#of.has(call) ? -1 : work)
      const name = trace.spans.name[work] ?? -1
      const first = this.#first.get(name)
      if (first === undefined || (startNs[call] ?? 0) < (startNs[first] ?? 0)) this.#first.set(name, call)
    }
  }

  /** True: the call copies, and returns when the bytes are there. */
  isAwaited(call: number): boolean {
    const { trace, endNs } = this.#placed
    const work = this.#of.get(call) ?? -1
    return trace.spans.kind[work] === TRANSFER && (endNs[work] ?? Infinity) <= (endNs[call] ?? 0)
  }

  /**
   * True: it launches a kernel that none before it launched, or makes something without a launch.
   */
  isFirst(call: number): boolean {
    const { role, name } = this.#placed.trace.spans
    const work = this.#of.get(call)
    if (work === undefined) return role[call] !== LAUNCH
    return this.#first.get(name[work] ?? -1) === call
  }
}

/** Each call with the operator that it lies in, which sets up more around it. */
function withOperators(
  { lanes, trace }: PlacedTrace,
  names: SpanNames,
  found: ReadonlySet<number>,
): readonly Interval[] {
  if (found.size === 0) return []
  const lanesOf = new Set([...found].map((span) => trace.spans.lane[span]))
  const times = lanes
    .filter(({ lane }) => lanesOf.has(lane))
    .flatMap((each) => {
      const { span, startNs, endNs, parent } = nest(each)
      const own: Interval[] = []
      for (let at = 0; at < span.length; at += 1) {
        if (!found.has(span[at] ?? -1)) continue
        let up = at
        while (up >= 0 && !OPERATORS.has(names.roleOf(span[up] ?? -1))) up = parent[up] ?? -1
        const whole = up < 0 ? at : up
        own.push({ start: startNs[whole] ?? Number.NaN, end: endNs[whole] ?? Number.NaN })
      }
      return own
    })
  return union(times)
}
