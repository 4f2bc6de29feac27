/**
 * Which lane an event belongs to: one for each (pid, tid), whatever these are (numbers, texts,
 * negative, 64 bits: they are compared as text), and of a device's stream the waits and the ranges
 * apart from the work, so that no analysis takes them for work.
 */
import { LIMITS } from '../../budget'
import type { LaneKind } from '../../schema'
import { DEVICE_RANGE, DEVICE_SYNC, isDeviceWork, isOnHost, type EventClass } from '../../vendors'
import { threadKey } from './file-names'

export interface LaneDraft {
  readonly pid: number
  readonly tid: number
  readonly part: 'whole' | 'waits' | 'ranges'
  readonly order: number
  kind: LaneKind
  /** Index in the trace; −1 until it is known which lanes there are. */
  id: number
}

export class LaneDrafts {
  readonly #byThread = new Map<number, (LaneDraft | undefined)[]>()
  readonly all: LaneDraft[] = []
  /** Pids with work of a device. */
  readonly devices: ReadonlySet<number>

  constructor(devices: ReadonlySet<number>) {
    this.devices = devices
  }

  /** Null when there are too many lanes: the others are read. */
  of(pid: number, tid: number, group: EventClass): LaneDraft | null {
    const isDevice = this.devices.has(pid)
    const part = isDevice ? (group === DEVICE_SYNC ? 1 : group === DEVICE_RANGE ? 2 : 0) : 0
    const key = threadKey(pid, tid)
    let thread = this.#byThread.get(key)
    if (!thread) {
      thread = []
      this.#byThread.set(key, thread)
    }
    const known = thread[part]
    if (known) {
      if (!isDevice && isOnHost(group)) known.kind = 'host'
      if (isDevice && isDeviceWork(group)) known.kind = 'device'
      return known
    }
    if (this.all.length >= LIMITS.lanes.most) return null
    const lane: LaneDraft = {
      pid,
      tid,
      part: part === 1 ? 'waits' : part === 2 ? 'ranges' : 'whole',
      order: this.all.length,
      kind: isOnHost(group) ? 'host' : isDevice && part === 0 ? 'device' : 'other',
      id: -1,
    }
    thread[part] = lane
    this.all.push(lane)
    return lane
  }
}
