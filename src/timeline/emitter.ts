/** Listeners by event name, for TimelineEvents. */
import { madeOnce } from '../base/lists'
import type { TimelineEvents } from './types'

type Name = keyof TimelineEvents
type Values<Event extends Name> = Parameters<TimelineEvents[Event]>

export class Emitter {
  readonly #listeners = new Map<Name, Set<TimelineEvents[Name]>>()

  on<Event extends Name>(name: Event, listener: TimelineEvents[Event]): () => void {
    const set = madeOnce(this.#listeners, name, () => new Set())
    set.add(listener)
    return () => set.delete(listener)
  }

  emit<Event extends Name>(name: Event, ...values: Values<Event>): void {
    for (const listener of this.#listeners.get(name) ?? [])
      (listener as (...all: Values<Event>) => void)(...values) // of this name
  }

  clear(): void {
    this.#listeners.clear()
  }
}
