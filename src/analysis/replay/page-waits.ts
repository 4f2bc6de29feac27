/**
 * A wait of a page's thread awaits the last pass of a submission, and whatever the GPU process was
 * busy with before it told the page: uploads and later passes.
 */
import { upperBound } from '../../base/search'
import { spanKindIndex } from '../../trace/schema'
import type { Draft, DraftWork } from './draft'

const SUBMIT = spanKindIndex('submit')

interface Awaited {
  readonly awaits: readonly number[]
  readonly noticeNs: number
}

export class PageWaits {
  readonly #work: readonly DraftWork[]
  /** By submission with work, in order: its number, the end of its last pass, and that pass; -1: outside. */
  readonly #submissions: Float64Array
  readonly #endsNs: Float64Array
  readonly #passes: Int32Array

  constructor({ placed, workOfCall, work }: Draft) {
    const { spans } = placed.trace
    this.#work = work
    const passOf = new Map<number, number>()
    for (const [index, { code, call }] of work.entries()) if (code < 0) passOf.set(call, index)
    const calls = [...workOfCall.keys()]
      .filter((call) => spans.kind[call] === SUBMIT)
      .sort((a, b) => (spans.submission[a] ?? 0) - (spans.submission[b] ?? 0))
    this.#submissions = Float64Array.from(calls, (call) => spans.submission[call] ?? 0)
    this.#endsNs = Float64Array.from(calls, (call) => placed.endNs[workOfCall.get(call)?.at(-1) ?? -1] ?? 0)
    this.#passes = Int32Array.from(calls, (call) => passOf.get(call) ?? -1)
  }

  /** Null: no pass that is known. */
  of(submission: number, endNs: number): Awaited | null {
    const at = upperBound(this.#submissions, submission) - 1
    if (at < 0) return null
    const pass = this.#passes[at] ?? -1
    if (pass < 0) return this.#ofRoundBefore(at, endNs)
    let last = pass
    while ((this.#work[last + 1]?.endNs ?? Infinity) <= endNs) last += 1
    const awaits = last === pass ? [pass] : [pass, last]
    return { awaits, noticeNs: endNs - (this.#work[last]?.endNs ?? 0) }
  }

  /** It was submitted before the step: as many submissions before the step's end another was. */
  #ofRoundBefore(at: number, endNs: number): Awaited | null {
    const first = this.#passes.findIndex((pass) => pass >= 0)
    const last = this.#passes.findLastIndex((pass) => pass >= 0)
    const pass = at < first ? (this.#passes[last + 1 + at - first] ?? -1) : -1
    return pass < 0 ? null : { awaits: [pass], noticeNs: endNs - (this.#endsNs[at] ?? 0) }
  }
}
