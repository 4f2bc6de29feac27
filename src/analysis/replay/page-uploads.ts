/**
 * Ties a page's passes to its calls. The browser's GPU process takes calls one after the other, and
 * a pass waits there for pipelines, writes and images before it. Nothing times that, so a call's part
 * is the time by which the next pass is late. It stands on the stream before that pass, as work that
 * is gone without the call.
 *
 *   host    ▇write▇ ▇submit▇  ▁▁▁▁▁▁▁▁▁▁wait▁▁▁▁▁▁▁▁▁▁
 *   stream  [pass]  [░░░░ upload ░░░░][pass]
 */
import { quantile } from './quantile'
import type { DraftWork } from './draft'

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
  return Math.min(MOST_LATENCY_NS, quantile(idle, 0.5, MOST_LATENCY_NS))
}
