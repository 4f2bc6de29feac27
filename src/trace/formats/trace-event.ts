/**
 * Trace Event JSON, as Perfetto and chrome://tracing both read it. Written by a generator, event by
 * event: a large trace streams, and never exists as one object.
 *
 * Times in µs with three decimals (whole ns), from the file's zero; the origin stands in
 * `metadata`. Each measured device pass is an 'X' of category 'device' with its variant, repeat,
 * step, submission, role, the line of the program that made the call, raw ticks and the uncertainty
 * of its place; passes that sized the work, warmed up or probed the clock are 'device-setup', so
 * that no sum over 'device' counts them. The brackets that tie a device's clock stand once in
 * `metadata`: with the raw ticks each edge gets its own bound back (import/lab-file.ts);
 * `uncertainty_us`, the wider of a span's two, is for other readers. How overlapping spans are kept
 * within the format's rules and how arrows bind is told in slices.ts.
 */
import { collectiveOfSpan } from '../collectives'
import { bindingSnapshots, hostBand } from '../clock'
import { encodeParts, gzipParts } from '../gzip'
import { edgeBoundNs, placeTrace, type PlacedTrace } from '../place'
import type { Report } from '../report'
import { REPEAT_NONE, SPAN_ROLES, SPAN_SOURCES, TRACE_VERSION, type Trace } from '../schema'
import { instantNs, layOut, PROCESSES, type Layout, type Slice, arrows } from './slices'

export const TRACE_EVENT_SCHEMA = 'host-device-lab/trace-event@1'

/** What is undefined is not written: JSON leaves it out. */
type Arguments = Readonly<Record<string, string | number | boolean | undefined>>
interface TraceEvent {
  readonly ph: 'X' | 'b' | 'e' | 'i' | 'C' | 's' | 'f' | 'M'
  readonly name: string
  readonly cat?: string
  readonly pid: number
  readonly tid: number
  /** µs. */
  readonly ts?: number
  readonly dur?: number
  readonly id?: number | string
  readonly s?: 't'
  readonly bp?: 'e'
  readonly args?: Arguments
}

const EVENTS_PER_PART = 10_000
const us = (timeNs: number): number => timeNs / 1e3

/** The whole file in parts of some 10,000 events each; joined they are JSON. */
export function* traceEventParts(trace: Trace, report: Report | null = null): Generator<string, void> {
  const placed = placeTrace(trace)
  const layout = layOut(placed)
  const flows = arrows(trace, layout)
  const metadata = describe(placed, layout, flows.leftOut, report)
  let part = `{"displayTimeUnit":"ns","metadata":${JSON.stringify(metadata)},"traceEvents":[`
  let count = 0
  for (const event of traceEvents(placed, layout, flows)) {
    part += `${count === 0 ? '' : ','}\n${JSON.stringify(event)}`
    count += 1
    if (count % EVENTS_PER_PART > 0) continue
    yield part
    part = ''
  }
  yield `${part}\n]}\n`
}

/** The same, gzipped as it is written: `.json.gz` opens in both viewers too. */
export function traceEventGzip(trace: Trace, report: Report | null = null): Promise<Uint8Array<ArrayBuffer>> {
  return gzipParts(encodeParts(traceEventParts(trace, report)))
}

function* traceEvents(
  placed: PlacedTrace,
  layout: Layout,
  flows: ReturnType<typeof arrows>,
): Generator<TraceEvent, void> {
  yield* nameEvents(layout)
  for (const slices of layout.slices.values())
    for (const slice of slices) yield* sliceEvents(placed, layout, slice)
  yield* instantEvents(placed, layout)
  yield* counterEvents(placed.trace, layout)
  for (const { id, kind, from, to } of flows.arrows) {
    const common = { name: kind, cat: kind, id }
    yield { ph: 's', ...common, pid: from.pid, tid: from.tid, ts: us(from.timeNs) }
    yield { ph: 'f', bp: 'e', ...common, pid: to.pid, tid: to.tid, ts: us(to.timeNs) }
  }
}

