/**
 * Which lane an event belongs to: one for each thread, and of a device's stream the waits and the ranges
 * apart from the work, so that no analysis takes them for work.
 */
import { LIMITS } from '../../budget'
import type { LaneKind } from '../../schema'
import { DEVICE_RANGE, DEVICE_SYNC, isDeviceWork, isOnHost, type EventClass } from '../../vendors'
import type { Threads } from './threads'

export interface LaneDraft {
  readonly thread: number
  /** Text numbers. */
  readonly pid: number
  readonly tid: number
  readonly part: 'whole' | 'waits' | 'ranges'
  readonly order: number
  kind: LaneKind
  /** Index in the trace; −1 until it is known which lanes there are. */
  id: number
}

export class LaneDrafts {
  readonly #byThread: (LaneDraft | undefined)[][] = []
  readonly #threads: Threads
  readonly all: LaneDraft[] = []
  /** Pids with work of a device. */
  readonly devices: ReadonlySet<number>

  constructor(devices: ReadonlySet<number>, threads: Threads) {
    this.devices = devices
    this.#threads = threads
  }

  /** The lane that `of` has made; null: there were too many. */
  find(thread: number, group: EventClass): LaneDraft | null {
    return this.#byThread[thread]?.[this.#partOf(thread, group)] ?? null
  }

  #partOf(thread: number, group: EventClass): number {
    if (group !== DEVICE_SYNC && group !== DEVICE_RANGE) return 0
    return this.devices.has(this.#threads.pid[thread] ?? 0) ? (group === DEVICE_SYNC ? 1 : 2) : 0
  }

  /** Makes it where there is none yet; there may be too many. */
  of(thread: number, group: EventClass): void {
    const pid = this.#threads.pid[thread]
    const tid = this.#threads.tid[thread]
    if (pid === undefined || tid === undefined) return
    const isDevice = this.devices.has(pid)
    const part = this.#partOf(thread, group)
    const parts = (this.#byThread[thread] ??= [])
    const known = parts[part]
    if (known) {
      if (!isDevice && isOnHost(group)) known.kind = 'host'
      if (isDevice && isDeviceWork(group)) known.kind = 'device'
      return
    }
    if (this.all.length >= LIMITS.lanes.most) return
    const lane: LaneDraft = {
      thread,
      pid,
      tid,
      part: part === 1 ? 'waits' : part === 2 ? 'ranges' : 'whole',
      order: this.all.length,
      kind: isOnHost(group) ? 'host' : isDevice && part === 0 ? 'device' : 'other',
      id: -1,
    }
    parts[part] = lane
    this.all.push(lane)
  }
}
