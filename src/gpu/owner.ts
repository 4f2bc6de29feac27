/**
 * Owns the objects that a run makes on a device, from the moment they are made: a buffer whose
 * allocation is still being checked when the run is cancelled belongs to the run like any other.
 */
import { CancelledError } from '../base/fault'

export interface Destroyable {
  destroy: () => void
}

export class Owner {
  readonly #owned = new Set<Destroyable>()
  #hasEnded = false

  /**
   * @throws CancelledError once the run has ended: before anything is made for it, and after each
   * wait.
   */
  check(): void {
    if (this.#hasEnded) throw new CancelledError()
  }

  own<T extends Destroyable>(resource: T): T {
    this.#owned.add(resource)
    return resource
  }

  /** Destroys one thing before the end. */
  release(resource: Destroyable): void {
    this.#owned.delete(resource)
    resource.destroy()
  }

  /** Destroys all that is left, the newest first. */
  end(): void {
    this.#hasEnded = true
    const owned = [...this.#owned].reverse()
    this.#owned.clear()
    for (const resource of owned) resource.destroy()
  }
}
