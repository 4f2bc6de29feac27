/**
 * Main-thread time of the last frames, ms: a ring, so that a long session keeps no more than this.
 */
const KEPT = 120

export class FrameLog {
  readonly #times = new Float64Array(KEPT)
  #count = 0

  add(ms: number): void {
    this.#times[this.#count % KEPT] = ms
    this.#count += 1
  }

  /** Newest last. */
  list(): readonly number[] {
    const length = Math.min(this.#count, KEPT)
    return Array.from({ length }, (_, index) => this.#times[(this.#count - length + index) % KEPT] ?? 0)
  }
}
