/**
 * Why a device was idle between two spans of work in a profile: the calls and waits of its file are
 * all there are, so what it does not show did not happen.
 */
import { bytesText, durationText } from '../base/figures'
import type { LaunchRecords } from './coverage'
import { NOT_RECORDED, unknown, type GapFinding, type GapHost } from './gap-host'
import { activities } from './host-activity'
import type { Interval } from './types'

/**
 * Where a copy was called before the gap began, the gap is the copy's preparation if that took at
 * least this share of the time since the call.
 */
const STAGING_SHARE = 0.1
/**
 * Copies from pageable memory: the driver stages their bytes first, and the device waits for that.
 */
const PAGEABLE_UPLOAD = /^Memcpy HtoD \(Pageable/

/** Another rank before a result: a call that awaits one may await the other, too. */
const AWAITS = [
  ['rank-waited', activities('await-rank')],
  ['host-waited', activities('await-result', 'await-staging', 'await-batch')],
] as const

/**
 * The calls and waits of a profiler's file are all there are: what it does not show did not happen.
 */
export function profileGap(
  host: GapHost,
  records: LaunchRecords,
  device: string,
  [before, after]: readonly [number, number],
  gap: Interval,
): GapFinding {
  const { trace, startNs } = host.placed
  const { submission } = trace.spans
  const correlation = submission[after] ?? -1
  if (correlation >= 0 && correlation === submission[before])
    return {
      cause: 'launch-overhead',
      say: () =>
        `Both belong to one call (correlation ${String(correlation)}): the device went from one to the next without the host.`,
      spans: [],
    }
  if (records.mayHaveRun(device, gap)) return NOT_RECORDED
  const call = records.calls[after] ?? -1
  if (call < 0) return unknown('The file names no call that launched the work after it.')
  const calledNs = startNs[call] ?? Number.NaN
  const name = host.nameOf(call)
  const stagedNs = gap.end - Math.max(calledNs, gap.start)
  if (
    PAGEABLE_UPLOAD.test(host.nameOf(after)) &&
    stagedNs >= (gap.end - gap.start) / 2 &&
    stagedNs >= STAGING_SHARE * (gap.end - calledNs)
  )
    return {
      cause: 'upload-not-ready',
      say: () =>
        `${name}() had been called, and for ${durationText(stagedNs)} of the gap the driver staged pageable memory (${bytesText(trace.spans.bytes[after] ?? 0)}) before the copy began.`,
      spans: [call],
    }
  const lateNs = calledNs - gap.start
  if (lateNs <= 0)
    return {
      cause: 'launch-overhead',
      say: () => `${name}() had been called ${durationText(-lateNs)} before the gap began.`,
      spans: [call],
    }
  const called = (): string =>
    `${name}() was called ${durationText(lateNs)} after the gap began, and the work began ${durationText(Math.max(0, gap.end - calledNs))} later.`
  const thread = host.threadOf(call)
  for (const [cause, of] of AWAITS) {
    const ns = thread.spent(of, gap.start, calledNs)
    // In CUDA a wait ends as the gap begins: what makes the gap is that the thread was in it, not
    // how long it lasted on.
    const held = thread.longest(of, gap.start, ns * 2 >= lateNs ? calledNs : gap.start + 1)
    if (held === null || (cause === 'rank-waited' && ns * 2 < lateNs)) continue
    return {
      cause,
      say: () => `The thread was in ${host.nameOf(held)}() for ${durationText(ns)} of the gap. ${called()}`,
      spans: [held, ...host.otherEnd(held), call],
    }
  }
  return { cause: 'host-late', say: called, spans: [call] }
}
