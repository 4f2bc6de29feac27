/**
 * Ties a page's passes to its calls, and its waits to passes. The browser's GPU process takes calls
 * one after the other, and a pass waits there for pipelines, writes and images before it. Nothing
 * times that, so a call's part is the time by which the next pass is late. It stands on the stream
 * before that pass, as work that is gone without the call.
 *
 *   host    ▇write▇ ▇submit▇  ▁▁▁▁▁▁▁▁▁▁wait▁▁▁▁▁▁▁▁▁▁
 *   stream  [pass]  [░░░░ upload ░░░░][pass]
 */
import { orderStatistic } from '../../base/stats'
import type { DraftWork, Draft } from './draft'
import { upperBound } from '../../base/search'
import { spanKindIndex } from '../../trace/schema'

/** Bytes and pipelines tell how several calls before one pass share the time. */
const NS_A_BYTE = 0.5
const PIPELINE_NS = 5e6
const CALL_NS = 2e4
/**
 * The longest that the GPU process works through a call, ns. By bytes: four times CALL_NS and eight
 * times NS_A_BYTE; the pairs on an H200 took up to 0.55 ns a byte. A pass that is later than its
 * calls explain is late for a reason that nothing recorded.
 */
export const mostUploadNs = (bytes: number, isPipeline: boolean): number =>
  isPipeline || bytes <= 0 ? Infinity : 4 * CALL_NS + 8 * NS_A_BYTE * bytes
/** The longest that an idle GPU takes to begin a pass that waits for nothing. */
const MOST_LATENCY_NS = 2e5

const weightOf = ({ bytes }: DraftWork, isPipeline: boolean): number =>
  isPipeline ? PIPELINE_NS : CALL_NS + NS_A_BYTE * (bytes > 0 ? bytes : 0)

/** Work without a code is a pass. @param freeNs end of the last pass before all of it */
export function tieUploads(
  work: readonly DraftWork[],
  freeNs: number,
  isPipeline: (work: DraftWork) => boolean,
): void {
  const passes = work.filter(({ code }) => code < 0)
  const stream = passes[0]?.stream ?? 0
  const latencyNs = usualLatency(work)
  let uploads: DraftWork[] = []
  let beforeNs = freeNs
  for (const each of work) {
    if (each.code >= 0) {
      uploads.push(each)
      continue
    }
    const { startNs, callNs } = each
    const sinceCall = startNs - callNs
    const isQueued = beforeNs > callNs + latencyNs
    let doneNs = beforeNs
    let leftNs = uploads.reduce((sum, upload) => sum + weightOf(upload, isPipeline(upload)), 0)
    for (const upload of uploads) {
      const beginNs = Math.max(doneNs, upload.callNs)
      const lateNs = Math.max(0, startNs - latencyNs - beginNs)
      const weight = weightOf(upload, isPipeline(upload))
      const lengthNs = Math.min((lateNs * weight) / leftNs, mostUploadNs(upload.bytes, isPipeline(upload)))
      Object.assign(upload, { stream, startNs: beginNs, lengthNs })
      upload.leastNs = upload.lengthNs
      upload.endNs = doneNs = beginNs + upload.lengthNs
      leftNs -= weight
    }
    // Late beyond that: the pass is so late behind its call, too, whatever is removed.
    const unexplainedNs = uploads.length > 0 ? startNs - Math.max(doneNs, callNs) : 0
    const isBehind = isQueued || uploads.length > 0
    each.latencyNs = isBehind ? Math.min(Math.max(latencyNs, unexplainedNs), sinceCall) : sinceCall
    if (Number.isFinite(doneNs))
      each.pauseNs = isBehind ? startNs - doneNs : Math.min(PAUSE_NS, startNs - doneNs)
    ;[beforeNs, uploads] = [each.endNs, []]
  }
  // Nothing on the device waits for the calls behind the last pass.
  for (const upload of uploads)
    Object.assign(upload, { stream, lengthNs: 0, leastNs: 0, endNs: upload.startNs })
}
const PAUSE_NS = 1_000

/** The median latency of passes that found the GPU idle, with no such call before them, ns. */
function usualLatency(work: readonly DraftWork[]): number {
  const idle: number[] = []
  let [freeNs, isPlain] = [-Infinity, true]
  for (const { code, startNs, endNs, callNs } of work) {
    if (code >= 0) {
      isPlain = false
      continue
    }
    if (isPlain && freeNs <= callNs) idle.push(startNs - callNs)
    ;[freeNs, isPlain] = [endNs, true]
  }
  return Math.min(MOST_LATENCY_NS, orderStatistic(idle, 0.5, MOST_LATENCY_NS))
}

const SUBMIT = spanKindIndex('submit')

interface Awaited {
  readonly awaits: readonly number[]
  readonly noticeNs: number
}

/**
 * A wait of a page's thread awaits the last pass of a submission, and whatever the GPU process was
 * busy with before it told the page: uploads and later passes.
 */
export class PageWaits {
  readonly #work: readonly DraftWork[]
  /**
   * By submission with work, in order: its number, the end of its last pass, and that pass; -1:
   * outside.
   */
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
