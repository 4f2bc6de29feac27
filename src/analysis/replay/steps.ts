/**
 * Finds the steps of a profile's program on the host: by the profiler's own marks, by the file's
 * repeating ranges, by the period of what it launches, or the extent of the file as one step. Those
 * of a recorded page are frames, or its extent (read-page.ts).
 */
import { addTo } from '../../base/lists'
import { lowerBound } from '../../base/search'
import type { PlacedTrace } from '../../trace/place'
import { SPAN_KINDS } from '../../trace/schema'

export type StepSource = 'profiler-step' | 'ranges' | 'period' | 'extent' | 'frames'

export interface Steps {
  readonly from: StepSource
  /** One more than there are steps: where each begins, and where the last ends, host ns. */
  readonly edgesNs: readonly number[]
  /** The lane that marks them; -1: none does. */
  readonly lane: number
}

const WINDOW = SPAN_KINDS.indexOf('window')
const OTHER = SPAN_KINDS.indexOf('other')
/** Ranges of the reader's are steps where they repeat this often. */
const LEAST_RANGES = 3
/** One call of these runs the layers of a model one after the other. */
const MODEL = /^nn\.Module: |(?:^|[^a-z])forward(?:$|[^a-z])/i
/** A period holds where this share of launches repeats, of at least so many. */
const REPEATED = 0.9
const LEAST_REPEATED = 6

interface Range {
  readonly startNs: number
  readonly endNs: number
}

/** @param launches spans of calls that launch work, in the order of their starts */
export function findSteps(placed: PlacedTrace, launches: Int32Array, hostLanes: ReadonlySet<number>): Steps {
  const marked = markedSteps(placed, hostLanes)
  if (marked) return marked
  const found = ownRanges(placed, launches, hostLanes) ?? periodOf(placed, launches)
  return found && !isWithinModel(placed, found) ? found : extentOf(placed, hostLanes)
}

/**
 * Ranges that follow each other, as edges: each begins where it is marked, the last ends at its
 * end.
 */
function edgesOf(ranges: readonly Range[]): readonly number[] {
  return [...ranges.map(({ startNs }) => startNs), ranges.at(-1)?.endNs ?? 0]
}

function markedSteps({ trace, startNs, endNs }: PlacedTrace, hostLanes: ReadonlySet<number>): Steps | null {
  const { spans, strings } = trace
  const byLane = new Map<number, { ranges: Range[]; isProfilers: boolean }>()
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.kind[span] !== WINDOW || (spans.step[span] ?? -1) < 0 || (spans.repeat[span] ?? -1) >= 0)
      continue
    const lane = spans.lane[span] ?? -1
    if (!hostLanes.has(lane)) continue
    const found = byLane.get(lane) ?? { ranges: [], isProfilers: false }
    byLane.set(lane, found)
    found.ranges.push({ startNs: startNs[span] ?? 0, endNs: endNs[span] ?? 0 })
    found.isProfilers ||= (strings[spans.name[span] ?? -1] ?? '').startsWith('ProfilerStep')
  }
  let most: Steps | null = null
  for (const [lane, { ranges, isProfilers }] of byLane) {
    ranges.sort((a, b) => a.startNs - b.startNs)
    if (most && most.edgesNs.length > ranges.length) continue
    most = { from: isProfilers ? 'profiler-step' : 'ranges', edgesNs: edgesOf(ranges), lane }
  }
  return most
}

/**
 * The name whose ranges cover most of the launches, each with one or more, one after the other on a
 * thread.
 */
