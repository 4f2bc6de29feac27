/**
 * A thread that works for the recorded program, such as a loader's worker: no WebGPU is called there, so it notes its own times, and
 * they are placed here. Two threads' performance.now() count from different origins: their timeOrigins bring them together. What that
 * gives is held against what this thread knows: work was asked for before it began, and reported after it ended.
 */
import type { Journal } from './journal'
import type { Tag } from './tag'

/** In `rejected`: work that its thread's clock places before it was asked for, or after it was reported. */
const OUTSIDE_BRACKET = 'work of another thread outside its bracket'

/** Each edge is known to a step of its thread's clock and one of its time origin, and so is the bound that it is held against. */
const STEPS = 4

export interface ThreadWork {
  readonly name: string
  /** performance.timeOrigin and performance.now() of that thread, ms. */
  readonly timeOriginMs: number
  readonly startMs: number
  readonly endMs: number
  /** When it was asked for and reported: host ns since the trace's origin. */
  readonly askedNs: number
  readonly heardNs: number
  readonly bytes: number
  readonly tag: Tag
}

export class OtherThread {
  readonly #journal: Journal
  readonly #name: string
  #lane = -1

  constructor(journal: Journal, name: string) {
    this.#journal = journal
    this.#name = name
  }

  /** Writes a computation of that thread. -1: recording is off, or its time was rejected. */
  worked({ name, timeOriginMs, startMs, endMs, askedNs, heardNs, bytes, tag }: ThreadWork): number {
    const journal = this.#journal
    if (!journal.on) return -1
    const start = journal.atOfOther(timeOriginMs, startMs)
    const end = journal.atOfOther(timeOriginMs, endMs)
    const boundNs = STEPS * journal.hostStepNs
    if (start < askedNs - boundNs || end > heardNs + boundNs || end < start) {
      journal.builder.reject(OUTSIDE_BRACKET)
      return -1
    }
    if (this.#lane < 0)
      this.#lane = journal.builder.addLane({ kind: 'host', name: this.#name, clock: 0, group: 'host' })
    return journal.span(this.#lane, 'host-work', 'compute', name, start, end, { bytes, tag, line: -1 })
  }
}
