/** Listeners by event name, for TimelineEvents. */
import type { TimelineEvents } from './types'

type Listeners = { [Name in keyof TimelineEvents]: Set<TimelineEvents[Name]> }

export class Emitter {
  readonly #listeners: Listeners = {
    hover: new Set(),
    select: new Set(),
    area: new Set(),
    view: new Set(),
    layout: new Set(),
    lanes: new Set(),
    search: new Set(),
    ask: new Set(),
    path: new Set(),
  }

  on<Name extends keyof TimelineEvents>(name: Name, listener: TimelineEvents[Name]): () => void {
    const set: Set<TimelineEvents[Name]> = this.#listeners[name]
    set.add(listener)
    return () => set.delete(listener)
  }

  emit<Name extends keyof TimelineEvents>(name: Name, ...values: Parameters<TimelineEvents[Name]>): void {
    const set: Set<TimelineEvents[Name]> = this.#listeners[name]
    for (const listener of set) (listener as (...all: Parameters<TimelineEvents[Name]>) => void)(...values)
  }

  clear(): void {
    for (const set of Object.values(this.#listeners)) set.clear()
  }
}
