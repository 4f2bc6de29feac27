/**
 * How a trace's spans become slices that obey Trace Event's rules. Times here are whole nanoseconds
 * from the file's zero, so that what nests here nests in any reader.
 *
 * - A complete slice ('X') must nest in those of its thread. Host spans do, but for an await that
 *   other code ran into: a span that would overlap another partly becomes an async pair ('b', 'e')
 *   instead. The queue's spans overlap by nature: always async.
 * - Device passes are always 'X'. A pass may be stamped as begun while the one before still ran
 *   (Vulkan's TOP_OF_PIPE): it is drawn from the last end so far, the time it is charged with; one
 *   that ended before that has no length. The union of the slices is that of the raw stamps, and
 *   these stand in the arguments. Bracketed copies contain passes: they get a thread of their own.
 * - Device lanes of an imported trace stand on the host's clock: what another tool wrote may nest,
 *   and the part of a collective that waits
 *   does, so these are kept as host lanes are.
 * - A slice that carries a flow lasts at least 1 ns, or readers could not bind the arrow to it.
 */
import { toHostNs } from '../clock'
import type { PlacedTrace } from '../place'
import { SPAN_KINDS, type LaneKind, type SpanKind, FLOW_KINDS, type Trace } from '../schema'
import { upperBound } from '../../base/search'

export interface Slice {
  readonly span: number
  readonly kind: SpanKind
  readonly pid: number
  readonly tid: number
  readonly startNs: number
  readonly endNs: number
  readonly isAsync: boolean
}

interface Thread {
  readonly pid: number
  readonly tid: number
  readonly name: string
  readonly lane: number
  readonly laneKind: LaneKind
  /** Of the lane. */
  readonly group: string
}

/** Processes in the order drawn. 0 is the idle task in some readers, so both ids count from 1. */
export const PROCESSES: readonly { readonly laneKind: LaneKind; readonly name: string }[] = [
  { laneKind: 'host', name: 'host' },
  { laneKind: 'queue', name: 'queue' },
  { laneKind: 'staging', name: 'staging ring' },
  { laneKind: 'device', name: 'device' },
  { laneKind: 'other', name: 'other' },
]

export interface Layout {
  readonly threads: readonly Thread[]
  /** By lane id: the thread of its spans. */
  readonly threadOfLane: readonly Thread[]
  /** By thread, each sorted by start, containers first. */
  readonly slices: ReadonlyMap<Thread, readonly Slice[]>
  /** Host ns of the file's zero: 0, or the earliest time where that is negative. */
  readonly zeroNs: number
  /** Spans of device lanes whose clock could not be fitted: they have no place on a common axis. */
  readonly unplacedSpans: number
}

export function layOut(placed: PlacedTrace): Layout {
  const { lanes, clocks, spans, instants, counters, flows } = placed.trace
  let zeroNs = Math.min(0, Math.floor(placed.startOfAllNs))
  for (let row = 0; row < instants.length; row += 1) {
    const timeNs = instantNs(placed, row)
    if (timeNs < zeroNs) zeroNs = Math.floor(timeNs)
  }
  for (const counter of counters)
    for (let row = 0; row < counter.length; row += 1)
      zeroNs = Math.min(zeroNs, Math.floor(counter.timeNs[row] ?? 0))
  const hasFlow = new Uint8Array(spans.length)
  for (let row = 0; row < flows.length; row += 1) {
    hasFlow[flows.from[row] ?? 0] = 1
    hasFlow[flows.to[row] ?? 0] = 1
  }

  const threads: Thread[] = []
  const countOf = new Map<number, number>()
  const threadOfLane: Thread[] = []
  const copyThreads = new Map<Thread, Thread>()
  const addThread = (name: string, lane: number): Thread => {
    const laneKind = lanes[lane]?.kind ?? 'other'
    const pid = 1 + PROCESSES.findIndex((process) => process.laneKind === laneKind)
    const tid = 1 + (countOf.get(pid) ?? 0)
    countOf.set(pid, tid)
    const thread = { pid, tid, name, lane, laneKind, group: lanes[lane]?.group ?? laneKind }
    threads.push(thread)
    return thread
  }
  const transfer = SPAN_KINDS.indexOf('transfer')
  for (const lane of lanes) threadOfLane[lane.id] = addThread(lane.name, lane.id)
  for (const lane of placed.lanes) {
    const thread = threadOfLane[lane.lane]
    if (thread?.laneKind !== 'device' || !lane.span.some((span) => spans.kind[span] === transfer)) continue
    copyThreads.set(thread, addThread(`${thread.name}: copies, bracketed by passes`, lane.lane))
  }

  const slices = new Map<Thread, Slice[]>()
  let unplacedSpans = 0
  for (let span = 0; span < spans.length; span += 1)
    if (Number.isNaN(placed.startNs[span])) unplacedSpans += 1
  for (const lane of placed.lanes) {
    const thread = threadOfLane[lane.lane]
    if (!thread) continue
    const raw = { own: [] as Slice[], copies: [] as Slice[] }
    const copies = copyThreads.get(thread) ?? thread
    for (let index = 0; index < lane.length; index += 1) {
      const span = lane.span[index] ?? 0
      const isCopy = copies !== thread && spans.kind[span] === transfer
      const { pid, tid } = isCopy ? copies : thread
      const startNs = Math.round((lane.startNs[index] ?? 0) - zeroNs)
      const endNs = Math.max(startNs + (hasFlow[span] ?? 0), Math.round((lane.endNs[index] ?? 0) - zeroNs))
      const kind = SPAN_KINDS[spans.kind[span] ?? -1] ?? 'other'
      const slice = { span, kind, pid, tid, startNs, endNs, isAsync: thread.laneKind === 'queue' }
      if (isCopy) raw.copies.push(slice)
      else raw.own.push(slice)
    }
    const isStamped = clocks[lanes[lane.lane]?.clock ?? -1]?.kind === 'device'
    const arrange = thread.laneKind === 'device' && isStamped ? inTurn : nested
    slices.set(thread, arrange(raw.own, hasFlow).sort(byStart))
    if (copies !== thread) slices.set(copies, arrange(raw.copies, hasFlow).sort(byStart))
  }
  return { threads, threadOfLane, slices, zeroNs, unplacedSpans }
}

