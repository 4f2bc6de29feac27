/**
 * A picture of a file while it is read: how busy each thread was over the time that has been read
 * so far. Ranges, waits of a device and Python's own functions are left out: they hold what is
 * work.
 */
import { madeOnce } from '../../../base/lists'
import {
  classOfCategory,
  DEVICE_RANGE,
  DEVICE_SYNC,
  isDeviceWork,
  USER_RANGE,
  type EventClass,
} from '../../vendors'
import type { EventFile } from './event-file'
import { COMPLETE } from './phases'

export interface Sketch {
  readonly rows: readonly SketchRow[]
}

interface SketchRow {
  readonly isDevice: boolean
  /** Busy share, 0 to 1, of each stretch; all rows share the stretches, which are equally long. */
  readonly busy: Float32Array<ArrayBuffer>
}

/** Even: two become one where the time that is covered doubles. */
const STRETCHES = 256
const MOST_ROWS = 16
/** Times further off are stray (time-base.ts). */
const FARTHEST_US = 86_400e6

interface Thread {
  isDevice: boolean
  /** By stretch. */
  busyUs: Float64Array
  allUs: number
}

export class Sketcher {
  readonly #file: Pick<EventFile, 'events' | 'texts'>
  readonly #threads = new Map<number, Thread>()
  /** Kind of a category; null leaves it out. */
  readonly #groups: (EventClass | null)[] = []
  #rows = 0
  #firstUs = Number.NaN
  #stretchUs = 1
  #lastUs = -Infinity

  constructor(file: Pick<EventFile, 'events' | 'texts'>) {
    this.#file = file
  }

  /** Sketch of all that has been read; null if nothing can be drawn. */
  sketch(): Sketch | null {
    const { columns, length } = this.#file.events
    for (; this.#rows < length; this.#rows += 1) {
      const row = this.#rows
      const us = columns.time[row] ?? Number.NaN
      const lastsUs = (columns.durationNs[row] ?? Number.NaN) / 1e3
      const group = this.#groupOf(columns.category[row] ?? 0)
      if (columns.phase[row] !== COMPLETE || group === null || !(lastsUs > 0)) continue
      if (Number.isNaN(this.#firstUs)) this.#firstUs = us
      if (!(Math.abs(us - this.#firstUs) + lastsUs < FARTHEST_US)) continue
      const thread = this.#threadOf(columns.thread[row] ?? 0)
      thread.isDevice ||= isDeviceWork(group)
      this.#add(thread, us, us + lastsUs)
    }
    return this.#picture()
  }

  #threadOf(number: number): Thread {
    const make = () => ({ isDevice: false, busyUs: new Float64Array(STRETCHES), allUs: 0 })
    return madeOnce(this.#threads, number, make)
  }

  #groupOf(category: number): EventClass | null {
    const known = this.#groups[category]
    if (known !== undefined) return known
    const text = this.#file.texts.text(category)
    const group = classOfCategory(text)
    const isHolder = group === USER_RANGE || group === DEVICE_RANGE || group === DEVICE_SYNC
    return (this.#groups[category] = isHolder || text === 'python_function' ? null : group)
  }

  #add(thread: Thread, fromUs: number, toUs: number): void {
    while (fromUs < this.#firstUs) this.#double(STRETCHES / 2)
    while (toUs > this.#firstUs + STRETCHES * this.#stretchUs) this.#double(0)
    this.#lastUs = Math.max(this.#lastUs, toUs)
    thread.allUs += toUs - fromUs
    for (let at = this.#stretchAt(fromUs); at < STRETCHES; at += 1) {
      const beginsUs = this.#firstUs + at * this.#stretchUs
      if (beginsUs >= toUs) return
      const endsUs = beginsUs + this.#stretchUs
      const busyUs = Math.min(toUs, endsUs) - Math.max(fromUs, beginsUs)
      thread.busyUs[at] = (thread.busyUs[at] ?? 0) + busyUs
    }
  }

  #stretchAt(us: number): number {
    return Math.floor((us - this.#firstUs) / this.#stretchUs)
  }

  /** Covers twice the time: what there is comes to begin at `to`. */
  #double(to: number): void {
    for (const thread of this.#threads.values()) {
      const busyUs = new Float64Array(STRETCHES)
      for (const [at, us] of thread.busyUs.entries()) {
        const half = to + (at >> 1)
        busyUs[half] = (busyUs[half] ?? 0) + us
      }
      thread.busyUs = busyUs
    }
    this.#firstUs -= to * 2 * this.#stretchUs
    this.#stretchUs *= 2
  }

  /** Rows of the busiest threads, then of the devices. */
  #picture(): Sketch | null {
    const stretches = this.#stretchAt(this.#lastUs) + 1
    const threads = [...this.#threads.values()]
      .sort((a, b) => b.allUs - a.allUs)
      .slice(0, MOST_ROWS)
      .sort((a, b) => Number(a.isDevice) - Number(b.isDevice))
    if (threads.length === 0) return null
    const rows = threads.map(({ isDevice, busyUs }) => ({
      isDevice,
      busy: Float32Array.from(busyUs.subarray(0, stretches), (us) => Math.min(1, us / this.#stretchUs)),
    }))
    return { rows }
  }
}
