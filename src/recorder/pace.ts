/**
 * Measures how long a device takes for a submission of one variant, to know when it need not be
 * asked about each. A question is a command of its own, and its answer wakes this thread. The
 * time runs from a submission to an idle queue until all that followed is reported complete. The
 * report comes late, so the time is rather too long, and more is asked than needed.
 */

/**
 * A submission may be reported complete by this much later than if it had been asked about.
 * Chromium polls for completion once a ms, so its own answers are later than this. Kernels of
 * this length, and longer ones, are asked about one by one.
 */
const MAX_DELAY_NS = 0.2e6

export class Pace {
  /** ns of one submission; Infinity until measured. */
  #eachNs = Infinity
  /** Infinitely long ago until a submission of this variant finds the queue idle. */
  #busySinceNs = -Infinity
  /** Completed in the present busy time. */
  #completed = 0

  /** A submission to an idle queue. */
  busyFrom(timeNs: number): void {
    this.#busySinceNs = timeNs
    this.#completed = 0
  }

  /** `count` more were reported complete at once. */
  completed(count: number, timeNs: number, isIdle: boolean): void {
    if (count === 0) return
    this.#completed += count
    const eachNs = (timeNs - this.#busySinceNs) / this.#completed
    // Before the queue is idle it is only certain that they do not take less than was thought.
    if (isIdle || eachNs > this.#eachNs) this.#eachNs = eachNs
  }

  /** Whether so many submissions together take no longer than a report may be late. */
  coversAtOnce(submissions: number): boolean {
    return submissions * this.#eachNs <= MAX_DELAY_NS
  }
}