/** Host ns of an instant; NaN on a device lane without a fit. */
export function instantNs({ trace: { instants, lanes, clocks }, fits }: PlacedTrace, row: number): number {
  const clock = lanes[instants.lane[row] ?? -1]?.clock ?? -1
  const time = instants.time[row] ?? Number.NaN
  const fit = fits[clock]
  return clocks[clock]?.kind === 'device' ? (fit ? toHostNs(fit, time) : Number.NaN) : time
}

const byStart = (a: Slice, b: Slice) => a.startNs - b.startNs || b.endNs - a.endNs || a.span - b.span

/** Device: one after the other, each from the last end so far. */
function inTurn(raw: readonly Slice[], hasFlow: Uint8Array): Slice[] {
  let lastEndNs = -Infinity
  return [...raw].sort(byStart).map((slice) => {
    const startNs = Math.min(slice.endNs, Math.max(slice.startNs, lastEndNs))
    const endNs = Math.max(slice.endNs, startNs + (hasFlow[slice.span] ?? 0))
    lastEndNs = Math.max(lastEndNs, endNs)
    return { ...slice, startNs, endNs }
  })
}

/** Host: nested where they nest, async where they do not. */
function nested(raw: readonly Slice[]): Slice[] {
  const open: number[] = []
  return [...raw].sort(byStart).map((slice) => {
    if (slice.isAsync) return slice
    while ((open.at(-1) ?? Infinity) <= slice.startNs) open.pop()
    if (slice.endNs > (open.at(-1) ?? Infinity)) return { ...slice, isAsync: true }
    open.push(slice.endNs)
    return slice
  })
}

interface FlowPoint {
  readonly pid: number
  readonly tid: number
  readonly timeNs: number
}
interface FlowArrow {
  readonly id: number
  readonly kind: string
  readonly from: FlowPoint
  readonly to: FlowPoint
}

interface ThreadSlices {
  readonly slices: readonly Slice[]
  readonly starts: Float64Array
}

/**
 * Arrows between slices as 's' and 'f' events. A reader binds each to the innermost slice of that
 * thread at its time, so: 's' at the start of its slice, 'f' (with bp 'e', 'enclosing') inside its
 * own and not before 's'. A wait begins before the pass it waits for, so its arrow arrives later
 * than its start. Where no such time exists the arrow is left out, and counted.
 */
export function arrows(
  { flows }: Trace,
  layout: Layout,
): { readonly arrows: readonly FlowArrow[]; readonly leftOut: number } {
  const homes = new Map<number, { readonly slice: Slice; readonly thread: ThreadSlices }>()
  for (const all of layout.slices.values()) {
    const slices = all.filter((slice) => !slice.isAsync)
    const thread = { slices, starts: Float64Array.from(slices, (slice) => slice.startNs) }
    for (const slice of slices) homes.set(slice.span, { slice, thread })
  }
  const found: FlowArrow[] = []
  for (let row = 0; row < flows.length; row += 1) {
    const from = homes.get(flows.from[row] ?? -1)
    const to = homes.get(flows.to[row] ?? -1)
    if (!from || !to || !isInnermost(from.thread, from.slice, from.slice.startNs)) continue
    const leaveNs = from.slice.startNs
    const arriveNs = [to.slice.startNs, leaveNs, to.slice.endNs - 1].find(
      (timeNs) => timeNs >= leaveNs && isInnermost(to.thread, to.slice, timeNs),
    )
    if (arriveNs === undefined) continue
    found.push({
      id: found.length + 1,
      kind: FLOW_KINDS[flows.kind[row] ?? -1] ?? 'flow',
      from: { pid: from.slice.pid, tid: from.slice.tid, timeNs: leaveNs },
      to: { pid: to.slice.pid, tid: to.slice.tid, timeNs: arriveNs },
    })
  }
  return { arrows: found, leftOut: flows.length - found.length }
}

/**
 * Slices nest and are sorted by start, so the last one that began and has not ended is the
 * innermost.
 */
function isInnermost({ slices, starts }: ThreadSlices, slice: Slice, timeNs: number): boolean {
  if (timeNs < slice.startNs || timeNs >= slice.endNs) return false
  for (let index = upperBound(starts, timeNs) - 1; index >= 0; index -= 1) {
    const candidate = slices[index]
    if (candidate && timeNs < candidate.endNs) return candidate === slice
  }
  return false
}
