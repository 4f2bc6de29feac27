/**
 * When a page's thread was at work, as the browser reports it: long tasks and the scripts of long
 * frames where there is a window, and the tasks that `lab record` traced.
 */
import { SCRIPTS_LANE } from '../trace/schema'
import type { SpanWriter } from './span-writer'

const { PerformanceObserver: Observer } = globalThis

/** Chromium's entry of a frame that took 50 ms and more, with its scripts of 5 ms and more. */
interface LongFrame extends PerformanceEntry {
  readonly scripts: readonly (PerformanceEntry & { readonly sourceFunctionName: string })[]
}
const LONG_FRAME = 'long-animation-frame'

interface Task {
  readonly startMs: number
  readonly endMs: number
  /** Default: 'task'. */
  readonly name?: string
}
/**
 * A function, 'draw (https://a.test/app.js:12)', and its beginnings and ends in turn, in ms of
 * performance.now().
 */
export type Ran = readonly [name: string, times: readonly number[]]

const taskOf = ({ startTime, duration }: PerformanceEntry, name?: string): Task => ({
  startMs: startTime,
  endMs: startTime + duration,
  ...(name && { name }),
})

export class Tasks {
  readonly #writer: SpanWriter
  readonly #lanes = new Map<string, number>()
  readonly #observer: PerformanceObserver | null = null

  /** A worker has no such entries: what it does beside WebGPU is unknown. */
  constructor(writer: SpanWriter) {
    this.#writer = writer
    if (!('document' in globalThis)) return
    this.#observer = new Observer((list) => {
      this.#addEntries(list.getEntries())
    })
    for (const type of ['longtask', LONG_FRAME])
      if (Observer.supportedEntryTypes.includes(type)) this.#observer.observe({ type })
  }

  /**
   * Times by this thread's performance.now().
   *
   * @param lane 'tasks' where all of at least a ms are given
   */
  add(lane: 'tasks' | 'long tasks', tasks: readonly Task[]): void {
    this.#addTo(lane, 'task', tasks)
  }

  /** What ran in tasks, by samples: for the reader, and to name code by. */
  addScripts(ran: readonly Ran[]): void {
    const scripts = ran.flatMap(([name, times]) =>
      times.flatMap((endMs, at) => (at % 2 === 0 ? [] : [{ name, startMs: times[at - 1] ?? endMs, endMs }])),
    )
    this.#addTo(
      SCRIPTS_LANE,
      'none',
      scripts.sort((a, b) => a.startMs - b.startMs),
    )
  }

  #addTo(lane: string, role: 'task' | 'none', tasks: readonly Task[]): void {
    const { builder, on } = this.#writer
    if (!on || tasks.length === 0) return
    let id = this.#lanes.get(lane)
    if (id === undefined) {
      id = builder.addLane({ kind: 'host', name: lane, clock: 0, group: 'host' })
      this.#lanes.set(lane, id)
    }
    for (const { startMs, endMs, name = 'task' } of tasks) {
      const [start, end] = [this.#writer.atOwn(startMs), this.#writer.atOwn(endMs)]
      if (end > 0)
        builder.addSpan({
          lane: id,
          kind: 'other',
          role,
          name,
          start: Math.max(0, start),
          end,
        })
    }
  }

  /** The recording ends. */
  end(): void {
    this.#addEntries(this.#observer?.takeRecords() ?? [])
    this.#observer?.disconnect()
  }

  #addEntries(entries: readonly PerformanceEntry[]): void {
    this.add(
      'long tasks',
      entries.flatMap((entry) =>
        entry.entryType === LONG_FRAME
          ? (entry as LongFrame).scripts.map((script) => taskOf(script, script.sourceFunctionName))
          : [taskOf(entry)],
      ),
    )
  }
}
