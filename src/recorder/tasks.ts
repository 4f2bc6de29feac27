/** When the thread of a page was at work, as the browser reports it: long tasks where there is a window, and what `lab record` traced. */
import type { SpanWriter } from './span-writer'

const { PerformanceObserver: Observer } = globalThis

export class Tasks {
  readonly #writer: SpanWriter
  readonly #lanes = new Map<string, number>()
  readonly #observer: PerformanceObserver | null = null

  constructor(writer: SpanWriter) {
    this.#writer = writer
    if (!('document' in globalThis) || !Observer.supportedEntryTypes.includes('longtask')) return
    this.#observer = new Observer((list) => {
      this.#addEntries(list.getEntries())
    })
    this.#observer.observe({ type: 'longtask' })
  }

  /** Times by this thread's performance.now(). @param lane 'tasks' where all of at least a ms are given */
  add(lane: 'tasks' | 'long tasks', times: readonly (readonly [startMs: number, endMs: number])[]): void {
    const { builder, on } = this.#writer
    if (!on) return
    let id = this.#lanes.get(lane)
    if (id === undefined) {
      id = builder.addLane({ kind: 'host', name: lane, clock: 0, group: 'host' })
      this.#lanes.set(lane, id)
    }
    for (const [startMs, endMs] of times) {
      const [start, end] = [this.#writer.atOwn(startMs), this.#writer.atOwn(endMs)]
      if (end > 0)
        builder.addSpan({
          lane: id,
          kind: 'other',
          role: 'task',
          name: 'task',
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
    if (entries.length > 0)
      this.add(
        'long tasks',
        entries.map(({ startTime, duration }) => [startTime, startTime + duration]),
      )
  }
}
