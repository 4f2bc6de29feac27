/**
 * Reads a profile as a program (program.ts). What the file does not name is inferred from record
 * order and observed starts.
 */
import { addTo } from '../../base/lists'
import { lowerBound } from '../../base/search'
import { rowsThat } from '../../trace/columns'
import type { PlacedTrace } from '../../trace/place'
import { SPAN_KINDS, SPAN_ROLES } from '../../trace/schema'
import { callRowOf, isCall } from '../../trace/vendors'
import { LaunchRecords } from '../coverage'
import { total, intersect, union } from '../intervals'
import { idleTimes } from '../set-up'
import { classify } from './classify'
import { cutPauses } from './cut-pauses'
import { draftStretches, draftWork, type Draft } from './draft'
import { nest, type NestedLane, type Part } from './host-stretches'
import { threadsOf } from './host-threads'
import { MAIN_THREAD, type Program } from './program'
import { orderStatistic } from '../../base/stats'
import { SpanNames } from './span-names'
import { findSteps, type Steps } from './steps'
import { tieThreads } from './tie-threads'
import { tieWaits } from './tie-waits'
import { findCallbacks, tieWork } from './tie-work'
import type { Interval } from '../types'

const COMPUTE = SPAN_KINDS.indexOf('compute')
const COLLECTIVE = SPAN_KINDS.indexOf('collective')
const LAUNCH = SPAN_ROLES.indexOf('launch')
/** At most this many stretches are replayed: a few steps tell as much as thousands. */
const MOST_STRETCHES = 60_000
const MOST_STEPS = 64
/** A first step that is longer than the others by this loads libraries and starts the profiler. */
const WARM_UP = 1.5
/** Kernels of another device, as a share of this one's launches: a stray one changes nothing. */
const MOST_ELSEWHERE = 0.02
/**
 * Kernels that end before their launch returns: 0 to 0.1 of asynchronous launches in our
 * recordings.
 */
const MOST_BLOCKED = 0.9
const LEAST_KERNELS = 20
/** From this share of its steps on, a recording is of something else than its program's steps. */
const MOSTLY = 0.5

export interface ReadProgram {
  readonly program: Program
  readonly steps: Steps
  /** All that the file marks; the program holds at most MOST_STEPS of them. */
  readonly stepCount: number
  /** When host and device had done each step of the program, ns from the program's start. */
  readonly recordedEndsNs: readonly number[]
  /** The profiler's own time that was left out, ns a step. */
  readonly profilerNs: number
  /** The share of the device's time in the steps that no call is known to have launched. */
  readonly unlinkedShare: number
  /** Why the program predicts nothing, though it shows what the host did; '' where it does. */
  readonly problem: string
}

/** A sentence where the file can't be read as a program. @param device group of its lanes */
export function readProgram(
  placed: PlacedTrace,
  device: string,
  records = new LaunchRecords(placed),
): ReadProgram | string {
  return new Reader(placed, device, records.calls).read()
}

class Reader {
  readonly #placed: PlacedTrace
  /** By span of a device: the call that launched it; -1: none is known. */
  readonly #calls: Int32Array
  readonly #names: SpanNames
  /** By lane: 1 where it is one of this device's. */
  readonly #isOwnLane: Uint8Array
  /** Spans of this device, in the trace's order. */
  readonly #own: readonly number[]

  constructor(placed: PlacedTrace, device: string, calls: Int32Array) {
    this.#placed = placed
    this.#calls = calls
    this.#names = new SpanNames(placed.trace)
    this.#isOwnLane = new Uint8Array(placed.trace.lanes.length)
    for (const { id, kind, group } of placed.trace.lanes)
      if (kind === 'device' && group === device) this.#isOwnLane[id] = 1
    const { lane, length } = placed.trace.spans
    this.#own = rowsThat(length, (span) => this.#isOwnLane[lane[span] ?? -1] === 1)
  }

