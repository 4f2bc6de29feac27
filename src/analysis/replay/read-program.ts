/** Reads a profile as a program (program.ts). What the file does not name is inferred from record order and observed starts. */
import { LaunchRecords } from '../coverage'
import { lowerBound } from '../../base/search'
import { IndexedSet } from '../intervals'
import { profilerTimes } from '../profiler-times'
import { pythonFrame } from '../host-stacks'
import type { PlacedTrace } from '../../trace/place'
import { FLOW_KINDS, SPAN_KINDS, SPAN_ROLES } from '../../trace/schema'
import { nameKindOf, type Cause, type NameKind } from './causes'
import { nest, partsOf, type NestedLane, type Part } from './host-stretches'
import type { Program, Stretch, Work } from './program'
import { findSteps, type Steps } from './steps'

const [LAUNCH, WINDOW, OTHER] = [
  SPAN_ROLES.indexOf('launch'),
  SPAN_KINDS.indexOf('window'),
  SPAN_KINDS.indexOf('other'),
]
const COMPUTE = SPAN_KINDS.indexOf('compute')
const COLLECTIVE = SPAN_KINDS.indexOf('collective')
const SYNC = FLOW_KINDS.indexOf('sync')
const D2H = /^Memcpy DtoH/
const PAGEABLE = /^Memcpy (?:HtoD|DtoH) \([^)]*Pageable/
/** Up to this size a copy's cost is that of its call, whatever its memory. */
const SMALL_BYTES = 64 * 1024
const FRONT_END_CODE =
  /^nn\.Module|^torch[/\\](?:nn|optim|_tensor|autograd|_ops|cuda|utils[/\\]_|_dynamo|_compile)/
