/**
 * Why the device was idle between two spans of work: what is recorded of the call that brought the second, and of the thread that made it.
 * Asked by gaps.ts for the passes of a repeat, and by devices.ts for any two spans of any trace. Times in host ns.
 */
import type { PlacedTrace } from '../trace/place'
import { messagePeers, rankOfLane } from '../trace/rank-messages'
import { collectiveOfSpan } from '../trace/collectives'
import { FLOW_KINDS, RECORDED_PAGE, SPAN_KINDS, SPAN_ROLES, SPAN_SOURCES } from '../trace/schema'
import { activities, HOST_ACTIVITIES, HostTimes, type Activities, pageWork } from './host-activity'
import { LaunchRecords, type LostStretch } from './coverage'
import { frameWaits } from './frame-waits'
import { heldWaits } from './held-waits'
import { IndexedSet } from './intervals'
import type { Interval } from './types'
import type { GapCause } from '../trace/gaps'
import { bytesText, durationText } from '../base/figures'

/**
 * A submission that was queued before the gap began and carries an upload: the gap is the upload's when it is at least this share
 * of the time since submit(). Bytes handed over while earlier work ran leave a gap of microseconds after milliseconds of waiting.
 */
const UPLOAD_SHARE = 0.1

/**
 * Bytes a ns, more than any browser was seen to carry (8.7 GB/s, with two mapped buffers): bytes of writeBuffer() are named as what the
 * device waits for only where they would fill UPLOAD_SHARE of the gap even at this rate.
 */
const FASTEST_WRITE = 10

export interface Finding {
  readonly cause: GapCause
  readonly spans: readonly number[]
  /** The evidence in words. Put together when asked: of a hundred thousand gaps few are read. */
  readonly say: () => string
}

