/**
 * What torch.profiler's categories become, and the arrows between calls and work: launches by
 * correlation, waits by what they waited for.
 */
import type { TraceBuilder } from '../../builder'
import type { SpanKind } from '../../schema'
import * as category from '../../vendors'
import type { Correlations } from './correlations'
import type { EventFile } from './event-file'
import { upperBound } from '../../../base/search'

export function kindOfCategory(group: number): SpanKind {
  switch (group) {
    case category.KERNEL:
      return 'compute'
    case category.COPY:
    case category.MEMSET:
      return 'transfer'
    case category.OPERATOR:
      return 'host-work'
    default:
      return 'other'
  }
}

export function kindOfCall(use: category.CallUse, isCause: boolean): SpanKind {
  if (use === 'launch') return 'submit'
  if (use.startsWith('wait-') || use === 'blocking-copy') return 'host-wait'
  return isCause ? 'submit' : 'host-work'
}

/** @param spanOf −1: it is not drawn */
export function addKinetoFlows(
  file: EventFile,
  joins: Correlations,
  spanOf: (row: number) => number,
  out: TraceBuilder,
): void {
  const { events, texts } = file
  const { columns } = events
  const useOfName = texts.asked(category.callUseOf)
  const useOf = (call: number) => useOfName(columns.name[call] ?? 0)
  const edges = new SyncEdges(file, joins)
  joins.workRows.forEach((row) => {
    const to = spanOf(row)
    if (to < 0) return
    edges.add(row)
    const call = joins.calls[columns.key[row] ?? 0] ?? -1
    const from = call < 0 ? -1 : spanOf(call)
    if (from < 0) return
    out.addFlow(from, to, 'submit')
    if (useOf(call) === 'blocking-copy' && events.endNsOf(row) <= events.endNsOf(call) + joins.leadNs)
      out.addFlow(to, from, 'sync')
  })
  const addWait = (row: number, use: category.CallUse): void => {
    const span = spanOf(row)
    if (span < 0) return
    const said = joins.waits.get(columns.key[row] ?? 0)
    const device = said?.device ?? edges.onlyDevice
    const stream = use === 'wait-device' ? null : said && said.stream !== 0 ? said.stream : edges.onlyStream
    const record = said ? (joins.calls[said.record] ?? -1) : -1
    // Which device, stream or event it was the file does not say: no arrow.
    if (device === null || (use !== 'wait-device' && stream === null)) return
    if (use === 'wait-event' && record < 0) return
    const launchedBeforeNs = events.nsOf(use === 'wait-event' ? record : row)
    const found = edges.find(row, device, stream, launchedBeforeNs)
    if (found !== null) out.addFlow(spanOf(found), span, 'sync')
  }
  joins.callRows.forEach((row) => {
    const use = useOf(row)
    if (WAITS.has(use)) addWait(row, use)
  })
}
const WAITS: ReadonlySet<category.CallUse> = new Set(['wait-device', 'wait-stream', 'wait-event'])

/**
 * How far back to look for work that was launched before the wait began: later launches of other
 * threads lie between.
 */
const LOOK_BACK = 256

const STREAMS = 2 ** 26
/** All streams of a device together stand before the first of them. Text numbers. */
const queueKey = (device: number, stream: number | null): number => device * STREAMS + (stream ?? -1) + 1

/** Work by its end. */
interface Queue {
  readonly rows: readonly number[]
  readonly ends: Float64Array
}

/**
 * Which device work a waiting call waited for (as HTA, Holistic Trace Analysis, draws it): a device
 * or context wait for the last work of all streams, a stream's for the last of that stream, an
 * event's for the work launched before the event was recorded. No edge where the file does not say
 * which stream or event, or where the work had ended before the call began: then the call did not
 * wait for it.
 */
class SyncEdges {
  readonly #file: EventFile
  readonly #joins: Correlations
  /** Rows of work by device and stream, which are text numbers. */
  readonly #work = new Map<number, Map<number, number[]>>()
  readonly #byThread: (number[] | undefined)[] = []
  readonly #queues = new Map<number, Queue>()

  constructor(file: EventFile, joins: Correlations) {
    this.#file = file
    this.#joins = joins
  }

  /** All rows of work come before the first question. */
  add(row: number): void {
    const { events, threads } = this.#file
    const thread = events.columns.thread[row] ?? 0
    let rows = this.#byThread[thread]
    if (rows === undefined) {
      this.#byThread[thread] = rows = []
      const pid = threads.pid[thread] ?? 0
      const streams = this.#work.get(pid) ?? new Map<number, number[]>()
      this.#work.set(pid, streams.set(threads.tid[thread] ?? 0, rows))
    }
    rows.push(row)
  }

  /** Where there is one only; else null. */
  get onlyDevice(): number | null {
    const [device = null] = this.#work.keys()
    return this.#work.size === 1 ? device : null
  }

  get onlyStream(): number | null {
    return this.onlyDevice === null ? null : this.#onlyStreamOf(this.onlyDevice)
  }

  #onlyStreamOf(device: number): number | null {
    const streams = this.#work.get(device)
    const [stream = null] = streams?.keys() ?? []
    return streams?.size === 1 ? stream : null
  }

  #queueOf(device: number, wanted: number | null): Queue | null {
    const stream = wanted ?? this.#onlyStreamOf(device)
    const key = queueKey(device, stream)
    const known = this.#queues.get(key)
    if (known) return known
    const streams = this.#work.get(device) ?? new Map<number, number[]>()
    const work = stream === null ? [...streams.values()].flat() : streams.get(stream)
    if (!work) return null
    const { events } = this.#file
    const rows = work.sort((a, b) => events.endNsOf(a) - events.endNsOf(b))
    const queue = { rows, ends: Float64Array.from(rows, (row) => events.endNsOf(row)) }
    this.#queues.set(key, queue)
    return queue
  }

  /**
   * The row of the work that ended a call's wait; null where none did.
   * @param stream null: every stream of the device
   * @param launchedBeforeNs work launched later is not waited for: the call's own start, or that of
   * the event's record
   */
  find(wait: number, device: number, stream: number | null, launchedBeforeNs: number): number | null {
    const { events } = this.#file
    const { calls, leadNs } = this.#joins
    const queue = this.#queueOf(device, stream)
    if (!queue) return null
    const last = upperBound(queue.ends, events.endNsOf(wait) + leadNs) - 1
    for (let at = last; at >= 0 && at > last - LOOK_BACK; at -= 1) {
      if ((queue.ends[at] ?? 0) <= events.nsOf(wait) - leadNs) return null
      const row = queue.rows[at] ?? -1
      const call = calls[events.columns.key[row] ?? 0] ?? -1
      if (call < 0 || events.nsOf(call) <= launchedBeforeNs) return row
    }
    return null
  }
}