function ownRanges(
  { trace, startNs, endNs }: PlacedTrace,
  launches: Int32Array,
  hostLanes: ReadonlySet<number>,
): Steps | null {
  const { spans } = trace
  const families = new Map<string, { lane: number; ranges: Range[] }>()
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.kind[span] !== OTHER || !hostLanes.has(spans.lane[span] ?? -1)) continue
    const lane = spans.lane[span] ?? -1
    const key = `${String(lane)} ${String(spans.name[span] ?? -1)}`
    const family = families.get(key) ?? { lane, ranges: [] }
    families.set(key, family)
    family.ranges.push({ startNs: startNs[span] ?? 0, endNs: endNs[span] ?? 0 })
  }
  const calls = Float64Array.from(launches, (span) => startNs[span] ?? 0)
  let [best, bestCount]: [Steps | null, number] = [null, calls.length / 2]
  for (const { lane, ranges } of families.values()) {
    if (ranges.length < LEAST_RANGES) continue
    ranges.sort((a, b) => a.startNs - b.startNs)
    if (ranges.some(({ startNs: at }, index) => at < (ranges[index - 1]?.endNs ?? -Infinity))) continue
    const counts = ranges.map(() => 0)
    let at = 0
    for (const time of calls) {
      while (at < ranges.length && (ranges[at]?.endNs ?? 0) <= time) at += 1
      if (at < ranges.length && (ranges[at]?.startNs ?? Infinity) <= time) counts[at] = (counts[at] ?? 0) + 1
    }
    const sum = counts.reduce((total, count) => total + count, 0)
    // A step has the same work each time: ranges of parts of a step are met by longer ones.
    if (sum <= bestCount || counts.includes(0)) continue
    const edgesNs = edgesOf(ranges)
    // Launches between them belong to their steps: where the last step ends is not marked then.
    const all = lowerBound(calls, edgesNs.at(-1) ?? 0) - lowerBound(calls, edgesNs[0] ?? 0)
    ;[best, bestCount] = [{ from: 'ranges', edgesNs: sum < all ? edgesNs.slice(0, -1) : edgesNs, lane }, sum]
  }
  return best
}

/**
 * The beginnings of the rarest call that repeats, if what is launched between them repeats as well.
 */
function periodOf({ trace, startNs }: PlacedTrace, launches: Int32Array): Steps | null {
  const { spans, flows } = trace
  const nameOfCall = new Map<number, number>()
  for (let flow = 0; flow < flows.length; flow += 1) {
    const from = flows.from[flow] ?? -1
    if (!nameOfCall.has(from)) nameOfCall.set(from, spans.name[flows.to[flow] ?? -1] ?? -1)
  }
  const names = Int32Array.from(launches, (span) => nameOfCall.get(span) ?? spans.name[span] ?? -1)
  const places = new Map<number, number[]>()
  for (const [index, name] of names.entries()) {
    addTo(places, name, index)
  }
  const candidates = [...places.values()]
    .filter((list) => list.length >= LEAST_RANGES)
    .sort((a, b) => a.length - b.length)
  for (const list of candidates.slice(0, 8)) {
    const kept = regularEnd(list)
    const [from = 0, next = 0] = kept
    const period = next - from
    if (kept.length < LEAST_RANGES || 2 * from > names.length) continue
    const compared = names.subarray(from, names.length - period)
    const equal = compared.reduce((sum, name, at) => sum + (name === names[from + at + period] ? 1 : 0), 0)
    if (equal < Math.max(LEAST_REPEATED, REPEATED * compared.length)) continue
    const edgesNs = kept.map((at) => startNs[launches[at] ?? -1] ?? 0)
    return { from: 'period', edgesNs, lane: spans.lane[launches[0] ?? -1] ?? -1 }
  }
  return null
}

/** True: one call of a model holds them all, so its layers are what repeats. */
function isWithinModel({ trace, startNs, endNs }: PlacedTrace, { edgesNs, lane }: Steps): boolean {
  const { spans, strings } = trace
  const [from, to] = [edgesNs[0] ?? 0, edgesNs.at(-1) ?? 0]
  const modules = new Set<number>()
  for (const [name, text] of strings.entries()) if (MODEL.test(text)) modules.add(name)
  if (modules.size === 0) return false
  for (let span = 0; span < spans.length; span += 1)
    if (
      modules.has(spans.name[span] ?? -1) &&
      spans.lane[span] === lane &&
      (startNs[span] ?? Infinity) <= from &&
      (endNs[span] ?? -Infinity) >= to
    )
      return true
  return false
}

/** Without the first ones, which make gradients and states that the others have. */
function regularEnd(places: readonly number[]): readonly number[] {
  const period = (places.at(-1) ?? 0) - (places.at(-2) ?? 0)
  let first = places.length - 1
  while (first > 0 && (places[first] ?? 0) - (places[first - 1] ?? 0) === period) first -= 1
  return places.slice(first)
}

function extentOf({ startNs, endNs, lanes }: PlacedTrace, hostLanes: ReadonlySet<number>): Steps {
  let [first, last] = [Infinity, -Infinity]
  for (const { lane, span, length } of lanes) {
    if (!hostLanes.has(lane)) continue
    for (let at = 0; at < length; at += 1) {
      first = Math.min(first, startNs[span[at] ?? -1] ?? Infinity)
      last = Math.max(last, endNs[span[at] ?? -1] ?? -Infinity)
    }
  }
  return { from: 'extent', edgesNs: first < last ? [first, last] : [], lane: -1 }
}
