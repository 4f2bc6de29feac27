/** A program while it is read: its stretches, and the work that their calls launch. */
import type { PlacedTrace } from '../../trace/place'
import type { Trace } from '../../trace/schema'
import type { Interval } from '../types'
import type { NestedLane, Part } from './host-stretches'
import { MAIN_THREAD, newStretch, newWork, type Stretch, type Work } from './program'
import { type SpanNames, TO_HOST } from './span-names'

const WAITS_FOR_EVENT = /StreamWaitEvent/

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

export interface DraftStretch extends Mutable<Stretch> {
  /** The span's thread, and its place in it. */
  lane: NestedLane
  at: number
  /** What `behind` will be the index of. */
  behindOther?: DraftStretch
}

export interface DraftWork extends Mutable<Work> {
  callNs: number
  endNs: number
  /** Index of the stretch that launches it. */
  stretch: number
  /** Declared by a wait for an event before its launch. */
  mayWait: boolean
}

/** The data that the steps of reading share. */
export interface Draft {
  readonly placed: PlacedTrace
  readonly names: SpanNames
  /** Work of the device by the call that launched it, within the steps. */
  readonly workOfCall: ReadonlyMap<number, readonly number[]>
  readonly edgesNs: readonly number[]
  /** Times in which the profiler itself was at work, or the GPU was used for the first time. */
  readonly once: readonly Interval[]
  readonly threads: number
  /** Threads of which the file has calls of the driver alone. */
  readonly bareThreads: ReadonlySet<number>
  /** When the work ended that was launched before the recording began; -Infinity: there is none. */
  readonly backlogEndNs: number
  readonly stretches: readonly DraftStretch[]
  readonly work: readonly DraftWork[]
  /** By lane of the device. */
  readonly streams: ReadonlyMap<number, number>
}

/**
 * Stretches of all threads by start, none into what happens once, and none of the main one across
 * the end of a step.
 */
export function draftStretches(
  threads: readonly (readonly Part[])[],
  edgesNs: readonly number[],
  once: readonly Interval[],
): readonly DraftStretch[] {
  const onceNs = once.flatMap(({ start, end }) => [start, end])
  const cutsOf = (edges: readonly number[]) => Float64Array.from([...edges, ...onceNs]).sort()
  const stretches: DraftStretch[] = []
  for (const [thread, parts] of threads.entries()) {
    const cutsNs = cutsOf(thread === MAIN_THREAD ? edgesNs : [])
    let cut = 0
    for (const part of parts) {
      let { startNs } = part
      while ((cutsNs[cut] ?? Infinity) <= startNs) cut += 1
      for (let next = cut; (cutsNs[next] ?? Infinity) < part.endNs; next += 1) {
        const cutNs = cutsNs[next] ?? startNs
        if (cutNs === startNs) continue
        stretches.push(stretchOf(thread, part, startNs, cutNs))
        startNs = cutNs
      }
      stretches.push(stretchOf(thread, part, startNs, part.endNs))
    }
  }
  if (threads.length > 1) stretches.sort((a, b) => a.startNs - b.startNs)
  return stretches
}

function stretchOf(thread: number, { at, lane }: Part, startNs: number, endNs: number): DraftStretch {
  const stretch = newStretch() as DraftStretch // it gets the rest below
  stretch.thread = thread
  stretch.startNs = startNs
  stretch.endNs = endNs
  stretch.lengthNs = endNs - startNs
  stretch.span = at < 0 ? -1 : (lane.span[at] ?? -1)
  stretch.lane = lane
  stretch.at = at
  return stretch
}

/** The work of each call, at the first stretch of the call. */
export function draftWork(
  { trace, startNs, endNs }: PlacedTrace,
  names: SpanNames,
  workOfCall: ReadonlyMap<number, readonly number[]>,
  stretches: readonly DraftStretch[],
): Pick<Draft, 'work' | 'streams'> {
  const work: DraftWork[] = []
  const streams = new Map<number, number>()
  const seen = new Set<number>()
  const waitsNs = waitsOf(trace.collectives)
  const waitsForEvent = names.matching(WAITS_FOR_EVENT)
  const isToHost = names.matching(TO_HOST)
  let mayWait = false
  for (const [index, stretch] of stretches.entries()) {
    const call = stretch.span
    if (call < 0 || seen.has(call)) continue
    if (waitsForEvent(call)) {
      seen.add(call)
      mayWait = true
      continue
    }
    const launched = workOfCall.get(call)
    if (!launched) continue
    seen.add(call)
    stretch.launches = launched.map((span) => {
      const lane = trace.spans.lane[span] ?? -1
      let stream = streams.get(lane)
      if (stream === undefined) streams.set(lane, (stream = streams.size))
      const begin = startNs[span] ?? 0
      const end = endNs[span] ?? 0
      const drafted = newWork() as DraftWork // it gets the rest below
      drafted.span = span
      drafted.stream = stream
      drafted.callNs = stretch.startNs
      drafted.startNs = begin
      drafted.endNs = end
      drafted.lengthNs = drafted.leastNs = end - begin
      drafted.waitNs = Math.min(end - begin, waitsNs.get(span) ?? 0)
      drafted.isRead = isToHost(span)
      drafted.bytes = trace.spans.bytes[span] ?? Number.NaN
      drafted.stretch = index
      drafted.call = call
      drafted.mayWait = mayWait
      return work.push(drafted) - 1
    })
    mayWait = false
  }
  return { work, streams }
}

/** By span of a collective: how long it waited for the last rank. */
function waitsOf({ span, waitNs, length }: Trace['collectives']): ReadonlyMap<number, number> {
  const waits = new Map<number, number>()
  for (let row = 0; row < length; row += 1)
    if ((waitNs[row] ?? 0) > 0) waits.set(span[row] ?? -1, waitNs[row] ?? 0)
  return waits
}