/** Copies from pageable memory: the driver stages their bytes first, and the device waits for that. */
const PAGEABLE_UPLOAD = /^Memcpy HtoD \(Pageable/

const WAIT = SPAN_KINDS.indexOf('host-wait')
const AWAIT_RESULT = activities('await-result')
const AWAIT = activities('await-result', 'await-staging', 'await-batch')
const AWAIT_BATCH = activities('await-batch')
const AWAIT_RANK = activities('await-rank')
const FILL = activities('fill')
const UPLOAD = activities('await-staging', 'await-batch', 'fill')
const NOT_WORK = activities('await-result', 'await-staging', 'await-batch', 'await-rank', 'fill')
const WORK = activities('work', 'encode', 'submit')
const WORK_OR_FILL = activities('work', 'fill', 'encode', 'submit')
const ANY = activities(...HOST_ACTIVITIES)

/** The recorded host, ready to be asked about one gap after the other. */
export class GapEvidence {
  readonly #placed: PlacedTrace
  /** Submission -> its submit() span. */
  readonly #submits = new Map<number, number>()
  /** Submission -> bytes of the uploads it carries. */
  readonly #uploads = new Map<number, number>()
  /** Submission -> bytes that writeBuffer() put into the queue before it, since the submission before. */
  readonly #writes = new Map<number, number>()
  readonly #calls: Int32Array
  readonly #records: LaunchRecords
  readonly #isPage: boolean
  readonly #isHeld: (span: number) => boolean
  /** By lane: the activities of the thread of a call. */
  readonly #threads = new Map<number, HostTimes>()
  /** When it waited for a frame, by lane. */
  readonly #frameWaits = new Map<number, IndexedSet>()
  /** When it was at work, where it is a page's. */
  readonly #pageWork = new Map<number, IndexedSet>()

  constructor(placed: PlacedTrace, records = new LaunchRecords(placed)) {
    this.#placed = placed
    this.#calls = records.calls
    this.#records = records
    this.#isPage = placed.trace.info.experiment === RECORDED_PAGE
    this.#isHeld = heldWaits(placed.trace)
    const { spans, flows } = placed.trace
    const submit = SPAN_KINDS.indexOf('submit')
    for (let span = 0; span < spans.length; span += 1)
      if (spans.kind[span] === submit) this.#submits.set(spans.submission[span] ?? -1, span)
    this.#collectWrites()
    const upload = FLOW_KINDS.indexOf('upload')
    for (let flow = 0; flow < flows.length; flow += 1) {
      if (flows.kind[flow] !== upload) continue
      const transfer = flows.to[flow] ?? -1
      const submission = spans.submission[transfer] ?? -1
      const sizeBytes = spans.bytes[transfer] ?? Number.NaN
      const before = this.#uploads.get(submission) ?? 0
      this.#uploads.set(submission, before + (Number.isNaN(sizeBytes) ? 0 : sizeBytes))
    }
  }

  /** Writes are queued as submissions are. Which device's queue a write is for is not recorded: with several nothing is concluded. */
  #collectWrites(): void {
    const { trace, startNs } = this.#placed
    const { kind, role, bytes, submission, length } = trace.spans
    if (trace.lanes.filter((lane) => lane.kind === 'device').length !== 1) return
    const [submit, write] = [SPAN_KINDS.indexOf('submit'), SPAN_ROLES.indexOf('write')]
    const calls: number[] = []
    let hasWrites = false
    for (let span = 0; span < length; span += 1) {
      const isWrite = role[span] === write
      hasWrites ||= isWrite
      if (isWrite || kind[span] === submit) calls.push(span)
    }
    if (!hasWrites) return
    calls.sort((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0))
    let written = 0
    for (const span of calls) {
      if (role[span] === write) written += bytes[span] ?? 0
      else {
        if (written > 0) this.#writes.set(submission[span] ?? -1, written)
        written = 0
      }
    }
  }

  /**
   * The stretch of launches without a record before a device's first span, as a gap with nothing
   * before it.
   */
  stretchBefore(first: number): LostStretch | null {
    return this.#records.stretchBefore(this.#deviceOf(first), this.#placed.startNs[first] ?? Number.NaN)
  }

  /** The same stretch after the last of a device's spans to end, as a gap with nothing after it. */
  stretchAfter(last: number): LostStretch | null {
    return this.#records.stretchAfter(this.#deviceOf(last), this.#placed.endNs[last] ?? Number.NaN)
  }

  find(before: number, after: number, gap: Interval): Finding {
    if (before < 0 || after < 0)
      return notRecorded(
        () => (before < 0 ? this.stretchBefore(after) : this.stretchAfter(before))?.count ?? 0,
      )
    if (this.#isImported(after)) return this.#findImported(before, after, gap)
    const { trace, startNs, endNs, edgeBoundNs } = this.#placed
    const submission = trace.spans.submission[after] ?? -1
    const name = `submission ${String(submission)}`
    if (submission >= 0 && submission === trace.spans.submission[before])
      return {
        cause: 'launch-overhead',
        say: () => `Both passes belong to ${name}: the device went from one to the next without the host.`,
        spans: [],
      }
    const submit = this.#submits.get(submission)
    if (submit === undefined) return unknown('No submit() was recorded for the pass after it.')
    if (Number.isNaN(gap.start))
      return unknown(
        'The device clock could not be tied to the host’s, so what the host did meanwhile is not known.',
        submit,
      )

    const [earlierNs, laterNs] = edgeBoundNs(before, 'end')
    const hostStepNs = 2 * edgeBoundNs(submit, 'end')[0]
    const submitStartNs = startNs[submit] ?? Number.NaN
    const submitEndNs = endNs[submit] ?? Number.NaN
    const lengthNs = gap.end - gap.start

    if (submitEndNs + hostStepNs <= gap.start - earlierNs)
      return this.#submittedBefore(submission, submit, submitEndNs, gap)
    if (submitStartNs - hostStepNs > gap.start + laterNs)
      return this.#submittedAfter(submission, submit, gap, submitStartNs)
    const bound = earlierNs + laterNs + 2 * hostStepNs
    if (bound > lengthNs)
      return unknown(
        () =>
          `${capital(name)} was submitted about when the gap began; the clocks agree to ${durationText(bound)} only, and the gap is ${durationText(lengthNs)} long.`,
        submit,
      )
    return this.#launch(
      submission,
      submit,
      lengthNs,
      () =>
        `${capital(name)} was submitted about when the gap began (within ${durationText(bound)}), and took the rest of it to start.`,
    )
  }

  /** The device had it in its queue when the gap began. */
  #submittedBefore(submission: number, submit: number, submitEndNs: number, gap: Interval): Finding {
    const aheadNs = gap.start - submitEndNs
    const text = (): string =>
      `submit() of submission ${String(submission)} had returned ${durationText(aheadNs)} before the gap began.`
    const share = (gap.end - gap.start) / (gap.end - submitEndNs)
    if (share >= UPLOAD_SHARE) return this.#launch(submission, submit, gap.end - gap.start, text)
    return { cause: 'launch-overhead', say: text, spans: [submit] }
  }

  #launch(submission: number, submit: number, lengthNs: number, text: () => string): Finding {
    const sizeBytes = this.#uploads.get(submission)
    if (sizeBytes === undefined) {
      const written = this.#writes.get(submission) ?? 0
      if (written / FASTEST_WRITE < UPLOAD_SHARE * lengthNs)
        return { cause: 'launch-overhead', say: text, spans: [submit] }
      return {
        cause: 'upload-not-ready',
        say: () =>
          `${text()} Before it stand ${bytesText(written)} of writeBuffer(), which the browser carries over out of the page’s sight.`,
        spans: [submit],
      }
    }
    return {
      cause: 'upload-not-ready',
      say: () =>
        `${text()} It carries an upload of ${bytesText(sizeBytes)}, which the browser hands over after submit(), out of the page’s sight.`,
      spans: [submit],
    }
  }

  /** The device had nothing to do until the host submitted: what did the host do from the gap's beginning until then? */
  #submittedAfter(submission: number, submit: number, gap: Interval, submitStartNs: number): Finding {
    // Another thread of the run, such as a loader's, delays nothing by its work.
    const host = this.#threadOf(submit)
    // The host may have submitted after the gap's estimated end, within the bounds.
    const untilNs = submitStartNs
    const ofNs = untilNs - gap.start
    const spent = (of: Activities) => host.spent(of, gap.start, untilNs)
    const waitNs = spent(AWAIT_RESULT)
    const uploadNs = spent(UPLOAD)
    const recordedNs = spent(ANY)
    const frameNs = this.#frameWaitsOf(submit).totalWithin(gap.start, untilNs)
    if (recordedNs + frameNs === 0 && !this.#isPage)
      return unknown('Nothing was recorded of the host in this time.', submit)
    const idleNs = spent(NOT_WORK) + frameNs
    // Every await of the lab's runs is recorded, so a thread that awaits nothing is at work. A page has timers, requests and scripts.
    const page = this.#isPage ? this.#pageWorkOf(submit) : null
    const workNs = page?.totalWithin(gap.start, untilNs) ?? ofNs - idleNs
    const unseenNs = page ? ofNs - idleNs - workNs : 0
    const of = (): string =>
      `${durationText(ofNs)} from the gap’s beginning to submit() of submission ${String(submission)}`
    const rankNs = spent(AWAIT_RANK)
    const most = Math.max(waitNs, uploadNs, workNs, rankNs, frameNs, unseenNs)
    if (most === unseenNs && unseenNs > waitNs)
      return unknown(
        () =>
          `For ${durationText(unseenNs)} of the ${of()} nothing is recorded of the page: timers, network, or its script.`,
        submit,
      )
    if (most === frameNs && frameNs > waitNs)
      return {
        cause: 'between-frames',
        say: () => `The page waited for its next frame for ${durationText(frameNs)} of the ${of()}.`,
        spans: [submit],
      }
    if (most === rankNs && rankNs > waitNs) {
      const wait = host.longestWait(AWAIT_RANK, gap.start, untilNs)
      return {
        cause: 'rank-waited',
        say: () =>
          `The host waited${wait ? this.#forRank(wait.span) : ''} for ${durationText(rankNs)} of the ${of()}.${wait ? this.#otherRank(wait.span, gap.start) : ''}`,
        spans: wait ? [wait.span, ...this.#otherEnd(wait.span), submit] : [submit],
      }
    }
    if (most === waitNs) {
      const wait = host.longestWait(AWAIT_RESULT, gap.start, untilNs)
      return {
        cause: 'host-waited',
        say: () =>
          `The host waited (${wait ? this.#nameOf(wait.span) : 'a result'}) for ${durationText(waitNs)} of the ${of()}.`,
        spans: wait ? [wait.span, submit] : [submit],
      }
    }
    if (most === uploadNs) {
      const fillNs = spent(FILL)
      const batchNs = spent(AWAIT_BATCH)
      const wait = host.longestWait(AWAIT, gap.start, untilNs)
      const loader = (): string => (batchNs > 0 ? `waited for its loader for ${durationText(batchNs)}, ` : '')
      return {
        cause: 'upload-not-ready',
        say: () =>
          `The host ${loader()}filled staging memory for ${durationText(fillNs)} and waited for a staging buffer for ${durationText(uploadNs - fillNs - batchNs)} of the ${of()}.`,
        spans: wait && uploadNs > fillNs ? [wait.span, submit] : [submit],
      }
    }
    const spanNs = spent(WORK)
    return {
      cause: 'host-late',
      say: () =>
        `The host awaited nothing for ${durationText(workNs)} of the ${of()} (recorded work covers ${durationText(spanNs)} of it), and had nothing queued.`,
      spans: [submit],
    }
  }

  /** The calls and waits of a profiler's file are all there are: what it does not show did not happen. */
  #findImported(before: number, after: number, gap: Interval): Finding {
    const { trace, startNs, endNs, edgeBoundNs } = this.#placed
    const { submission } = trace.spans
    const correlation = submission[after] ?? -1
    if (correlation >= 0 && correlation === submission[before])
      return {
        cause: 'launch-overhead',
        say: () =>
          `Both belong to one call (correlation ${String(correlation)}): the device went from one to the next without the host.`,
        spans: [],
      }
    const device = this.#deviceOf(after)
    if (this.#records.mayHaveRun(device, gap)) return notRecorded(() => this.#records.lostWithin(device, gap))
    const call = this.#calls[after] ?? -1
    if (call < 0) return unknown('The file names no call that brought the work after it.')
    const [boundNs] = edgeBoundNs(before, 'end')
    const calledNs = startNs[call] ?? Number.NaN
    const returnedNs = endNs[call] ?? Number.NaN
    const name = this.#nameOf(call)
    const lengthNs = gap.end - gap.start
    const isPageable = PAGEABLE_UPLOAD.test(this.#nameOf(after))
    const stagedNs = gap.end - Math.max(calledNs, gap.start)
    if (isPageable && stagedNs >= lengthNs / 2 && stagedNs >= UPLOAD_SHARE * (gap.end - calledNs))
      return {
        cause: 'upload-not-ready',
        say: () =>
          `${name}() had been called, and for ${durationText(stagedNs)} of the gap the driver staged pageable memory (${bytesText(trace.spans.bytes[after] ?? 0)}) before the copy began.`,
        spans: [call],
      }
    if (calledNs <= gap.start + boundNs && calledNs > gap.start - boundNs && boundNs > lengthNs)
      return unknown(
        () =>
          `${name}() was called about when the gap began; the clocks agree to ${durationText(boundNs)} only, and the gap is ${durationText(lengthNs)} long.`,
        call,
      )
    if (calledNs <= gap.start)
      return {
        cause: 'launch-overhead',
        say: () =>
          returnedNs <= gap.start
            ? `${name}() had returned ${durationText(gap.start - returnedNs)} before the gap began.`
            : `${name}() had been called ${durationText(gap.start - calledNs)} before the gap began, and was still at it.`,
        spans: [call],
      }
    return this.#calledAfter(call, gap, calledNs, boundNs)
  }

  /** In CUDA a wait ends as the gap begins: what makes the gap is that the thread was in it, not how long it lasted on. */
  #calledAfter(call: number, gap: Interval, calledNs: number, boundNs: number): Finding {
    const { startNs, endNs } = this.#placed
    const host = this.#threadOf(call)
    const name = this.#nameOf(call)
    const after = (): string =>
      `${name}() was called ${durationText(calledNs - gap.start)} after the gap began`
    const rankNs = host.spent(AWAIT_RANK, gap.start, calledNs)
    if (rankNs > host.spent(AWAIT, gap.start, calledNs) && rankNs * 2 >= calledNs - gap.start) {
      const message = host.longestWait(AWAIT_RANK, gap.start, calledNs)
      return {
        cause: 'rank-waited',
        say: () =>
          `The thread waited${message ? this.#forRank(message.span) : ''} for ${durationText(rankNs)} of the gap; ${after()}, ${started()}.${message ? this.#otherRank(message.span, gap.start) : ''}`,
        spans: message ? [message.span, ...this.#otherEnd(message.span), call] : [call],
      }
    }
    const [fromNs, toNs] = [gap.start - boundNs, Math.max(gap.start + boundNs, gap.start + 1)]
    const wait = host.longestWait(AWAIT, fromNs, toNs)
    const started = (): string => `and the work began ${durationText(Math.max(0, gap.end - calledNs))} later`
    if (wait && (startNs[wait.span] ?? Infinity) < gap.start) {
      const lastedNs = (endNs[wait.span] ?? 0) - gap.start
      return {
        cause: 'host-waited',
        say: () =>
          `The thread was in ${this.#nameOf(wait.span)}() when the gap began and for ${durationText(Math.max(0, lastedNs))} of it; ${after()}, ${started()}.`,
        spans: [wait.span, call],
      }
    }
    const waitNs = host.spent(AWAIT, gap.start, calledNs)
    const longest = host.longestWait(AWAIT, gap.start, calledNs)
    if (longest && waitNs * 2 >= calledNs - gap.start)
      return {
        cause: 'host-waited',
        say: () =>
          `The thread was in ${this.#nameOf(longest.span)}() and other waits for ${durationText(waitNs)}; ${after()}, ${started()}.`,
        spans: [longest.span, call],
      }
    const spentNs = host.spent(WORK_OR_FILL, gap.start, calledNs)
    return {
      cause: 'host-late',
      say: () =>
        `${after()}, ${started()}; until then the thread was in no wait (recorded work covers ${durationText(spentNs)}).`,
      spans: [call],
    }
  }

  /** ' for rank 1 to send (recv from 1)': what a call that awaits another rank awaits. */
  #forRank(span: number): string {
    const { trace } = this.#placed
    const peer = collectiveOfSpan(trace, span)?.peer
    const role = SPAN_ROLES[trace.spans.role[span] ?? -1]
    const does = role === 'recv' ? ' to send' : role === 'send' ? ' to receive' : ''
    const whom = peer === undefined ? 'another rank' : `rank ${String(peer)}`
    return ` for ${whom}${does} (${this.#nameOf(span)})`
  }

  /** The call at the other end, where the trace has it. */
  #otherEnd(span: number): readonly number[] {
    const other = messagePeers(this.#placed.trace).get(span)
    return other === undefined ? [] : [other]
  }

  /** When the other rank came to it: before that nothing was on its way. */
  #otherRank(span: number, gapStartNs: number): string {
    const { trace, startNs, edgeBoundNs } = this.#placed
    const [other] = this.#otherEnd(span)
    if (other === undefined) return ''
    const rank = rankOfLane(trace.lanes[trace.spans.lane[other] ?? -1]?.name ?? '')
    const sinceNs = (startNs[other] ?? Number.NaN) - gapStartNs
    const who = `${Number.isNaN(rank) ? 'The other rank' : `Rank ${String(rank)}`} came to its ${this.#nameOf(other)}`
    const when =
      Math.abs(sinceNs) <= Math.max(...edgeBoundNs(other, 'start'), ...edgeBoundNs(span, 'start'))
        ? 'about when the gap began'
        : `${durationText(Math.abs(sinceNs))} ${sinceNs > 0 ? 'after' : 'before'} the gap began`
    return ` ${who} ${when}.`
  }

  #threadOf(call: number): HostTimes {
    const lane = this.#placed.trace.spans.lane[call] ?? -1
    let times = this.#threads.get(lane)
    if (!times) {
      times = new HostTimes(
        this.#placed,
        lane,
        (span) => this.#placed.trace.spans.kind[span] !== WAIT || this.#isHeld(span),
      )
      this.#threads.set(lane, times)
    }
    return times
  }

  #frameWaitsOf(call: number): IndexedSet {
    const lane = this.#placed.trace.spans.lane[call] ?? -1
    let waits = this.#frameWaits.get(lane)
    if (!waits) this.#frameWaits.set(lane, (waits = frameWaits(this.#placed, lane, this.#isHeld)))
    return waits
  }

  #pageWorkOf(call: number): IndexedSet {
    const lane = this.#placed.trace.spans.lane[call] ?? -1
    let work = this.#pageWork.get(lane)
    if (!work) this.#pageWork.set(lane, (work = IndexedSet.of(pageWork(this.#placed.trace, lane))))
    return work
  }

  #deviceOf(span: number): string {
    const { spans, lanes } = this.#placed.trace
    return lanes[spans.lane[span] ?? -1]?.group ?? ''
  }

  #isImported(span: number): boolean {
    return SPAN_SOURCES[this.#placed.trace.spans.source[span] ?? -1] === 'imported'
  }

  #nameOf(span: number): string {
    const { spans, strings } = this.#placed.trace
    return strings[spans.name[span] ?? -1] ?? ''
  }
}

const unknown = (evidence: string | (() => string), ...spans: readonly number[]): Finding => ({
  cause: 'unknown',
  say: typeof evidence === 'string' ? () => evidence : evidence,
  spans,
})

const notRecorded = (countOf: () => number): Finding => ({
  cause: 'not-recorded',
  say: () => {
    const count = countOf()
    return `${count === 1 ? 'One launch' : `${String(count)} launches`} that may have worked here ${count === 1 ? 'has' : 'have'} no record on the device.`
  },
  spans: [],
})
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
