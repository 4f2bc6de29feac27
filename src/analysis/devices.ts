/**
 * What any trace says of its devices, live, recorded or imported alike: how busy, which copies, where it was idle and why.
 *
 * A device is the device lanes of one group. Busy is the union of its kernels (passes), copies, memsets and collectives over all its
 * lanes; work is the union without the collectives, in which a device may do no more than wait for another rank. Both from the first begin to the last end of the whole trace: of a live run that is warm-up and probes too, unlike device-windows.ts, which
 * asks for one repeat. Lengths are in the device's own ticks; gaps are placed on the host's axis where the clocks could be fitted.
 */
import { collectiveOfSpan } from '../trace/collectives'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, SPAN_SOURCES, type SpanColumns } from '../trace/schema'
import { GapEvidence } from './gap-evidence'
import { GAP_CAUSES } from './gap-questions'
import { GapTable } from './gap-table'
import type { GapCause, Interval } from './types'

export interface DeviceGap {
  readonly beginUs: number
  readonly endUs: number
  readonly cause: GapCause
  readonly evidence: string
  /** Spans (trace indices): the work on both sides, and what the evidence rests on. */
  readonly before: number
  readonly after: number
  readonly spans: readonly number[]
}

export interface CopyTotal {
  /** 'HtoD pageable', 'DtoH pinned', 'memset'…; of the lab's own traces 'copy, bracketed by passes' (its time an upper bound). */
  readonly kind: string
  readonly count: number
  /** Null where no copy of the kind says its size. */
  readonly bytes: number | null
  /** Union of their times. */
  readonly busyUs: number
  /** bytes over their union: GB/s (1e9). Null where either is not known. */
  readonly gbPerS: number | null
}

export interface CollectiveTotal {
  /** As the file names it: 'allreduce'. */
  readonly operation: string
  readonly count: number
  /** Of the messages; null where none says its size. */
  readonly bytes: number | null
  /** Union of their times, waiting for other ranks in it. */
  readonly us: number
}

export interface DeviceSummary {
  readonly id: string
  readonly name: string
  readonly lanes: readonly string[]
  /** Kernels, copies, memsets and collectives. */
  readonly spans: number
  readonly busyUs: number
  readonly spanUs: number
  /** Null where there is no work, or none that lasted. */
  readonly busyRatio: number | null
  /** Union of what is no collective. */
  readonly workUs: number
  /** workUs / spanUs; null as busyRatio is. */
  readonly workRatio: number | null
  /** Union of the collectives: busy, and not all of it work. */
  readonly collectiveUs: number
  /** By operation, in the order of their first. */
  readonly collectives: readonly CollectiveTotal[]
  /** Times of gaps: the host's axis, or, where the device's clock could not be tied to it, the device's own. */
  readonly axis: 'host' | 'device'
  readonly gaps: readonly DeviceGap[]
  readonly copies: readonly CopyTotal[]
  readonly totals: Readonly<Record<GapCause, { readonly count: number; readonly us: number }>>
}

const COMPUTE = SPAN_KINDS.indexOf('compute')
const TRANSFER = SPAN_KINDS.indexOf('transfer')
const COLLECTIVE = SPAN_KINDS.indexOf('collective')
const IMPORTED = SPAN_SOURCES.indexOf('imported')

export function summariseDevices(placed: PlacedTrace): readonly DeviceSummary[] {
  const { lanes, spans, info } = placed.trace
  const groups = new Map<string, number[]>()
  for (const lane of lanes) {
    if (lane.kind !== 'device') continue
    const list = groups.get(lane.group)
    if (list) list.push(lane.id)
    else groups.set(lane.group, [lane.id])
  }
  if (groups.size === 0) return []
  const workOf = new Map<number, number[]>([...groups.values()].flat().map((lane) => [lane, []]))
  for (let span = 0; span < spans.length; span += 1) {
    const kind = spans.kind[span]
    if (kind === COMPUTE || kind === TRANSFER || kind === COLLECTIVE)
      workOf.get(spans.lane[span] ?? -1)?.push(span)
  }
  const evidence = new GapEvidence(placed)
  return [...groups].map(([id, laneIds]) => {
    const said = info.derived[id]
    return summarise(placed, evidence, {
      id,
      name: typeof said === 'string' ? said : ((info.adapter?.description || info.adapter?.device) ?? id),
      laneIds,
      work: laneIds.flatMap((lane) => workOf.get(lane) ?? []),
    })
  })
}