function* nameEvents({ threads }: Layout): Generator<TraceEvent, void> {
  for (const [index, { name }] of PROCESSES.entries()) {
    const pid = index + 1
    if (!threads.some((thread) => thread.pid === pid)) continue
    yield { ph: 'M', name: 'process_name', pid, tid: 1, args: { name } }
    yield { ph: 'M', name: 'process_sort_index', pid, tid: 1, args: { sort_index: pid } }
  }
  for (const { pid, tid, name, group, laneKind } of threads) {
    // Readers of the format know processes and threads only: which lanes are of one device, or one
    // rank, stands beside the name.
    const args = { name, group: group === laneKind ? undefined : group }
    yield { ph: 'M', name: 'thread_name', pid, tid, args }
    yield { ph: 'M', name: 'thread_sort_index', pid, tid, args: { sort_index: tid } }
  }
}

function* sliceEvents(placed: PlacedTrace, layout: Layout, slice: Slice): Generator<TraceEvent, void> {
  const { trace } = placed
  const { span, kind, pid, tid, startNs, endNs } = slice
  const name = trace.strings[trace.spans.name[span] ?? -1] ?? ''
  const isPass = kind === 'compute' && layout.threads.find((at) => at.pid === pid)?.laneKind === 'device'
  const common = { name: name === '' ? kind : name, cat: isPass ? passCategory(trace, span) : kind, pid, tid }
  const args = argumentsOf(placed, span)
  if (!slice.isAsync) {
    yield { ph: 'X', ...common, ts: us(startNs), dur: us(endNs - startNs), args }
    return
  }
  // Unique: an id that comes back while open would mix two intervals up.
  const id = `0x${(span + 1).toString(16)}`
  yield { ph: 'b', ...common, id, ts: us(startNs), args }
  yield { ph: 'e', ...common, id, ts: us(endNs) }
}

const passCategory = ({ spans }: Trace, span: number): string =>
  (spans.repeat[span] ?? -1) >= 0 ? 'device' : 'device-setup'

function argumentsOf(placed: PlacedTrace, span: number): Arguments {
  const { trace } = placed
  const { spans, strings, lanes, clocks } = trace
  const clock = clocks[lanes[spans.lane[span] ?? -1]?.clock ?? -1]
  const isOnDevice = clock?.kind === 'device'
  const source = SPAN_SOURCES[spans.source[span] ?? -1]
  const role = SPAN_ROLES[spans.role[span] ?? -1]
  const atLeast = (least: number, value = Number.NaN) => (value >= least ? value : undefined)
  const repeat = spans.repeat[span]
  const boundNs = Math.max(...edgeBoundNs(placed, span, 'start'), ...edgeBoundNs(placed, span, 'end'))
  return {
    variant: strings[spans.variant[span] ?? -1],
    repeat: repeat === REPEAT_NONE ? undefined : repeat,
    step: atLeast(0, spans.step[span]),
    submission: atLeast(0, spans.submission[span]),
    role: role === 'none' ? undefined : role,
    line: atLeast(1, spans.line[span]),
    uncertainty_us: Math.ceil(boundNs) / 1e3,
    source: source === 'measured' ? undefined : source,
    bytes: atLeast(-Infinity, spans.bytes[span]),
    flops: atLeast(-Infinity, spans.flops[span]),
    clock: isOnDevice ? 'query' : undefined,
    begin_ns: isOnDevice ? rawTick(clock.originTick, spans.start[span] ?? 0) : undefined,
    end_ns: isOnDevice ? rawTick(clock.originTick, spans.end[span] ?? 0) : undefined,
    ...collectiveArguments(trace, span),
  }
}

/**
 * Under torch.profiler's own names, and two of the lab's: what ranks that were joined know of it.
 */
function collectiveArguments(trace: Trace, span: number): Arguments {
  const found = collectiveOfSpan(trace, span)
  if (!found) return {}
  const { operation, group, ranks, dtype, groupSize, peer, sequence, elementsIn, elementsOut } = found
  const { match, waitNs } = found
  return {
    'Collective name': operation,
    'In msg nelems': elementsIn,
    'Out msg nelems': elementsOut,
    dtype,
    'Group size': groupSize,
    'Process Group Name': group,
    'Process Group Ranks': ranks,
    Seq: sequence,
    [operation === 'recv' ? 'Src Rank' : 'Dst Rank']: peer,
    match,
    wait_us: waitNs === undefined ? undefined : waitNs / 1e3,
  }
}

