/** Threads by number: one for each pair of pid and tid, which are text numbers. */

const TEXTS = 2 ** 26
/** The column of threads holds 16 bits. */
const NO_THREAD = 0xffff

export class Threads {
  readonly #numbers = new Map<number, number>()
  readonly pid: number[] = []
  readonly tid: number[] = []

  /** Those above 65,535 are one, which has no lane. */
  of(pid: number, tid: number): number {
    const key = pid * TEXTS + tid
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const thread = this.pid.length
    if (thread === NO_THREAD) return NO_THREAD
    this.#numbers.set(key, thread)
    this.pid.push(pid)
    this.tid.push(tid)
    return thread
  }
}