/** A row of a table as a device's gap; as TableGap, for the same reason. */
class NamedGap implements DeviceGap {
  readonly #table: GapTable
  readonly #row: number
  constructor(table: GapTable, row: number) {
    this.#table = table
    this.#row = row
  }
  get beginUs(): number {
    return this.#table.start(this.#row) / 1e3
  }
  /** By its length: that is exact in ticks, whatever the fit. */
  get endUs(): number {
    return this.beginUs + this.#table.length(this.#row) / 1e3
  }
  get before(): number {
    return this.#table.before(this.#row)
  }
  get after(): number {
    return this.#table.after(this.#row)
  }
  get cause(): GapCause {
    return this.#table.cause(this.#row)
  }
  get spans(): readonly number[] {
    return this.#table.spans(this.#row)
  }
  get evidence(): string {
    return this.#table.evidence(this.#row)
  }
}

interface Device {
  readonly id: string
  readonly name: string
  readonly laneIds: readonly number[]
  readonly work: readonly number[]
}

function summarise(placed: PlacedTrace, evidence: GapEvidence, device: Device): DeviceSummary {
  const { trace, fits } = placed
  const { spans, lanes, clocks } = trace
  const begin = (span: number) => spans.start[span] ?? 0
  const end = (span: number) => spans.end[span] ?? 0
  const sorted = inOrder(device.work, (a, b) => begin(a) - begin(b) || end(a) - end(b) || a - b)
  const firstNs = sorted.length > 0 ? begin(sorted[0] ?? -1) : 0
  const lastNs = sorted.reduce((last, span) => Math.max(last, end(span)), firstNs)
  const busyNs = coveredNs(spans, sorted)
  const communication = sorted.filter((span) => spans.kind[span] === COLLECTIVE)
  const workNs =
    communication.length === 0
      ? busyNs
      : coveredNs(
          spans,
          sorted.filter((span) => spans.kind[span] !== COLLECTIVE),
        )
  const ratio = (ns: number) => (lastNs > firstNs ? ns / (lastNs - firstNs) : null)
  const clock = lanes[device.laneIds[0] ?? -1]?.clock ?? -1
  const fit = fits[clock]
  const isOnHost = clocks[clock]?.kind === 'host' || Boolean(fit)
  const middle = (clocks[clock]?.stepNs ?? 0) / 2
  const place = (tick: number) => (fit ? fit.toHostNs(tick + middle) : tick)
  const table = new GapTable(trace, evidence)
  const gaps: DeviceGap[] = []
  for (const { before, after, start, end: stop } of idleOf(placed, sorted)) {
    const onHost = isOnHost
      ? { start: place(start), end: place(stop) }
      : { start: Number.NaN, end: Number.NaN }
    gaps.push(new NamedGap(table, table.add({ before, after, onHost, onDevice: { start, end: stop } })))
  }
  return {
    id: device.id,
    name: device.name,
    lanes: device.laneIds.map((lane) => lanes[lane]?.name ?? ''),
    spans: sorted.length,
    busyUs: busyNs / 1e3,
    spanUs: (lastNs - firstNs) / 1e3,
    busyRatio: ratio(busyNs),
    workUs: workNs / 1e3,
    workRatio: ratio(workNs),
    collectiveUs: coveredNs(spans, communication) / 1e3,
    collectives: collectivesOf(placed, communication),
    axis: isOnHost ? 'host' : 'device',
    gaps,
    copies: copiesOf(placed, sorted),
    totals: totalsOf(gaps),
  }
}

/** A copy, sorted; what is in order already, as a recorded lane is, costs one look. */
function inOrder(values: readonly number[], compare: (a: number, b: number) => number): readonly number[] {
  const isSorted = values.every(
    (value, index) => index === 0 || compare(values[index - 1] ?? value, value) <= 0,
  )
  return isSorted ? values : [...values].sort(compare)
}

/** Length of the union of spans that come by start. */
function coveredNs({ start, end }: SpanColumns, sorted: readonly number[]): number {
  let [sum, lastEnd] = [0, -Infinity]
  for (const span of sorted) {
    const [from, to] = [start[span] ?? 0, end[span] ?? 0]
    if (to <= lastEnd) continue
    sum += to - Math.max(from, lastEnd)
    lastEnd = to
  }
  return sum
}