  #callOf(span: number): number {
    return this.#calls[span] ?? -1
  }

  read(): ReadProgram | string {
    const { trace, startNs } = this.#placed
    const launches = this.#launches()
    if (launches.length === 0) return 'The file names no call that launched this device’s work.'
    const counts = new Map<number, number>()
    for (const span of launches) {
      const lane = trace.spans.lane[span] ?? -1
      counts.set(lane, (counts.get(lane) ?? 0) + 1)
    }
    const busiest = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? -1
    // Threads of the process that launches: another rank in the same file has its own.
    const process = trace.lanes[busiest]?.group
    const hostLanes = new Set<number>()
    for (const { id, kind, group } of trace.lanes) if (kind === 'host' && group === process) hostLanes.add(id)
    const steps = findSteps(this.#placed, launches, hostLanes)
    if (steps.edgesNs.length < 2) return 'The file has no step.'
    const mainLane = hostLanes.has(steps.lane) ? steps.lane : busiest
    const lanes = this.#placed.lanes
      .filter(({ lane }) => lane === mainLane || (counts.has(lane) && hostLanes.has(lane)))
      .map(nest)
    const main = lanes.find(({ lane }) => lane === mainLane)
    if (!main) return 'No host thread is recorded.'
    const launchesNs = Float64Array.from(launches, (span) => startNs[span] ?? 0)
    const edgesNs = chosen(withLaunches(steps.edgesNs, launchesNs), main)
    if (edgesNs.length < 2) return 'No step in the file launches anything.'
    const times = idleTimes(this.#placed, this.#calls)
    const firstNs = this.#firstKnown()
    // Where nothing repeats, a wait at the end is no part of a loop: the profiler itself waits
    // there.
    const lastWaits = steps.from === 'extent' ? this.#waitsAfter(launchesNs.at(-1) ?? 0, lanes) : []
    const once = union([...times.profiler, ...times.firstUse, ...lastWaits])
    const draft = this.#draft(main, lanes, edgesNs, firstNs, once)
    tieWork(draft)
    findCallbacks(draft)
    tieWaits(draft)
    const { chains, stretches } = classify(draft)
    const classified = { chains, stretches: tieThreads(draft, stretches) }
    const { draft: left, cutNs } = cutPauses(draft, classified.stretches, times.profiler)
    const program = programOf(left, classified)
    return {
      program,
      steps,
      stepCount: steps.edgesNs.length - 1,
      recordedEndsNs: recordedEnds(left),
      profilerNs: cutNs / program.stepEndsNs.length,
      unlinkedShare: this.#unlinkedShare(draft, firstNs),
      problem:
        this.#problem(launchesNs, hostLanes, edgesNs, times) ||
        nobodys(program) ||
        (this.#hasOnlyCalls(hostLanes) ? this.#onlyCallsWords() : ''),
    }
  }

  #problem(
    launchesNs: Float64Array,
    hostLanes: ReadonlySet<number>,
    edgesNs: readonly number[],
    { firstUse, unrecordedWork }: ReturnType<typeof idleTimes>,
  ): string {
    const [start = 0, end = 0] = [edgesNs[0], edgesNs.at(-1)]
    const isMostly = (times: readonly Interval[]) =>
      total(intersect(times, [{ start, end }])) > MOSTLY * (end - start)
    if (this.#othersShare(launchesNs.length, hostLanes) > MOST_ELSEWHERE)
      return 'The process drives several devices, which wait for each other in ways that replaying one can’t show, so nothing is predicted.'
    if (this.#blockedShare() > MOST_BLOCKED)
      return 'Launches return only when their kernels have ended, as under CUDA_LAUNCH_BLOCKING=1, so nothing is predicted. Record without it.'
    const launched = lowerBound(launchesNs, end) - lowerBound(launchesNs, start)
    if (this.#capturedWithin(hostLanes, edgesNs) > launched)
      return 'Most launches in its steps only capture kernels into a graph, so nothing is predicted. Record a replay of the graph.'
    if (isMostly(firstUse))
      return 'Most of the file is the first use of the GPU and its libraries, which happens once, so nothing is predicted. Record after a few warm-up steps.'
    if (isMostly(unrecordedWork))
      return 'The host waits for GPU work that the file does not hold: it belongs to another process, or was launched before the file begins. Nothing is predicted.'
    return ''
  }

  #draft(
    main: NestedLane,
    lanes: readonly NestedLane[],
    edgesNs: readonly number[],
    firstNs: ReadonlyMap<number, number>,
    once: readonly Interval[],
  ): Draft {
    const [fromNs, toNs] = [edgesNs[0] ?? 0, edgesNs.at(-1) ?? 0]
    const names = this.#names
    const workOfCall = this.#workOfCall(fromNs, toNs)
    const threads = threadsOf(names, main, lanes, fromNs, toNs)
    const stretches = draftStretches(threads, edgesNs, once)
    return {
      placed: this.#placed,
      names,
      workOfCall,
      edgesNs,
      once,
      threads: threads.length,
      bareThreads: bareThreads(threads, names),
      stretches,
      backlogEndNs: this.#backlogEnd(firstNs),
      ...draftWork(this.#placed, names, workOfCall, stretches),
    }
  }

  #waitsAfter(lastLaunchNs: number, lanes: readonly NestedLane[]): readonly Interval[] {
    return lanes.flatMap(({ span, startNs, endNs }) => {
      const waits: Interval[] = []
      for (let at = span.length - 1; at >= 0 && (startNs[at] ?? 0) > lastLaunchNs; at -= 1)
        if (this.#names.kindOf(span[at] ?? -1) === 'wait')
          waits.push({ start: startNs[at] ?? 0, end: endNs[at] ?? 0 })
      return waits
    })
  }

  /** True: the file holds runtime calls alone, so it tells nothing of what comes between them. */
  /** Ascend has its runtime's calls in a process of their own. */
  #onlyCallsWords(): string {
    const hosts = this.#placed.trace.lanes.filter(({ kind }) => kind === 'host')
    return this.#hasOnlyCalls(new Set(hosts.map(({ id }) => id)))
      ? 'On the host, the file records only runtime calls (cudaLaunchKernel and the like), so nothing is predicted. Record with ProfilerActivity.CPU too. Where another thread launches, start the profiler there, or pass experimental_config=torch._C._profiler._ExperimentalConfig(profile_all_threads=True).'
      : 'The file holds operators and launches in two processes, and not which belong together, so nothing is predicted.'
  }

  #hasOnlyCalls(hostLanes: ReadonlySet<number>): boolean {
    const { lane, length } = this.#placed.trace.spans
    const isRuntime = this.#names.asked(isCall)
    for (let span = 0; span < length; span += 1)
      if (hostLanes.has(lane[span] ?? -1) && !isRuntime(span)) return false
    return true
  }

  /** Calls by which a kernel is captured into a graph, and not run. */
  #capturedWithin(hostLanes: ReadonlySet<number>, edgesNs: readonly number[]): number {
    const { trace, startNs } = this.#placed
    const { lane, role, length } = trace.spans
    const brings = this.#names.asked(
      (name) => callRowOf(name)?.use === 'launch' && callRowOf(name)?.brings === 'one',
    )
    const [fromNs, toNs] = [edgesNs[0] ?? 0, edgesNs.at(-1) ?? 0]
    let captured = 0
    for (let span = 0; span < length; span += 1) {
      if (role[span] === LAUNCH || !hostLanes.has(lane[span] ?? -1) || !brings(span)) continue
      const calledNs = startNs[span] ?? 0
      if (calledNs >= fromNs && calledNs < toNs) captured += 1
    }
    return captured
  }

  /** Calls that brought work to the device, by start. */
  #launches(): Int32Array {
    const { startNs } = this.#placed
    const calls = new Set(this.#own.map((span) => this.#callOf(span)))
    calls.delete(-1)
    return Int32Array.from(calls).sort((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0) || a - b)
  }

  /** Work of other devices that these threads launched, over the launches for this one. */
  #othersShare(launches: number, hostLanes: ReadonlySet<number>): number {
    const { lane, kind, length } = this.#placed.trace.spans
    let others = 0
    for (let span = 0; span < length; span += 1) {
      const call = this.#calls[span] ?? -1
      if (call < 0 || kind[span] !== COMPUTE || this.#isOwnLane[lane[span] ?? -1] === 1) continue
      if (hostLanes.has(lane[call] ?? -1)) others += 1
    }
    return others / launches
  }

  /**
   * Share of kernels that had ended when their launch returned, or of their time that lies within
   * it: clocks may be some µs apart. 0 of a few.
   */
  #blockedShare(): number {
    const { trace, startNs, endNs } = this.#placed
    const isLaunched = (span: number) => trace.spans.kind[span] === COMPUTE && this.#callOf(span) >= 0
    const kernels = this.#own.filter(isLaunched)
    if (kernels.length < LEAST_KERNELS) return 0
    let [ended, withinNs, allNs] = [0, 0, 0]
    for (const span of kernels) {
      const [begin, end] = [startNs[span] ?? 0, endNs[span] ?? 0]
      const [called, returned] = [startNs[this.#callOf(span)] ?? 0, endNs[this.#callOf(span)] ?? 0]
      if (returned >= end) ended += 1
      withinNs += Math.max(0, Math.min(end, returned) - Math.max(begin, called))
      allNs += end - begin
    }
    return Math.max(ended / kernels.length, allNs > 0 ? withinNs / allNs : 0)
  }

  /** Work by its call, of calls within these times, each by start. */
  #workOfCall(fromNs: number, toNs: number): ReadonlyMap<number, readonly number[]> {
    const { startNs } = this.#placed
    const workOf = new Map<number, number[]>()
    for (const span of this.#own) {
      const calledNs = startNs[this.#callOf(span)] ?? -Infinity
      if (calledNs >= fromNs && calledNs < toNs) addTo(workOf, this.#callOf(span), span)
    }
    for (const list of workOf.values())
      if (list.length > 1) list.sort((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0))
    return workOf
  }

  /**
   * By lane: when its first work began whose call is known. What was launched before the recording
   * comes before that.
   */
  #firstKnown(): ReadonlyMap<number, number> {
    const { trace, startNs } = this.#placed
    const firstNs = new Map<number, number>()
    for (const span of this.#own) {
      if (this.#callOf(span) < 0) continue
      const on = trace.spans.lane[span] ?? -1
      firstNs.set(on, Math.min(startNs[span] ?? Infinity, firstNs.get(on) ?? Infinity))
    }
    return firstNs
  }

  #backlogEnd(firstNs: ReadonlyMap<number, number>): number {
    const { trace, startNs, endNs } = this.#placed
    let lastNs = -Infinity
    for (const span of this.#own)
      if ((startNs[span] ?? 0) < (firstNs.get(trace.spans.lane[span] ?? -1) ?? -Infinity))
        lastNs = Math.max(lastNs, endNs[span] ?? -Infinity)
    return lastNs
  }

  #unlinkedShare({ edgesNs, streams }: Draft, firstNs: ReadonlyMap<number, number>): number {
    const { trace, startNs, endNs } = this.#placed
    const { lane, kind } = trace.spans
    const [from, to] = [edgesNs[0] ?? 0, edgesNs.at(-1) ?? 0]
    let [unlinked, all] = [0, 0]
    for (const span of this.#own) {
      if (kind[span] !== COMPUTE && kind[span] !== COLLECTIVE) continue
      const on = lane[span] ?? -1
      const start = startNs[span] ?? 0
      if (!streams.has(on) || start < Math.max(from, firstNs.get(on) ?? 0) || start >= to) continue
      const ns = (endNs[span] ?? 0) - start
      all += ns
      if (this.#callOf(span) < 0) unlinked += ns
    }
    return all > 0 ? unlinked / all : 0
  }
}

/** A sentence where the host’s time may be the recording’s own, and not the program’s. */
function nobodys({ stretches, stepEndsNs, startNs, endNs }: Program): string {
  if (stepEndsNs.length > 1) return ''
  let unrecordedNs = 0
  for (const { thread, isUnrecorded, lengthNs } of stretches)
    if (thread === MAIN_THREAD && isUnrecorded) unrecordedNs += lengthNs
  return unrecordedNs > MOSTLY * (endNs - startNs)
    ? 'For most of its time the file records nothing that the host did, and nothing in it repeats: the pause may come from the recording itself. Nothing is predicted. Record several steps.'
    : ''
}

export const programOf = (
  { work, edgesNs, threads, streams }: Draft,
  { stretches, chains }: Pick<Program, 'stretches' | 'chains'>,
): Program => ({
  stretches,
  work,
  threads,
  streams: streams.size,
  startNs: edgesNs[0] ?? 0,
  endNs: edgesNs.at(-1) ?? 0,
  stepEndsNs: edgesNs.slice(1),
  chains,
})

function bareThreads(threads: readonly (readonly Part[])[], names: SpanNames): ReadonlySet<number> {
  const isCallOnly = names.asked(isCall)
  const bare = threads.map((parts) =>
    parts.every(({ lane, at }) => at < 0 || isCallOnly(lane.span[at] ?? -1)),
  )
  return new Set(bare.flatMap((isBare, thread) => (isBare ? [thread] : [])))
}

/** The last steps of the file, without a first one that warms up. */
function chosen(edgesNs: readonly number[], main: NestedLane): readonly number[] {
  let edges = edgesNs
  const [first = 0, ...others] = edges.slice(1).map((end, index) => end - (edges[index] ?? 0))
  const usual = orderStatistic(others, 0.5, Infinity)
  if (others.length >= 2 && first > WARM_UP * usual) edges = edges.slice(1)
  const perStep = main.span.length / Math.max(1, edgesNs.length - 1)
  const fitting = Math.floor(MOST_STRETCHES / Math.max(1, perStep))
  const most = Math.max(2, Math.min(MOST_STEPS, fitting))
  return edges.length - 1 > most ? edges.slice(-most - 1) : edges
}

/** Without the first and last steps that launch nothing, as where recording was switched off. */
function withLaunches(edgesNs: readonly number[], launchesNs: Float64Array): readonly number[] {
  const has = edgesNs
    .slice(1)
    .map((end, index) => lowerBound(launchesNs, edgesNs[index] ?? 0) < lowerBound(launchesNs, end))
  const [first, last] = [has.indexOf(true), has.lastIndexOf(true)]
  return first < 0 ? [] : edgesNs.slice(first, last + 2)
}

/** A single step begins when the work of the steps before it had ended. */
export function recordedEnds({
  edgesNs,
  work,
  backlogEndNs,
}: Pick<Draft, 'edgesNs' | 'work' | 'backlogEndNs'>): number[] {
  let [next, lastNs] = [0, -Infinity]
  const [edgeNs = 0] = edgesNs
  const fromNs = edgesNs.length === 2 ? Math.max(edgeNs, backlogEndNs) : edgeNs
  return edgesNs.slice(1).map((edgeNs) => {
    for (; next < work.length && (work[next]?.callNs ?? Infinity) < edgeNs; next += 1)
      lastNs = Math.max(lastNs, work[next]?.endNs ?? 0)
    return Math.max(edgeNs, lastNs) - fromNs
  })
}