/** As the device gave it: a u64, which no JSON number holds. */
const rawTick = (originTick: string, tick: number): string =>
  String(BigInt(originTick) + BigInt(Math.round(tick)))

function* instantEvents(placed: PlacedTrace, { threadOfLane, zeroNs }: Layout): Generator<TraceEvent, void> {
  const { instants, strings, clocks, lanes } = placed.trace
  for (let row = 0; row < instants.length; row += 1) {
    const thread = threadOfLane[instants.lane[row] ?? -1]
    const timeNs = instantNs(placed, row)
    if (!thread || Number.isNaN(timeNs)) continue
    const submission = instants.submission[row] ?? -1
    const clock = clocks[lanes[thread.lane]?.clock ?? -1]
    const isOnDevice = clock?.kind === 'device'
    const args = {
      submission: submission >= 0 ? submission : undefined,
      clock: isOnDevice ? 'query' : undefined,
      at_ns: isOnDevice ? rawTick(clock.originTick, instants.time[row] ?? 0) : undefined,
    }
    yield {
      ph: 'i',
      s: 't',
      name: strings[instants.name[row] ?? -1] || 'instant', // an event must have a name
      cat: thread.laneKind,
      pid: thread.pid,
      tid: thread.tid,
      ts: us(Math.round(timeNs - zeroNs)),
      args,
    }
  }
}

function* counterEvents(trace: Trace, { threadOfLane, zeroNs }: Layout): Generator<TraceEvent, void> {
  for (const { name, unit, lane, length, timeNs, value } of trace.counters) {
    const thread = threadOfLane[lane]
    if (!thread) continue
    const { pid, tid } = thread
    const key = unit === '' ? 'value' : unit
    for (let row = 0; row < length; row += 1) {
      const ts = us(Math.round((timeNs[row] ?? 0) - zeroNs))
      yield { ph: 'C', name: name === '' ? 'counter' : name, pid, tid, ts, args: { [key]: value[row] ?? 0 } }
    }
  }
}

/**
 * Where the run is from, what it found of itself, how well the clocks are tied together, and what
 * this file leaves out.
 */
function describe(placed: PlacedTrace, layout: Layout, flowsLeftOut: number, report: Report | null) {
  const { info, clocks, lanes, rejected, snapshots } = placed.trace
  const hostStepNs = clocks.find((clock) => clock.kind === 'host')?.stepNs ?? 0
  const threadsOf = (clock: number) =>
    layout.threads
      .filter(({ laneKind, lane }) => laneKind === 'device' && lanes[lane]?.clock === clock)
      .map(({ pid, tid }) => ({ pid, tid }))
  return {
    schema: TRACE_EVENT_SCHEMA,
    /** Of the trace format. */
    traceVersion: TRACE_VERSION,
    tool: 'Host/Device Lab',
    ...info,
    hostOriginMs: clocks.find((clock) => clock.kind === 'host')?.originMs ?? null,
    zeroNs: layout.zeroNs,
    clocks: clocks.map(({ kind, name, stepNs, originTick }, index) => {
      const fit = placed.fits[index]
      if (kind === 'host') return { kind, name, stepNs }
      if (!fit) return { kind, name, stepNs, originTick, problem: placed.fitProblems[index] ?? null }
      const [lowNs, highNs] = hostBand(fit, fit.centreTick)
      return {
        kind,
        name,
        stepNs,
        originTick,
        boundUs: (highNs - lowNs) / 2 / 1e3,
        /**
         * Those of the snapshots that the fit rests on, and the threads whose raw ticks it places.
         */
        brackets: bindingSnapshots(index, snapshots, { hostStepNs, deviceStepNs: stepNs }).map(
          ({ clock: _, ...bracket }) => bracket,
        ),
        threads: threadsOf(index),
      }
    }),
    rejected,
    leftOut: { flows: flowsLeftOut, unplacedSpans: layout.unplacedSpans },
    validity: report?.validity,
    verdict: report?.verdict,
    verification: report?.verification,
  }
}
