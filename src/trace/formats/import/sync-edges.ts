/**
 * Which device work a waiting call waited for (as HTA, Holistic Trace Analysis, draws it): a device
 * or context wait for the last work of all streams, a stream's for the last of that stream, an
 * event's for the work launched before the event was recorded. No edge where the file does not say
 * which stream or event, or where the work had ended before the call began: then the call did not
 * wait for it.
 */
import { addTo } from '../../../base/lists'
import { upperBound } from '../../../base/search'

export interface DeviceWork {
  readonly span: number
  /** Text number of the stream; device and stream together name a queue. */
  readonly device: number
  readonly stream: number
  readonly endNs: number
  /** Of the call that caused it; −∞ where none is known. */
  readonly calledNs: number
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
  constructor(work: readonly DeviceWork[], boundNs: number) {
    this.#boundNs = boundNs
    const queues = new Map<number, DeviceWork[]>()
    const add = (key: number, each: DeviceWork) => {
      addTo(queues, key, each)
    }
    for (const each of [...work].sort((a, b) => a.endNs - b.endNs)) {
      add(queueKey(each.device, null), each)
      add(queueKey(each.device, each.stream), each)
    }
    for (const [key, list] of queues) this.#queues.set(key, new Queue(list))
    // A queue for each device, and one for each of its streams.
    this.onlyDevice = new Set(work.map(({ device }) => device)).size === 1 ? (work[0]?.device ?? null) : null
    this.onlyStream = queues.size === 2 ? (work[0]?.stream ?? null) : null
  }

  /** The span of the work that ended the wait; null where none did. */
  find(wait: Wait): number | null {
    return this.#queues.get(queueKey(wait.device, wait.stream))?.lastFor(wait, this.#boundNs) ?? null
  }
}

class Queue {
  readonly #work: readonly DeviceWork[]
  readonly #ends: Float64Array

  constructor(work: readonly DeviceWork[]) {
    this.#work = work
    this.#ends = Float64Array.from(work, ({ endNs }) => endNs)
  }

  lastFor({ startNs, endNs, launchedBeforeNs }: Wait, boundNs: number): number | null {
    const last = upperBound(this.#ends, endNs + boundNs) - 1
    for (let at = last; at >= 0 && at > last - LOOK_BACK; at -= 1) {
      const work = this.#work[at]
      if (!work || work.endNs <= startNs - boundNs) return null
      if (work.calledNs <= launchedBeforeNs) return work.span
    }
    return null
  }
}
