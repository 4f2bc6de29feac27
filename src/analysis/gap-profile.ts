/**
 * Why a device was idle between two spans of work in a profile: the calls and waits of its file are
 * all there are, so what it does not show did not happen.
 */
import { edgeBoundNs } from '../trace/place'
import { bytesText, durationText } from '../base/figures'
import type { LaunchRecords } from './coverage'
import { notRecorded, unknown, type GapFinding, type GapHost } from './gap-host'
import { activities } from './host-activity'
import type { Interval } from './types'

/**
 * Where a copy was called before the gap began, the gap is the copy's preparation if that took at
 * least this share of the time since the call.
 */
const STAGING_SHARE = 0.1
/** Copies from pageable memory: the driver stages their bytes first, and the device waits for that. */
const PAGEABLE_UPLOAD = /^Memcpy HtoD \(Pageable/

const AWAIT = activities('await-result', 'await-staging', 'await-batch')
const AWAIT_RANK = activities('await-rank')
const WORK_OR_FILL = activities('work', 'fill', 'encode', 'submit')

/** The calls and waits of a profiler's file are all there are: what it does not show did not happen. */
export function profileGap(
  host: GapHost,
  records: LaunchRecords,
  device: string,
  [before, after]: readonly [number, number],
  gap: Interval,
): GapFinding {
  const { trace, startNs, endNs } = host.placed
  const { submission } = trace.spans
  const correlation = submission[after] ?? -1
  if (correlation >= 0 && correlation === submission[before])
    return {
      cause: 'launch-overhead',
      say: () =>
        `Both belong to one call (correlation ${String(correlation)}): the device went from one to the next without the host.`,
      spans: [],
    }
  if (records.mayHaveRun(device, gap)) return notRecorded(() => records.lostWithin(device, gap))
  const call = records.calls[after] ?? -1
  if (call < 0) return unknown('The file names no call that launched the work after it.')
  const [boundNs] = edgeBoundNs(host.placed, before, 'end')
  const calledNs = startNs[call] ?? Number.NaN
  const returnedNs = endNs[call] ?? Number.NaN
  const name = host.nameOf(call)
  const lengthNs = gap.end - gap.start
  const isPageable = PAGEABLE_UPLOAD.test(host.nameOf(after))
  const stagedNs = gap.end - Math.max(calledNs, gap.start)
  if (isPageable && stagedNs >= lengthNs / 2 && stagedNs >= STAGING_SHARE * (gap.end - calledNs))
    return {
      cause: 'upload-not-ready',
      say: () =>
        `${name}() had been called, and for ${durationText(stagedNs)} of the gap the driver staged pageable memory (${bytesText(trace.spans.bytes[after] ?? 0)}) before the copy began.`,
      spans: [call],
    }
  if (calledNs <= gap.start + boundNs && calledNs > gap.start - boundNs && boundNs > lengthNs)
    return unknown(
      () =>
        `${name}() was called about when the gap began; the clocks agree only to ${durationText(boundNs)}, and the gap lasts ${durationText(lengthNs)}.`,
      call,
    )
  if (calledNs <= gap.start)
    return {
      cause: 'launch-overhead',
      say: () =>
        returnedNs <= gap.start
          ? `${name}() had returned ${durationText(gap.start - returnedNs)} before the gap began.`
          : `${name}() had been called ${durationText(gap.start - calledNs)} before the gap began, and was still running.`,
      spans: [call],
    }
  return calledAfter(host, call, gap, calledNs, boundNs)
}

/** In CUDA a wait ends as the gap begins: what makes the gap is that the thread was in it, not how long it lasted on. */
function calledAfter(
  host: GapHost,
  call: number,
  gap: Interval,
  calledNs: number,
  boundNs: number,
): GapFinding {
  const { startNs, endNs } = host.placed
  const thread = host.threadOf(call)
  const name = host.nameOf(call)
  const after = (): string => `${name}() was called ${durationText(calledNs - gap.start)} after the gap began`
  const rankNs = thread.spent(AWAIT_RANK, gap.start, calledNs)
  if (rankNs > thread.spent(AWAIT, gap.start, calledNs) && rankNs * 2 >= calledNs - gap.start) {
    const message = thread.longest(AWAIT_RANK, gap.start, calledNs)
    return {
      cause: 'rank-waited',
      say: () =>
        `The thread waited${message === null ? '' : host.forRank(message)} for ${durationText(rankNs)} of the gap; ${after()}, ${started()}.`,
      spans: message === null ? [call] : [message, ...host.otherEnd(message), call],
    }
  }
  const [fromNs, toNs] = [gap.start - boundNs, Math.max(gap.start + boundNs, gap.start + 1)]
  const wait = thread.longest(AWAIT, fromNs, toNs)
  const started = (): string => `and the work began ${durationText(Math.max(0, gap.end - calledNs))} later`
  if (wait !== null && (startNs[wait] ?? Infinity) < gap.start) {
    const lastedNs = (endNs[wait] ?? 0) - gap.start
    return {
      cause: 'host-waited',
      say: () =>
        `The thread was in ${host.nameOf(wait)}() when the gap began and for ${durationText(Math.max(0, lastedNs))} of it; ${after()}, ${started()}.`,
      spans: [wait, call],
    }
  }
  const waitNs = thread.spent(AWAIT, gap.start, calledNs)
  const longest = thread.longest(AWAIT, gap.start, calledNs)
  if (longest !== null && waitNs * 2 >= calledNs - gap.start)
    return {
      cause: 'host-waited',
      say: () =>
        `The thread was in ${host.nameOf(longest)}() and other waits for ${durationText(waitNs)}; ${after()}, ${started()}.`,
      spans: [longest, call],
    }
  const spentNs = thread.spent(WORK_OR_FILL, gap.start, calledNs)
  return {
    cause: 'host-late',
    say: () =>
      `${after()}, ${started()}. Until then the thread worked for ${durationText(spentNs)}${waitNs > 0 ? ` and waited for ${durationText(waitNs)}` : ''}.`,
    spans: [call],
  }
}
