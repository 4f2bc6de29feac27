/**
 * Which device work a waiting call waited for (as HTA, Holistic Trace Analysis, draws it): a device
 * or context wait for the last work of all streams, a stream's for the last of that stream, an
 * event's for the work launched before the event was recorded. No edge where the file does not say
 * which stream or event, or where the work had ended before the call began: then the call did not
 * wait for it.
 */
import { addTo } from '../../../base/lists'
import { upperBound } from '../../../base/search'

/** Work of devices, by row of the file. */
export interface DeviceWork {
  readonly rows: number[]
  /** Text numbers; device and stream together name a queue. */
  readonly device: Uint32Array
  readonly stream: Uint32Array
  readonly endNs: (row: number) => number
  /** Of the call that caused it; −∞ where none is known. */
  readonly calledNs: (row: number) => number
}

export interface Wait {
  readonly startNs: number
  readonly endNs: number
  readonly device: number
  /** Null: every stream of the device. */
  readonly stream: number | null
  /**
   * Work launched later than this is not waited for: the call's own start, or that of the event's
   * record.
   */
  readonly launchedBeforeNs: number
}

/**
 * How far back to look for work that was launched before the wait began: later launches of other
 * threads lie between.
 */
const LOOK_BACK = 256

const STREAMS = 2 ** 26
/** All streams of a device together stand before the first of them. */
const queueKey = (device: number, stream: number | null): number => device * STREAMS + (stream ?? -1) + 1

export class SyncEdges {
  readonly #boundNs: number
  readonly #queues = new Map<number, Queue>()
  /** Where there is one only; else null. */
  readonly onlyDevice: number | null
  readonly onlyStream: number | null

  /** `boundNs`: how far device times may lie off the host's. */
  constructor(work: DeviceWork, boundNs: number) {
    this.#boundNs = boundNs
    const { rows, device, stream } = work
    const queues = new Map<number, number[]>()
    for (const row of rows) {
      addTo(queues, queueKey(device[row] ?? 0, null), row)
      addTo(queues, queueKey(device[row] ?? 0, stream[row] ?? 0), row)
    }
    for (const [key, list] of queues) this.#queues.set(key, new Queue(list, work))
    // A queue for each device, and one for each of its streams.
    const [first = -1] = rows
    this.onlyDevice = rows.every((row) => device[row] === device[first]) ? (device[first] ?? null) : null
    this.onlyStream = queues.size === 2 ? (stream[first] ?? null) : null
  }

  /** The row of the work that ended the wait; null where none did. */
  find(wait: Wait): number | null {
    return this.#queues.get(queueKey(wait.device, wait.stream))?.lastFor(wait, this.#boundNs) ?? null
  }
}

class Queue {
  readonly #rows: readonly number[]
  readonly #work: DeviceWork
  readonly #ends: Float64Array

  constructor(rows: number[], work: DeviceWork) {
    const { endNs } = work
    this.#rows = rows.sort((a, b) => endNs(a) - endNs(b))
    this.#work = work
    this.#ends = Float64Array.from(rows, endNs)
  }

  lastFor({ startNs, endNs, launchedBeforeNs }: Wait, boundNs: number): number | null {
    const last = upperBound(this.#ends, endNs + boundNs) - 1
    for (let at = last; at >= 0 && at > last - LOOK_BACK; at -= 1) {
      if ((this.#ends[at] ?? 0) <= startNs - boundNs) return null
      const row = this.#rows[at] ?? -1
      if (this.#work.calledNs(row) <= launchedBeforeNs) return row
    }
    return null
  }
}
