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
  readonly rows: readonly number[]
  /** Text numbers; device and stream together name a queue. */
  readonly deviceOf: (row: number) => number
  readonly streamOf: (row: number) => number
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
    const { rows, deviceOf, streamOf } = work
    const byDevice = new Map<number, Map<number, number[]>>()
    for (const row of rows) {
      const device = deviceOf(row)
      const streams = byDevice.get(device) ?? new Map<number, number[]>()
      byDevice.set(device, streams)
      addTo(streams, streamOf(row), row)
    }
    for (const [device, streams] of byDevice) {
      const queues = Array.from(streams, ([stream, list]) => {
        const queue = new Queue(list, work)
        this.#queues.set(queueKey(device, stream), queue)
        return queue
      })
      const [only] = queues
      const whole =
        queues.length === 1 && only
          ? only
          : new Queue(
              rows.filter((row) => deviceOf(row) === device),
              work,
            )
      this.#queues.set(queueKey(device, null), whole)
    }
    const [device, ...devices] = byDevice.keys()
    this.onlyDevice = device !== undefined && devices.length === 0 ? device : null
    // A queue for the device, and one for its stream.
    const [first] = rows
    this.onlyStream = this.#queues.size === 2 && first !== undefined ? streamOf(first) : null
  }

  /** The row of the work that ended the wait; null where none did. */
  find(wait: Wait): number | null {
    return this.#queues.get(queueKey(wait.device, wait.stream))?.lastFor(wait, this.#boundNs) ?? null
  }
}

class Queue {
  readonly #rows: Uint32Array
  readonly #work: DeviceWork
  readonly #ends: Float64Array

  /** `rows` get sorted. */
  constructor(rows: number[], work: DeviceWork) {
    const { endNs } = work
    this.#rows = Uint32Array.from(rows.sort((a, b) => endNs(a) - endNs(b)))
    this.#work = work
    this.#ends = Float64Array.from(this.#rows, endNs)
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