interface Idle extends Interval {
  readonly before: number
  readonly after: number
}

/**
 * Stretches that no work covers. On both sides stands the work that ended last before and begins first after; copies that were only
 * bracketed by passes are no events of their own, so there it is the pass before and after, as in gaps.ts.
 */
function* idleOf({ trace: { spans } }: PlacedTrace, sorted: readonly number[]): Generator<Idle> {
  const isEvent = (span: number) => spans.kind[span] === COMPUTE || spans.source[span] === IMPORTED
  const nextEvent = new Int32Array(sorted.length).fill(-1)
  for (let index = sorted.length - 1, next = -1; index >= 0; index -= 1) {
    if (isEvent(sorted[index] ?? -1)) next = sorted[index] ?? -1
    nextEvent[index] = next
  }
  let [lastEnd, before, beforeEnd] = [Infinity, -1, -Infinity]
  for (const [index, span] of sorted.entries()) {
    const [start, end] = [spans.start[span] ?? 0, spans.end[span] ?? 0]
    const after = nextEvent[index] ?? -1
    if (start > lastEnd && before >= 0 && after >= 0) yield { start: lastEnd, end: start, before, after }
    lastEnd = lastEnd === Infinity ? end : Math.max(lastEnd, end)
    if (isEvent(span) && end >= beforeEnd) [before, beforeEnd] = [span, end]
  }
}

function totalsOf(gaps: readonly DeviceGap[]): DeviceSummary['totals'] {
  const totals = Object.fromEntries(GAP_CAUSES.map((cause) => [cause, { count: 0, us: 0 }]))
  for (const { cause, beginUs, endUs } of gaps) {
    const sum = totals[cause]
    if (!sum) continue
    sum.count += 1
    sum.us += endUs - beginUs
  }
  return totals as DeviceSummary['totals'] // one entry for each of GAP_CAUSES
}

/** 'Memcpy HtoD (Pinned -> Device)' -> 'HtoD pinned'. Of other names the name. */
export function copyKind(name: string, isImported: boolean): string {
  if (!isImported) return 'copy, bracketed by passes'
  if (/^memset/i.test(name)) return 'memset'
  const [, direction, from, to] = /^Memcpy (\w+) \((\w+) -> (\w+)\)/.exec(name) ?? []
  if (!direction) return name
  const memory = [from, to].find((side) => side !== 'Device')
  return memory ? `${direction} ${memory.toLowerCase()}` : direction
}

function collectivesOf({ trace }: PlacedTrace, sorted: readonly number[]): readonly CollectiveTotal[] {
  const byOperation = new Map<string, number[]>()
  for (const span of sorted) {
    const operation = collectiveOfSpan(trace, span)?.operation ?? ''
    const list = byOperation.get(operation)
    if (list) list.push(span)
    else byOperation.set(operation, [span])
  }
  return Array.from(byOperation, ([operation, list]) => ({
    operation,
    count: list.length,
    bytes: bytesOf(trace.spans, list).total,
    us: coveredNs(trace.spans, list) / 1e3,
  }))
}

/** Null where none says its size. */
function bytesOf({ bytes }: SpanColumns, list: readonly number[]) {
  const sizes = list.map((span) => bytes[span] ?? Number.NaN).filter((size) => !Number.isNaN(size))
  const total = sizes.length > 0 ? sizes.reduce((sum, size) => sum + size, 0) : null
  return { total, known: sizes.length }
}

function copiesOf(
  { trace: { spans, strings } }: PlacedTrace,
  sorted: readonly number[],
): readonly CopyTotal[] {
  const byKind = new Map<string, number[]>()
  for (const span of sorted) {
    if (spans.kind[span] !== TRANSFER) continue
    const kind = copyKind(strings[spans.name[span] ?? -1] ?? '', spans.source[span] === IMPORTED)
    const list = byKind.get(kind)
    if (list) list.push(span)
    else byKind.set(kind, [span])
  }
  return Array.from(byKind, ([kind, list]) => {
    const { total: bytes, known } = bytesOf(spans, list)
    const busyNs = coveredNs(spans, list)
    // Only where each says its size: else bytes and time are not of the same copies.
    const gbPerS = bytes !== null && known === list.length && busyNs > 0 ? bytes / busyNs : null
    return { kind, count: list.length, bytes, busyUs: busyNs / 1e3, gbPerS }
  })
}
