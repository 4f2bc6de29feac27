/**
 * Splits a device's extent, from its first work to its last: work (kernels, memsets, copies within
 * the device), collectives alone (if ranks are joined, waiting for the last of them apart), copies
 * from or to the host alone, idle. Each moment belongs to one of them, in that order. If launches
 * without a record lie between two kernels, it is not known what ran alone (coverage.ts). Times are
 * in the device's own ticks: no clock fit enters. Copies count if a profiler saw them; those that
 * the lab brackets by passes are upper bounds, and WebGPU has one queue.
 */
import { SpanNames, PAGEABLE, SMALL_BYTES } from './replay/span-names'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, SPAN_SOURCES } from '../trace/schema'
import type { LaunchRecords } from './coverage'
import { intersect, subtract, total, union } from './intervals'
import type { Interval } from './types'

const COMPUTE = SPAN_KINDS.indexOf('compute')
const TRANSFER = SPAN_KINDS.indexOf('transfer')
const COLLECTIVE = SPAN_KINDS.indexOf('collective')
const IMPORTED = SPAN_SOURCES.indexOf('imported')

const HOST_COPY = /^Memcpy (?:HtoD|DtoH)\b/

export type WorkKind = 'work' | 'collective' | 'copy' | 'pageable-copy'

/** Tells the kind of a device's span: a copy by its name, which is asked once. */
export class DeviceWork {
  readonly #placed: PlacedTrace
  readonly #isCopy: (span: number) => boolean
  readonly #isPageable: (span: number) => boolean

  constructor(placed: PlacedTrace) {
    const names = new SpanNames(placed.trace)
    this.#placed = placed
    this.#isCopy = names.matching(HOST_COPY)
    this.#isPageable = names.matching(PAGEABLE)
  }

  /** Null for what is no work. */
  kindOf(span: number): WorkKind | null {
    const { spans } = this.#placed.trace
    const kind = spans.kind[span]
    if (kind === COLLECTIVE) return 'collective'
    if (kind !== COMPUTE && kind !== TRANSFER) return null
    if (spans.source[span] !== IMPORTED) return 'work'
    if (!this.#isCopy(span)) return 'work'
    return this.#isPageable(span) && (spans.bytes[span] ?? Infinity) > SMALL_BYTES ? 'pageable-copy' : 'copy'
  }
}

/** Time of the device that one kind had alone. */
export interface AloneTime {
  /** Disjoint, by start, device ticks. */
  readonly alone: readonly Interval[]
  readonly ns: number
}

export interface DeviceTime {
  readonly workNs: number
  readonly copies: AloneTime
  /** Waiting for the last rank apart. */
  readonly collectives: AloneTime
  /** Collectives until the last rank came: known if ranks are joined. */
  readonly waits: AloneTime
  /** Copies of pageable memory; and, between the first work and the last, those of other memory. */
  readonly pageable: AloneTime
  readonly lone: AloneTime
  /**
   * Copies and collectives that may have run beside work which is not in the file: they are in none
   * of the above.
   */
  readonly unsureNs: number
}

const time = (alone: readonly Interval[]): AloneTime => ({ alone, ns: total(alone) })

const NO_TIME: AloneTime = { alone: [], ns: 0 }

/**
 * `spans`: of one device, in any order; `waits`: of kind 'collective-wait'; `busyNs`: the union of
 * the former (devices.ts).
 */
export function deviceTime(
  placed: PlacedTrace,
  { work, records }: { readonly work: DeviceWork; readonly records: LaunchRecords },
  spans: readonly number[],
  waits: readonly number[],
  busyNs: number,
): DeviceTime {
  const { start, end } = placed.trace.spans
  // Most devices of 10^6 spans copy little or nothing: then there is nothing to take apart.
  if (spans.every((span) => work.kindOf(span) === 'work'))
    return {
      workNs: busyNs,
      copies: NO_TIME,
      collectives: NO_TIME,
      waits: NO_TIME,
      pageable: NO_TIME,
      lone: NO_TIME,
      unsureNs: 0,
    }
  const of: Record<WorkKind, Interval[]> = { work: [], collective: [], copy: [], 'pageable-copy': [] }
  for (const span of spans) {
    const kind = work.kindOf(span)
    if (kind) of[kind].push({ start: start[span] ?? 0, end: end[span] ?? 0 })
  }
  const busy = union(of.work)
  const { spans: columns, lanes } = placed.trace
  // Profiles have one axis: what is of the host's is of the device's.
  const unsure = records.of(lanes[columns.lane[spans[0] ?? -1] ?? -1]?.group ?? '').windows
  const sure = (alone: readonly Interval[]) => (unsure.length > 0 ? subtract(alone, unsure) : alone)
  const collectives = union(of.collective)
  const others = collectives.length > 0 ? union([...busy, ...collectives]) : busy
  const alone = subtract(collectives, busy)
  const waiting = union(waits.map((span) => ({ start: start[span] ?? 0, end: end[span] ?? 0 })))
  const pageable = subtract(union(of['pageable-copy']), others)
  const pinned = subtract(union(of.copy), pageable.length > 0 ? union([...others, ...pageable]) : others)
  // A copy before the first kernel or after the last has nothing to run beside.
  const between = { start: busy[0]?.start ?? 0, end: busy.at(-1)?.end ?? 0 }
  const [known, copies] = [sure(alone), union([...sure(pageable), ...sure(pinned)])]
  return {
    workNs: total(busy),
    collectives: time(subtract(known, waiting)),
    waits: time(intersect(known, waiting)),
    copies: time(copies),
    pageable: time(sure(pageable)),
    lone: time(intersect(sure(pinned), between.end > between.start ? [between] : [])),
    unsureNs: total(alone) + total(pageable) + total(pinned) - total(known) - total(copies),
  }
}
