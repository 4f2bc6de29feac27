/**
 * One search at a time, in turns of a few ms, so that neither typing nor a running trace waits for
 * it. A newer question drops the older. What is found belongs to one placed trace: when that grows
 * it is searched anew.
 */
import type { PlacedTrace } from '../trace/place'
import { findSpans, type Found } from './search'

const SLICE_MS = 8

export class Searcher {
  readonly #onFound: (found: Found | null) => void
  #query = ''
  #found: Found | null = null
  #running: Generator<undefined, Found, undefined> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(onFound: (found: Found | null) => void) {
    this.#onFound = onFound
  }

  get query(): string {
    return this.#query
  }

  get found(): Found | null {
    return this.#found
  }

  /** '' ends it. */
  search(query: string, placed: PlacedTrace | null): void {
    const asked = query.trim()
    if (asked === this.#query && placed === this.#found?.placed) return
    this.#stop()
    this.#query = asked
    if (asked !== '' && placed) {
      this.#running = findSpans(placed, asked)
      this.#turn()
      return
    }
    if (asked === '') this.#tell(null)
  }

  /** The trace has grown, or is another. */
  renew(placed: PlacedTrace): void {
    if (this.#query === '' || this.#found?.placed === placed) return
    // Marks are of the spans that were searched: those of another trace must not be drawn on this
    // one.
    if (this.#found && this.#found.placed.lanes !== placed.lanes) this.#found = null
    this.#stop()
    this.#running = findSpans(placed, this.#query)
    this.#turn()
  }

  stop(): void {
    this.#stop()
  }

  #turn(): void {
    const begunMs = performance.now()
    while (this.#running) {
      const step = this.#running.next()
      if (step.done) {
        this.#running = null
        this.#tell(step.value)
      } else if (performance.now() - begunMs > SLICE_MS) {
        this.#timer = setTimeout(() => this.#turn(), 0)
        return
      }
    }
  }

  #tell(found: Found | null): void {
    this.#found = found
    this.#onFound(found)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#running = null
  }
}