const PINNED_COPY = /^Memcpy (?:HtoD|DtoH) \((?:Pinned|Device -> Pinned)/
const CALLBACK = /^HostNode\b|host_?func/i
const LIBRARY_CODE =
  /(?:^|[/\\])(?:site-packages|dist-packages|lib[/\\]python\d[\d.]*)[/\\]|^(?:torch|torchvision|torchaudio|numpy|triton|multiprocessing|concurrent|asyncio|importlib|json|logging)[/\\]|^(?:threading|contextlib|functools|runpy|queue|selectors|socket|pickle|copyreg|random|typing|abc|enum|warnings|os|_weakrefset|weakref|inspect|collections[/\\]__init__)\.py$|^<frozen |^<string>/

/** At most this many stretches are replayed: a few steps tell as much as thousands. */
const MOST_STRETCHES = 60_000
const MOST_STEPS = 64
/** A first step that is longer than the others by this loads libraries and starts the profiler. */
const WARM_UP = 1.5
/** A thread that works while the main one does, for more of its time than this, is one beside it. */
const BESIDE = 0.02
/** Host time of a wait for something that has ended: PyTorch's synchronize calls take 2 to 5 µs then. */
const CALL_NS = 3_000
/** What PyTorch's front end takes in Python between two operators, under the profiler. */
const FRONT_END_NS = 50_000
/** Launches in flight that are fewer than this fill no queue; CUDA's holds about 1,000. */
const FULL_QUEUE = 500
const LATE_NS = 20_000
/** No code that was asked for: ids begin at 0, and -1 is none. */
const NOT_ASKED = -2
/** Calls that neither launch nor wait take some µs: a longer one sets up CUDA, as the first of a process does. */
const SET_UP_NS = 1_000_000
/** Host time of DataLoader's `__next__` for a batch that is there: 50 to 100 µs. */
const TAKES_BATCH_NS = 100_000
/** A pause of Python's garbage collector takes 2 to 300 ms. */
const LONG_PAUSE_NS = 2_000_000

export interface ReadProgram {
  readonly program: Program
  readonly steps: Steps
  /** All that the file marks; the program holds at most MOST_STEPS of them. */
  readonly stepCount: number
  /** Of the steps in the program, from the program's start: when host and device had done each, ns. */
  readonly recordedEndsNs: readonly number[]
  /** Of the device's time in the steps, work that no call is known to have launched. */
  readonly unlinkedShare: number
}

const quantile = (values: readonly number[], share: number, none: number): number => {
  if (values.length === 0) return none
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? none
}

/** @param device group of its lanes; a sentence comes back where the file can't be read as a program */
export function readProgram(
  placed: PlacedTrace,
  device: string,
  records = new LaunchRecords(placed),
): ReadProgram | string {
  return new Reader(placed, device, records).read()
}

/** One thread's parts, and the lane that each lies in. */
interface ThreadPart extends Part {
  readonly lane: NestedLane
}

class Reader {
  readonly #placed: PlacedTrace
  readonly #device: string
  readonly #calls: Int32Array
  readonly #kinds: NameKind[] = []
  readonly #workOfCall = new Map<number, number[]>()
  readonly #lanes = new Map<number, NestedLane>()
  readonly #hasLaunch = new Map<number, Uint8Array>()

  constructor(placed: PlacedTrace, device: string, records: LaunchRecords) {
    this.#placed = placed
    this.#device = device
    this.#calls = records.calls
  }

  read(): ReadProgram | string {
    const { trace, startNs, lanes } = this.#placed
    const { spans } = trace
    const launches = this.#launches()
    if (launches.length === 0) return 'The file names no call that brought this device its work.'
    const counts = new Map<number, number>()
    for (const span of launches)
      counts.set(spans.lane[span] ?? -1, (counts.get(spans.lane[span] ?? -1) ?? 0) + 1)
    const busiest = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? -1
    // Threads of the process that launches: another rank in the same file has its own.
    const process = trace.lanes[busiest]?.group
    const hostLanes = new Set(
      trace.lanes.flatMap(({ id, kind, group }) => (kind === 'host' && group === process ? [id] : [])),
    )
    const steps = findSteps(this.#placed, launches, hostLanes)
    if (steps.edgesNs.length < 2) return 'The file has no step.'
    const mainLane = hostLanes.has(steps.lane) ? steps.lane : busiest
    for (const lane of lanes)
      if (lane.lane === mainLane || (counts.has(lane.lane) && hostLanes.has(lane.lane)))
        this.#lanes.set(lane.lane, nest(lane))
    for (const lane of this.#lanes.values()) this.#hasLaunch.set(lane.lane, this.#launchesWithin(lane))
    const main = this.#lanes.get(mainLane)
    if (!main) return 'No thread of the host is recorded.'
    const edgesNs = this.#chosen(
      withLaunches(
        steps.edgesNs,
        Float64Array.from(launches, (span) => startNs[span] ?? 0),
      ),
      main,
    )
    if (edgesNs.length < 2) return 'No step of the file launches anything.'
    const [fromNs, toNs] = [edgesNs[0] ?? 0, edgesNs.at(-1) ?? 0]
    this.#collectWork(fromNs, toNs)
    const threads = this.#threads(main, fromNs, toNs)
    const builder = new Builder(this.#placed, this, threads, edgesNs, this.#workOfCall)
    return {
      program: builder.build(),
      steps,
      stepCount: steps.edgesNs.length - 1,
      recordedEndsNs: builder.recordedEndsNs(),
      unlinkedShare: builder.unlinkedShare(),
    }
  }

  /** Calls that brought work to the device, by start. */
  #launches(): Int32Array {
    const { trace, startNs } = this.#placed
    const { spans } = trace
    const isCall = new Uint8Array(spans.length)
    let count = 0
    for (let span = 0; span < spans.length; span += 1) {
      const call = this.#calls[span] ?? -1
      if (call < 0 || !this.#isOwn(span) || isCall[call] === 1) continue
      isCall[call] = 1
      count += 1
    }
    const launches = new Int32Array(count)
    for (let span = 0, at = 0; span < spans.length; span += 1) if (isCall[span] === 1) launches[at++] = span
    return launches.sort((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0))
  }

  #isOwn(span: number): boolean {
    const lane = this.#placed.trace.lanes[this.#placed.trace.spans.lane[span] ?? -1]
    return lane?.kind === 'device' && lane.group === this.#device
  }

  /** Work by its call, of calls within these times. */
  #collectWork(fromNs: number, toNs: number): void {
    const { trace, startNs } = this.#placed
    for (let span = 0; span < trace.spans.length; span += 1) {
      const call = this.#calls[span] ?? -1
      if (call < 0 || !this.#isOwn(span)) continue
      const calledNs = startNs[call] ?? 0
      if (calledNs < fromNs || calledNs >= toNs) continue
      const list = this.#workOfCall.get(call)
      if (list) list.push(span)
      else this.#workOfCall.set(call, [span])
    }
    for (const list of this.#workOfCall.values()) list.sort((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0))
  }

  kindOf(name: number): NameKind {
    return (this.#kinds[name] ??= nameKindOf(this.#placed.trace.strings[name] ?? ''))
  }

  isLaunched(span: number): boolean {
    return (this.#calls[span] ?? -1) >= 0
  }

  hasLaunch(lane: NestedLane, at: number): boolean {
    return this.#hasLaunch.get(lane.lane)?.[at] === 1
  }

  #launchesWithin({ span, parent }: NestedLane): Uint8Array {
    const { role } = this.#placed.trace.spans
    const has = new Uint8Array(span.length)
    for (let at = 0; at < span.length; at += 1) {
      if (role[span[at] ?? -1] !== LAUNCH) continue
      for (let up = at; up >= 0 && has[up] === 0; up = parent[up] ?? -1) has[up] = 1
    }
    return has
  }

  /** The last steps of the file, without a first one that warms up. */
  #chosen(edgesNs: readonly number[], main: NestedLane): readonly number[] {
    let edges = edgesNs
    const lengths = edges.slice(1).map((end, index) => end - (edges[index] ?? 0))
    if (lengths.length >= 3 && (lengths[0] ?? 0) > WARM_UP * quantile(lengths.slice(1), 0.5, Infinity))
      edges = edges.slice(1)
    const perStep = main.span.length / Math.max(1, edgesNs.length - 1)
    const most = Math.max(2, Math.min(MOST_STEPS, Math.floor(MOST_STRETCHES / Math.max(1, perStep))))
    return edges.length - 1 > most ? edges.slice(-most - 1) : edges
  }

  /** The main thread with those merged that work only while it waits for them, as autograd's does; then the others. */
  #threads(main: NestedLane, fromNs: number, toNs: number): readonly ThreadPart[][] {
    let merged: ThreadPart[] = partsOf(main, fromNs, toNs).map((part) => ({ ...part, lane: main }))
    const beside: ThreadPart[][] = []
    for (const lane of this.#lanes.values()) {
      if (lane === main) continue
      const parts = partsOf(lane, fromNs, toNs).map((part) => ({ ...part, lane }))
      const active = parts.filter((part) => this.#isActive(part))
      if (active.length === 0) continue
      const activeNs = active.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)
      if (
        overlapNs(
          active,
          merged.filter((part) => this.#isActive(part)),
        ) <=
        BESIDE * activeNs
      )
        merged = overlaid(merged, active)
      else beside.push(parts)
    }
    return [merged, ...beside]
  }

  #isActive({ at, lane }: ThreadPart): boolean {
    if (at < 0) return false
    const kind = this.kindOf(this.#placed.trace.spans.name[lane.span[at] ?? -1] ?? -1)
    return kind !== 'range' && kind !== 'python' && kind !== 'framework'
  }
}

function overlapNs(a: readonly Part[], b: readonly Part[]): number {
  let [sum, j] = [0, 0]
  for (const part of a) {
    while (j < b.length && (b[j]?.endNs ?? 0) <= part.startNs) j += 1
    for (let k = j; k < b.length && (b[k]?.startNs ?? Infinity) < part.endNs; k += 1)
      sum += Math.min(part.endNs, b[k]?.endNs ?? 0) - Math.max(part.startNs, b[k]?.startNs ?? 0)
  }
  return sum
}

/** `over` where it is, `under` elsewhere; both in order. */
function overlaid(under: readonly ThreadPart[], over: readonly ThreadPart[]): ThreadPart[] {
  const out: ThreadPart[] = []
  let j = 0
  for (const part of under) {
    let clock = part.startNs
    while (j < over.length && (over[j]?.endNs ?? 0) <= clock) j += 1
    for (let k = j; k < over.length; k += 1) {
      const each = over[k]
      if (!each || each.startNs >= part.endNs) break
      if (each.startNs > clock) out.push({ ...part, startNs: clock, endNs: each.startNs })
      const startNs = Math.max(each.startNs, clock)
      const endNs = Math.min(each.endNs, part.endNs)
      if (endNs > startNs) out.push({ ...each, startNs, endNs })
      clock = Math.max(clock, endNs)
    }
    if (clock < part.endNs) out.push({ ...part, startNs: clock })
  }
  return out
}

interface OnThread {
  readonly thread: number
  readonly part: ThreadPart
}

/** In pieces, where an edge lies within it. */
function cutAt({ thread, part }: OnThread, edgesNs: readonly number[]): readonly OnThread[] {
  const cuts = edgesNs.filter((ns) => ns > part.startNs && ns < part.endNs)
  return [...cuts, part.endNs].map((endNs, index) => ({
    thread,
    part: { ...part, startNs: cuts[index - 1] ?? part.startNs, endNs },
  }))
}

/** Without the first and last steps in which nothing is launched, as where recording was switched off. */
function withLaunches(edgesNs: readonly number[], launchesNs: Float64Array): readonly number[] {
  const has = edgesNs
    .slice(1)
    .map((end, index) => lowerBound(launchesNs, edgesNs[index] ?? 0) < lowerBound(launchesNs, end))
  const [first, last] = [has.indexOf(true), has.lastIndexOf(true)]
  return first < 0 ? [] : edgesNs.slice(first, last + 2)
}

interface DraftStretch {
  thread: number
  startNs: number
  endNs: number
  lengthNs: number
  span: number
  cause: Cause | null
  code: number
  isUnrecorded: boolean
  isRead: boolean
  awaits: number[]
  noticeNs: number
  entersAfter: number
  launches: number[]
  arrivesNs: number
  isWaiting: boolean
}

interface DraftWork {
  span: number
  stream: number
  callNs: number
  startNs: number
  endNs: number
  lengthNs: number
  waitNs: number
  latencyNs: number
  pauseNs: number
  callbackNs: number
  after: number
  afterNs: number
  isRead: boolean
  bytes: number
  cause: Cause | null
  stretch: number
  call: number
  /** Declared by a wait for an event before its launch. */
  mayWait: boolean
}

class Builder {
  readonly #placed: PlacedTrace
  readonly #reader: Reader
  readonly #threads: readonly ThreadPart[][]
  readonly #edgesNs: readonly number[]
  readonly #workOfCall: ReadonlyMap<number, readonly number[]>
  #stretches: DraftStretch[] = []
  #profiler = IndexedSet.of([])
  readonly #parts: (ThreadPart | null)[] = []
  readonly #work: DraftWork[] = []
  readonly #chains: string[][] = []
  readonly #chainIds = new Map<string, number>()
  /** By lane and position. */
  readonly #codes = new Map<NestedLane, Int32Array>()
  readonly #streams = new Map<number, number>()

  constructor(
    placed: PlacedTrace,
    reader: Reader,
    threads: readonly ThreadPart[][],
    edgesNs: readonly number[],
    workOfCall: ReadonlyMap<number, readonly number[]>,
  ) {
    this.#placed = placed
    this.#reader = reader
    this.#threads = threads
    this.#edgesNs = edgesNs
    this.#workOfCall = workOfCall
  }

  build(): Program {
    this.#draft()
    this.#launch()
    this.#tieWork()
    this.#findCallbacks()
    this.#tieWaits()
    this.#classify()
    const stretches: Stretch[] = this.#stretches
    const work: Work[] = this.#work
    return {
      stretches,
      work,
      threads: this.#threads.length,
      streams: this.#streams.size,
      startNs: this.#edgesNs[0] ?? 0,
      endNs: this.#edgesNs.at(-1) ?? 0,
      stepEndsNs: this.#edgesNs.slice(1),
      mainThread: 0,
      chains: this.#chains,
    }
  }

  /** Device time in the steps whose launch is not known, over all of it. */
  unlinkedShare(): number {
    const { trace, startNs, endNs } = this.#placed
    const [from, to] = [this.#edgesNs[0] ?? 0, this.#edgesNs.at(-1) ?? 0]
    const first = this.#work.reduce((least, work) => Math.min(least, work.startNs), Infinity)
    let [unlinked, all] = [0, 0]
    for (let span = 0; span < trace.spans.length; span += 1) {
      if (!this.#streams.has(trace.spans.lane[span] ?? -1)) continue
      const kind = trace.spans.kind[span]
      if (kind !== COMPUTE && kind !== COLLECTIVE) continue
      const start = startNs[span] ?? 0
      // What was launched before the recording began ends first.
      if (start < Math.max(from, first) || start >= to) continue
      const ns = (endNs[span] ?? 0) - start
      all += ns
      if (!this.#reader.isLaunched(span)) unlinked += ns
    }
    return all > 0 ? unlinked / all : 0
  }

  recordedEndsNs(): number[] {
    let [next, lastNs] = [0, -Infinity]
    return this.#edgesNs.slice(1).map((edgeNs) => {
      for (; next < this.#work.length && (this.#work[next]?.callNs ?? Infinity) < edgeNs; next += 1)
        lastNs = Math.max(lastNs, this.#work[next]?.endNs ?? 0)
      return Math.max(edgeNs, lastNs) - (this.#edgesNs[0] ?? 0)
    })
  }

  #nameOf(span: number): string {
    const { spans, strings } = this.#placed.trace
    return strings[spans.name[span] ?? -1] ?? ''
  }

  #kindAt(lane: NestedLane, at: number): NameKind {
    const span = lane.span[at] ?? -1
    const { spans } = this.#placed.trace
    const kind = this.#reader.kindOf(spans.name[span] ?? -1)
    if (kind === 'operator' && (spans.kind[span] === WINDOW || spans.kind[span] === OTHER)) return 'range'
    return kind
  }

  /** Stretches of all threads by start, none across the end of a step. */
  #draft(): void {
    const all: { thread: number; part: ThreadPart }[] = []
    for (const [thread, parts] of this.#threads.entries()) {
      let edge = 1
      for (const part of parts) {
        let { startNs } = part
        while (edge < this.#edgesNs.length && (this.#edgesNs[edge] ?? Infinity) <= startNs) edge += 1
        for (let e = edge; e < this.#edgesNs.length && (this.#edgesNs[e] ?? Infinity) < part.endNs; e += 1) {
          const at = this.#edgesNs[e] ?? 0
          all.push({ thread, part: { ...part, startNs, endNs: at } })
          startNs = at
        }
        all.push({ thread, part: { ...part, startNs } })
      }
    }
    all.sort((a, b) => a.part.startNs - b.part.startNs)
    const profiler = profilerTimes(this.#placed)
    this.#profiler = IndexedSet.of(profiler)
    const edges = profiler.flatMap(({ start, end }) => [start, end])
    const split = edges.length === 0 ? all : all.flatMap((each) => cutAt(each, edges))
    for (const { thread, part } of split) {
      const { startNs, endNs } = part
      this.#parts.push(part)
      this.#stretches.push({
        thread,
        startNs,
        endNs,
        lengthNs: endNs - startNs,
        span: part.at < 0 ? -1 : (part.lane.span[part.at] ?? -1),
        cause: null,
        code: -1,
        isUnrecorded: false,
        isRead: false,
        awaits: [],
        noticeNs: 0,
        entersAfter: -1,
        launches: [],
        arrivesNs: -1,
        isWaiting: false,
      })
    }
  }

  #launch(): void {
    const { startNs, endNs, trace } = this.#placed
    const seen = new Set<number>()
    const waits = new Map<number, number>()
    const { collectives } = trace
    for (let row = 0; row < collectives.length; row += 1)
      if ((collectives.waitNs[row] ?? 0) > 0)
        waits.set(collectives.span[row] ?? -1, collectives.waitNs[row] ?? 0)
    let mayWait = false
    for (const [index, stretch] of this.#stretches.entries()) {
      const { span } = stretch
      if (span < 0 || seen.has(span)) continue
      const name = this.#nameOf(span)
      if (/StreamWaitEvent/.test(name)) {
        seen.add(span)
        mayWait = true
        continue
      }
      const launched = this.#workOfCall.get(span)
      if (!launched) continue
      seen.add(span)
      for (const work of launched) {
        const lane = trace.spans.lane[work] ?? -1
        let stream = this.#streams.get(lane)
        if (stream === undefined) this.#streams.set(lane, (stream = this.#streams.size))
        const begin = startNs[work] ?? 0
        const end = endNs[work] ?? 0
        stretch.launches.push(this.#work.length)
        this.#work.push({
          span: work,
          stream,
          callNs: stretch.startNs,
          startNs: begin,
          endNs: end,
          lengthNs: end - begin,
          waitNs: Math.min(end - begin, waits.get(work) ?? 0),
          latencyNs: 0,
          pauseNs: 0,
          callbackNs: 0,
          after: -1,
          afterNs: 0,
          isRead: D2H.test(this.#nameOf(work)),
          bytes: trace.spans.bytes[work] ?? Number.NaN,
          cause: null,
          stretch: index,
          call: span,
          mayWait,
        })
      }
      mayWait = false
    }
  }

  #tieWork(): void {
    const lastOn: number[] = []
    const before: number[] = []
    for (const [index, work] of this.#work.entries()) {
      before.push(lastOn[work.stream] ?? -1)
      lastOn[work.stream] = index
    }
    const freeNs = (index: number) => this.#work[before[index] ?? -1]?.endNs ?? -Infinity
    const launchNs = this.#work.map(({ startNs, callNs }) => startNs - callNs)
    const least = Math.max(0, quantile(launchNs, 0.1, 0))
    const idle: number[] = []
    const queued: number[] = []
    for (const [index, { startNs, callNs }] of this.#work.entries()) {
      const free = freeNs(index)
      if (free <= callNs) idle.push(startNs - callNs)
      else if (free > callNs + least) queued.push(startNs - free)
    }
    const latency = Math.max(least, quantile(idle, 0.5, least))
    const pause = Math.max(0, quantile(queued, 0.5, 1_000))
    const last = new Map<number, number>()
    for (const [index, work] of this.#work.entries()) {
      const free = freeNs(index)
      const { startNs, callNs } = work
      const sinceCall = startNs - callNs
      const sinceFree = startNs - free
      const inGraph = this.#work[before[index] ?? -1]?.call === work.call
      const isQueued = free > callNs + least || inGraph
      const readyNs = Math.max(callNs + latency, free)
      const other = this.#dependency(index, last, readyNs)
      const endedNs = this.#work[other]?.endNs ?? -Infinity
      // It waited for that work, if nothing else kept it longer.
      const isExplained = other >= 0 && endedNs > readyNs
      if (other >= 0) {
        work.after = other
        work.afterNs = isExplained ? startNs - endedNs : Math.min(pause, startNs - endedNs)
      }
      work.latencyNs = isQueued || isExplained ? Math.min(latency, sinceCall) : sinceCall
      work.pauseNs = Number.isFinite(sinceFree)
        ? isQueued && !isExplained
          ? sinceFree
          : Math.min(pause, sinceFree)
        : 0
      last.set(work.stream, index)
    }
  }

  /** Callbacks of the host stand on the device's lane, between the kernels of a graph. */
  #findCallbacks(): void {
    const { trace, startNs, endNs } = this.#placed
    const callbacks = new Map<number, number[]>()
    for (let span = 0; span < trace.spans.length; span += 1) {
      const stream = this.#streams.get(trace.spans.lane[span] ?? -1)
      if (stream === undefined || !CALLBACK.test(this.#nameOf(span))) continue
      const list = callbacks.get(stream)
      if (list) list.push(span)
      else callbacks.set(stream, [span])
    }
    if (callbacks.size === 0) return
    for (const work of this.#work)
      for (const span of callbacks.get(work.stream) ?? []) {
        const from = Math.max(startNs[span] ?? 0, work.startNs - work.pauseNs)
        const to = Math.min(endNs[span] ?? 0, work.startNs)
        if (to > from) work.callbackNs += to - from
      }
  }

  /** The work of another stream whose end let this one begin: declared by a wait for an event, or seen by its start. */
  #dependency(index: number, last: ReadonlyMap<number, number>, readyNs: number): number {
    const work = this.#work[index]
    if (!work) return -1
    let [found, foundNs] = [-1, -Infinity]
    for (const [stream, other] of last) {
      if (stream === work.stream) continue
      const endNs = this.#work[other]?.endNs ?? Infinity
      if (endNs > work.startNs) continue
      const isSeen = work.startNs - readyNs > LATE_NS && work.startNs - endNs < LATE_NS
      if ((work.mayWait || isSeen) && endNs > foundNs) [found, foundNs] = [other, endNs]
    }
    return found
  }

  #tieWaits(): void {
    const { trace, startNs, endNs } = this.#placed
    const explicit = new Map<number, number>()
    const indexOf = new Map(this.#work.map(({ span }, index) => [span, index]))
    for (let flow = 0; flow < trace.flows.length; flow += 1) {
      if (trace.flows.kind[flow] !== SYNC) continue
      const index = indexOf.get(trace.flows.from[flow] ?? -1)
      if (index !== undefined) explicit.set(trace.flows.to[flow] ?? -1, index)
    }
    const notices: number[] = []
    const open: number[] = []
    const lastOn = new Map<number, number>()
    const lastBy: number[] = []
    const recordedBy: number[] = []
    const launchLengths: number[] = []
    const seen = new Set<number>()
    const done = (stretch: DraftStretch) => {
      for (const work of stretch.launches) {
        lastOn.set(this.#work[work]?.stream ?? 0, work)
        lastBy[stretch.thread] = work
      }
      if (stretch.launches.length > 0) launchLengths.push(stretch.lengthNs)
    }
    for (const [index, stretch] of this.#stretches.entries()) {
      const { span, thread } = stretch
      if (span < 0 || seen.has(span)) {
        done(stretch)
        continue
      }
      const name = this.#nameOf(span)
      const calledNs = startNs[span] ?? 0
      const returnedNs = endNs[span] ?? 0
      let awaits: number[] = []
      const kind = this.#reader.kindOf(trace.spans.name[span] ?? -1)
      if (kind === 'wait') {
        const known = explicit.get(span)
        if (/Device|Ctx|Thread/.test(name)) awaits = [...lastOn.values()]
        else if (known !== undefined) awaits = [known]
        else if (name.includes('Event'))
          awaits = this.#eventWork(recordedBy[thread] ?? lastBy[thread] ?? -1, calledNs, returnedNs)
        else awaits = (lastBy[thread] ?? -1) >= 0 ? [lastBy[thread] ?? -1] : []
      } else if (kind === 'allocation' && /Free|Unmap|Release/.test(name)) {
        awaits = [...lastOn.values()]
      } else if (stretch.launches.length === 1) {
        const [own = -1] = stretch.launches
        const work = this.#work[own]
        const copy = work ? this.#nameOf(work.span) : ''
        const isPageable = /Pageable/.test(copy)
        if (work && isPageable && work.endNs > calledNs && work.endNs <= returnedNs + LATE_NS)
          if (D2H.test(copy) || work.lengthNs >= (returnedNs - calledNs) / 2) awaits = [own]
      }
      if (/EventRecord/.test(name)) recordedBy[thread] = lastBy[thread] ?? -1
      if (awaits.length > 0) {
        seen.add(span)
        const endedNs = Math.max(...awaits.map((work) => this.#work[work]?.endNs ?? -Infinity))
        if (endedNs > returnedNs + LATE_NS) awaits = []
        const isWaiting = awaits.length > 0 && endedNs > calledNs
        stretch.awaits = awaits
        stretch.isWaiting = isWaiting
        if (isWaiting) {
          stretch.noticeNs = returnedNs - endedNs
          const isFree = kind === 'allocation'
          stretch.lengthNs = Math.min(
            stretch.lengthNs,
            isFree ? Math.max(CALL_NS, stretch.noticeNs) : CALL_NS,
          )
          if (kind === 'wait') notices.push(stretch.noticeNs)
        } else open.push(index)
      } else if (stretch.launches.length > 0 && launchLengths.length > 10) {
        // A launch that is held until the device has begun earlier work.
        const first = stretch.launches[0] ?? 0
        const usual =
          stretch.lengthNs > 2 * LATE_NS ? quantile(launchLengths.slice(-100), 0.5, CALL_NS) : Infinity
        if (stretch.lengthNs > 10 * usual) {
          const entered = this.#lastBegun(first, stretch.endNs)
          if (first - entered >= FULL_QUEUE && entered >= 0) {
            stretch.entersAfter = entered
            stretch.noticeNs = stretch.endNs - (this.#work[entered]?.startNs ?? 0)
            stretch.lengthNs = usual
            stretch.isWaiting = true
          }
        }
      }
      done(stretch)
    }
    const notice = quantile(notices, 0.5, CALL_NS)
    for (const index of open) {
      const stretch = this.#stretches[index]
      if (stretch) stretch.noticeNs = notice
    }
  }

  #lastBegun(before: number, timeNs: number): number {
    for (let at = before - 1; at >= 0; at -= 1) if ((this.#work[at]?.startNs ?? Infinity) <= timeNs) return at
    return -1
  }

  /** What an event stands for: the work before its record, or what ended as the wait did. */
  #eventWork(recorded: number, calledNs: number, returnedNs: number): number[] {
    const endedNs = this.#work[recorded]?.endNs ?? Infinity
    if (endedNs <= returnedNs + CALL_NS) return [recorded]
    let [found, foundNs] = [-1, -Infinity]
    for (let at = Math.min(recorded, this.#work.length - 1); at >= 0 && at > recorded - 4096; at -= 1) {
      const { endNs = Infinity } = this.#work[at] ?? {}
      if (endNs <= returnedNs + CALL_NS && endNs > foundNs) [found, foundNs] = [at, endNs]
    }
    void calledNs
    return found >= 0 ? [found] : []
  }

  // ── causes ────────────────────────────────────────────────────────────────────────────────────

  #classify(): void {
    const blanks: number[] = []
    const loader: { index: number; lengthNs: number }[] = []
    for (const [index, stretch] of this.#stretches.entries()) {
      const part = this.#parts[index]
      if (!part) continue
      const lengthNs = stretch.endNs - stretch.startNs
      if (this.#profiler.totalWithin(stretch.startNs, stretch.endNs) > lengthNs / 2) continue
      const { cause, isBlank, isArrival, isRead } = this.#causeOf(stretch, part)
      stretch.cause = cause
      stretch.code = this.#codeOf(part)
      stretch.isRead = isRead ?? false
      if (isBlank) blanks.push(index)
      if (isArrival) loader.push({ index, lengthNs: stretch.lengthNs })
    }
    // A loader's other processes make the batch: asked for in vain, it comes when it came.
    const least = loader.reduce((min, { lengthNs }) => Math.min(min, lengthNs), Infinity)
    for (const { index, lengthNs } of loader) {
      const stretch = this.#stretches[index]
      if (!stretch || lengthNs <= TAKES_BATCH_NS) continue
      stretch.arrivesNs = stretch.endNs
      stretch.lengthNs = Math.min(TAKES_BATCH_NS, least)
    }
    const computing = new Set(
      this.#work
        .filter(({ span }) => this.#placed.trace.spans.kind[span] === COMPUTE)
        .map(({ stream }) => stream),
    )
    for (const work of this.#work) {
      const stretch = this.#stretches[work.stretch]
      const name = this.#nameOf(work.span)
      if (stretch?.cause === 'pageable-copies' && name.startsWith('Memcpy')) work.cause = 'pageable-copies'
      else if (stretch?.cause === 'read-back' && work.isRead) work.cause = 'read-back'
      else if (PAGEABLE.test(name) && !D2H.test(name)) work.cause = 'pageable-copies'
      else if (this.#placed.trace.spans.kind[work.span] === COLLECTIVE) work.cause = 'collectives'
      else if (PINNED_COPY.test(name) && computing.has(work.stream)) work.cause = 'copies-in-line'
      work.isRead ||= stretch?.isRead === true
    }
    this.#shareBlanks(blanks)
  }

  #causeOf(
    stretch: DraftStretch,
    { at, lane }: ThreadPart,
  ): { cause: Cause | null; isBlank?: boolean; isArrival?: boolean; isRead?: boolean } {
    let [read, operator, top, python, framework, optimizer] = [-1, -1, -1, -1, -1, -1]
    let wait = false
    let call = false
    let heavy = false
    for (let up = at; up >= 0; up = lane.parent[up] ?? -1) {
      switch (this.#kindAt(lane, up)) {
        case 'loader': {
          const isArrival = up === at && /MultiProcessing/.test(this.#nameOf(lane.span[up] ?? -1))
          return { cause: 'data-loading', isArrival }
        }
        case 'allocation':
          return { cause: 'allocation' }
        case 'wait':
          wait = true
          break
        case 'call':
          call = true
          break
        case 'read-operator':
          if (read < 0) read = up
          if (operator < 0) operator = up
          heavy = true
          top = up
          break
        case 'operator':
          if (operator < 0) operator = up
          heavy = true
          top = up
          break
        case 'front-end':
          if (operator < 0) operator = up
          top = up
          break
        case 'python':
          if (python < 0) python = up
          break
        case 'framework':
          if (framework < 0 && python < 0 && operator < 0) framework = up
          break
        case 'optimizer':
          optimizer = up
          break
        case 'range':
          break
      }
    }
    const isRead = read >= 0
    const copies = this.#copyBehind(stretch, wait)
    if (wait || (call && copies !== null)) {
      if (copies === 'from-host') return { cause: 'pageable-copies', isRead }
      if (copies === 'large-to-host') return { cause: 'pageable-copies', isRead: true }
      if (copies === 'to-host' || (wait && isRead)) return { cause: 'read-back', isRead: true }
      return { cause: 'synchronize' }
    }
    if (stretch.entersAfter >= 0) return { cause: null }
    const isReadOnly = isRead && this.#isReadOnly(lane, read)
    if (call && stretch.launches.length === 0 && stretch.lengthNs > SET_UP_NS) return { cause: null }
    if (call) return { cause: isReadOnly ? 'read-back' : 'dispatch', isRead }
    if (operator >= 0) {
      if (isReadOnly) return { cause: 'read-back', isRead }
      return { cause: !heavy || this.#reader.hasLaunch(lane, top) ? 'dispatch' : 'host-code', isRead }
    }
    if (optimizer >= 0) return { cause: 'dispatch' }
    if (framework >= 0) {
      const name = this.#nameOf(lane.span[framework] ?? -1)
      if (this.#reader.hasLaunch(lane, framework) || FRONT_END_CODE.test(name)) return { cause: 'dispatch' }
    }
    // A function that launches nothing is no front end of what it launches.
    if (python >= 0 && !this.#reader.hasLaunch(lane, python)) return { cause: 'host-code' }
    return { cause: framework >= 0 || python >= 0 ? 'host-code' : 'unknown', isBlank: true }
  }

  /** Which way the bytes went that this call copies, or waits for. */
  #copyBehind(stretch: DraftStretch, isWait: boolean): 'from-host' | 'to-host' | 'large-to-host' | null {
    const [index = -1] = isWait ? (stretch.awaits.length === 1 ? stretch.awaits : []) : stretch.launches
    const work = this.#work[index]
    if (!work) return null
    // A wait that follows later in the program is one of its own.
    if (isWait && stretch.startNs - (this.#placed.endNs[work.call] ?? 0) > LATE_NS) return null
    const name = this.#nameOf(work.span)
    if (D2H.test(name)) return PAGEABLE.test(name) && work.bytes > SMALL_BYTES ? 'large-to-host' : 'to-host'
    if (name.startsWith('Memcpy HtoD') && (isWait || PAGEABLE.test(name))) return 'from-host'
    return null
  }

  /** `.item()`, `.cpu()`: the operator waits or copies to the host, and launches no kernel. */
  #isReadOnly(lane: NestedLane, at: number): boolean {
    const endNs = lane.endNs[at] ?? 0
    let reads = false
    for (let child = at; child < lane.span.length && (lane.startNs[child] ?? Infinity) < endNs; child += 1) {
      const span = lane.span[child] ?? -1
      if (this.#reader.kindOf(this.#placed.trace.spans.name[span] ?? -1) === 'wait') reads = true
      for (const work of this.#workOfCall.get(span) ?? []) {
        if (!D2H.test(this.#nameOf(work))) return false
        reads = true
      }
    }
    return reads
  }

  /** The reader's own functions around a part, as an index into `chains`; -1 where none is recorded. */
  #codeOf({ at, lane }: ThreadPart): number {
    if (at < 0) return -1
    let known = this.#codes.get(lane)
    if (!known) this.#codes.set(lane, (known = new Int32Array(lane.span.length).fill(NOT_ASKED)))
    const found = known[at] ?? NOT_ASKED
    if (found !== NOT_ASKED) return found
    const above = this.#codeOf({ at: lane.parent[at] ?? -1, lane, startNs: 0, endNs: 0 })
    const own = this.#ownFunction(lane, at)
    return (known[at] = own === null ? above : this.#chainOf(own, above))
  }

  #ownFunction(lane: NestedLane, at: number): string | null {
    if (this.#kindAt(lane, at) !== 'python') return null
    const name = this.#nameOf(lane.span[at] ?? -1)
    const frame = pythonFrame(name)
    return frame && !LIBRARY_CODE.test(frame.file) ? name : null
  }

  #chainOf(name: string, above: number): number {
    const key = `${String(above)} ${name}`
    let id = this.#chainIds.get(key)
    if (id === undefined)
      this.#chainIds.set(key, (id = this.#chains.push([name, ...(this.#chains[above] ?? [])]) - 1))
    return id
  }

  /**
   * Between two operators PyTorch's front end needs some µs of Python: that much of a pause is
   * dispatch. The rest is the reader's code where it comes in most steps or has a function; a pause
   * that comes once has no name.
   */
  #shareBlanks(blanks: readonly number[]): void {
    const steps = this.#edgesNs.length - 1
    const stepOf = (timeNs: number) => {
      let step = 0
      while (step < steps - 1 && (this.#edgesNs[step + 1] ?? Infinity) <= timeNs) step += 1
      return step
    }
    const keyOf = (index: number) => {
      const around = (by: 1 | -1) => {
        for (let at = index + by; at >= 0 && at < this.#stretches.length; at += by) {
          const other = this.#stretches[at]
          if (other && other.span >= 0 && this.#placed.trace.spans.kind[other.span] !== WINDOW)
            return this.#nameOf(other.span)
        }
        return ''
      }
      return `${around(-1)} ${around(1)}`
    }
    const slots = new Map<string, { step: number; lengthNs: number }[]>()
    const long: { index: number; key: string }[] = []
    for (const index of blanks) {
      const stretch = this.#stretches[index]
      if (!stretch) continue
      if (stretch.lengthNs <= FRONT_END_NS) {
        stretch.cause = 'dispatch'
        continue
      }
      const key = keyOf(index)
      const list = slots.get(key) ?? []
      slots.set(key, list)
      list.push({ step: stepOf(stretch.startNs), lengthNs: stretch.lengthNs })
      long.push({ index, key })
    }
    const rests = new Map<number, DraftStretch>()
    for (const { index, key } of long) {
      const stretch = this.#stretches[index]
      if (!stretch) continue
      const like = (slots.get(key) ?? []).filter(({ lengthNs }) => lengthNs >= stretch.lengthNs / 4)
      const isUsual = new Set(like.map(({ step }) => step)).size >= Math.max(2, steps / 2)
      // Once and many times longer than elsewhere: the function was interrupted.
      const isPause = !isUsual && steps >= 3 && stretch.lengthNs > LONG_PAUSE_NS
      const rest: DraftStretch = {
        ...stretch,
        startNs: stretch.startNs + FRONT_END_NS,
        lengthNs: stretch.lengthNs - FRONT_END_NS,
        launches: [],
        isUnrecorded: stretch.code < 0 || isPause,
        cause: (stretch.code >= 0 && !isPause) || isUsual ? 'host-code' : 'unknown',
      }
      stretch.endNs = rest.startNs
      stretch.lengthNs = FRONT_END_NS
      stretch.cause = 'dispatch'
      rests.set(index, rest)
    }
    if (rests.size === 0) return
    const all = this.#stretches.flatMap((stretch, index) => {
      const rest = rests.get(index)
      return rest ? [stretch, rest] : [stretch]
    })
    // Of threads side by side, a rest may begin after another thread's next stretch.
    if (this.#threads.length > 1) all.sort((a, b) => a.startNs - b.startNs)
    this.#stretches = all
  }
}
