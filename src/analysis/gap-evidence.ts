/**
 * Why the device was idle between two spans of work: what is recorded of the call that brought the
 * second, and of the thread that made it. Asked by gaps.ts for the passes of a repeat, and by
 * devices.ts for any two spans of any trace. Times in host ns.
 */
import { madeOnce } from '../base/lists'
import { bytesText, durationText } from '../base/figures'
import { edgeBoundNs, type PlacedTrace } from '../trace/place'
import { rowsThat } from '../trace/columns'
import type { GapCause } from '../trace/gaps'
import { FLOW_KINDS, RECORDED_PAGE, SPAN_KINDS, SPAN_ROLES, SPAN_SOURCES, type Trace } from '../trace/schema'
import { LaunchRecords, type LostStretch } from './coverage'
import { GapHost, NOT_RECORDED, unknown, type GapFinding } from './gap-host'
import { profileGap } from './gap-profile'
import { activities, pageWork, type Activities, frameWaits } from './host-activity'
import { IndexedSet } from './intervals'
import type { Interval } from './types'

/**
 * A submission that was queued before the gap began and carries an upload: the gap is the upload's
 * when it is at least this share of the time since submit(). Bytes handed over while earlier work
 * ran leave a gap of microseconds after milliseconds of waiting.
 */
const UPLOAD_SHARE = 0.1

/**
 * Bytes a ns, more than any browser was seen to carry (8.7 GB/s, with two mapped buffers): bytes of
 * writeBuffer() are named as what the device waits for only where they would fill UPLOAD_SHARE of
 * the gap even at this rate.
 */
const FASTEST_WRITE = 10

const AWAIT_RESULT = activities('await-result')
const AWAIT = activities('await-result', 'await-staging', 'await-batch')
const AWAIT_BATCH = activities('await-batch')
const AWAIT_RANK = activities('await-rank')
const FILL = activities('fill')
const UPLOAD = activities('await-staging', 'await-batch', 'fill')
const NOT_WORK = activities('await-result', 'await-staging', 'await-batch', 'await-rank', 'fill')
const ANY = activities(...AWAIT, 'await-rank', 'fill', 'work', 'encode', 'submit')

const SUBMIT = SPAN_KINDS.indexOf('submit')

function submitsOf({ spans }: Trace): ReadonlyMap<number, number> {
  const submits = new Map<number, number>()
  for (let span = 0; span < spans.length; span += 1)
    if (spans.kind[span] === SUBMIT) submits.set(spans.submission[span] ?? -1, span)
  return submits
}

/** The recorded host, ready to be asked about one gap after the other. */
export class GapEvidence {
  readonly #placed: PlacedTrace
  /** Submission -> its submit() span; made when it is first asked for, which no profile does. */
  #submits: ReadonlyMap<number, number> | null = null
  /** Submission -> bytes of the uploads it carries. */
  readonly #uploads = new Map<number, number>()
  /**
   * Submission -> bytes that writeBuffer() put into the queue before it, since the submission
   * before.
   */
  readonly #writes = new Map<number, number>()
  readonly #records: LaunchRecords
  readonly #isPage: boolean
  readonly #host: GapHost
  /** When it waited for a frame, by lane. */
  readonly #frameWaits = new Map<number, IndexedSet>()
  /** When it was at work, where it is a page's. */
  readonly #pageWork = new Map<number, IndexedSet>()

  constructor(placed: PlacedTrace, records = new LaunchRecords(placed)) {
    this.#placed = placed
    this.#records = records
    this.#isPage = placed.trace.info.experiment === RECORDED_PAGE
    this.#host = new GapHost(placed)
    const { spans, flows } = placed.trace
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

  /**
   * Writes are queued as submissions are. Which device's queue a write is for is not recorded: with
   * several nothing is concluded.
   */
  #collectWrites(): void {
    const { trace, startNs } = this.#placed
    const { kind, role, bytes, submission, length } = trace.spans
    if (trace.lanes.filter((lane) => lane.kind === 'device').length !== 1) return
    const write = SPAN_ROLES.indexOf('write')
    if (!role.subarray(0, length).includes(write)) return
    const calls = rowsThat(length, (span) => role[span] === write || kind[span] === SUBMIT)
    let written = 0
    for (const span of calls.toSorted((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0))) {
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

  find(before: number, after: number, gap: Interval): GapFinding {
    if (before < 0 || after < 0) return NOT_RECORDED
    if (this.#isImported(after))
      return profileGap(this.#host, this.#records, this.#deviceOf(after), [before, after], gap)
    const { trace, startNs, endNs } = this.#placed
    const submission = trace.spans.submission[after] ?? -1
    const name = `submission ${String(submission)}`
    if (submission >= 0 && submission === trace.spans.submission[before])
      return {
        cause: 'launch-overhead',
        say: () => `Both passes belong to ${name}: the device went from one to the next without the host.`,
        spans: [],
      }
    this.#submits ??= submitsOf(trace)
    const submit = this.#submits.get(submission)
    if (submit === undefined) return unknown('No submit() was recorded for the pass after it.')
    if (Number.isNaN(gap.start))
      return unknown(
        'The device clock could not be tied to the host’s, so what the host did meanwhile is not known.',
        submit,
      )

    const [earlierNs, laterNs] = edgeBoundNs(this.#placed, before, 'end')
    const hostStepNs = 2 * edgeBoundNs(this.#placed, submit, 'end')[0]
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
          `${capital(name)} was submitted about when the gap began; the clocks agree only to ${durationText(bound)}, and the gap lasts ${durationText(lengthNs)}.`,
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
  #submittedBefore(submission: number, submit: number, submitEndNs: number, gap: Interval): GapFinding {
    const aheadNs = gap.start - submitEndNs
    const text = (): string =>
      `submit() of submission ${String(submission)} had returned ${durationText(aheadNs)} before the gap began.`
    const share = (gap.end - gap.start) / (gap.end - submitEndNs)
    if (share >= UPLOAD_SHARE) return this.#launch(submission, submit, gap.end - gap.start, text)
    return { cause: 'launch-overhead', say: text, spans: [submit] }
  }

  #launch(submission: number, submit: number, lengthNs: number, text: () => string): GapFinding {
    const sizeBytes = this.#uploads.get(submission)
    if (sizeBytes === undefined) {
      const written = this.#writes.get(submission) ?? 0
      if (written / FASTEST_WRITE < UPLOAD_SHARE * lengthNs)
        return { cause: 'launch-overhead', say: text, spans: [submit] }
      return {
        cause: 'upload-not-ready',
        say: () =>
          `${text()} Queued before it are ${bytesText(written)} from writeBuffer(), which the browser transfers out of the page’s sight.`,
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

  /**
   * The device had nothing to do until the host submitted: what did the host do from the gap's
   * beginning until then?
   */
  #submittedAfter(submission: number, submit: number, gap: Interval, submitStartNs: number): GapFinding {
    // Another thread of the run, such as a loader's, delays nothing by its work.
    const host = this.#host.threadOf(submit)
    // The host may have submitted after the gap's estimated end, within the bounds.
    const untilNs = submitStartNs
    const ofNs = untilNs - gap.start
    const spent = (of: Activities) => host.spent(of, gap.start, untilNs)
    const waitNs = spent(AWAIT_RESULT)
    const uploadNs = spent(UPLOAD)
    const recordedNs = spent(ANY)
    const frameNs = this.#frameWaitsOf(submit).totalWithin(gap.start, untilNs)
    if (recordedNs + frameNs === 0 && !this.#isPage)
      return unknown('No host activity was recorded in this time.', submit)
    const idleNs = spent(NOT_WORK) + frameNs
    // Every await of the lab's runs is recorded, so a thread that awaits nothing is at work. A page
    // has timers, requests and scripts.
    const page = this.#isPage ? this.#pageWorkOf(submit) : null
    const workNs = page?.totalWithin(gap.start, untilNs) ?? ofNs - idleNs
    const unseenNs = page ? ofNs - idleNs - workNs : 0
    const of = (): string =>
      `${durationText(ofNs)} from the gap’s beginning to submit() of submission ${String(submission)}`
    const rankNs = spent(AWAIT_RANK)
    const most = Math.max(waitNs, uploadNs, workNs, rankNs, frameNs, unseenNs)
    const found = (cause: GapCause, say: () => string, ...spans: readonly number[]): GapFinding => ({
      cause,
      say,
      spans: [...spans, submit],
    })
    const longest = (which: Activities) => host.longest(which, gap.start, untilNs) ?? submit
    if (most === waitNs) {
      const wait = longest(AWAIT_RESULT)
      const say = () =>
        `The host waited (${this.#host.nameOf(wait)}) for ${durationText(waitNs)} of the ${of()}.`
      return found('host-waited', say, wait)
    }
    if (most === unseenNs)
      return found(
        'unknown',
        () =>
          `For ${durationText(unseenNs)} of the ${of()}, nothing of the page is recorded: it may be timers, the network or its script.`,
      )
    if (most === frameNs)
      return found(
        'between-frames',
        () => `The page waited for its next frame for ${durationText(frameNs)} of the ${of()}.`,
      )
    if (most === rankNs) {
      const wait = longest(AWAIT_RANK)
      const say = () =>
        `The host waited${this.#host.forRank(wait)} for ${durationText(rankNs)} of the ${of()}.`
      return found('rank-waited', say, wait, ...this.#host.otherEnd(wait))
    }
    if (most === uploadNs) {
      const [fillNs, batchNs] = [spent(FILL), spent(AWAIT_BATCH)]
      const loader = (): string => (batchNs > 0 ? `waited for its loader for ${durationText(batchNs)}, ` : '')
      const say = () =>
        `The host ${loader()}filled staging memory for ${durationText(fillNs)} and waited for a staging buffer for ${durationText(uploadNs - fillNs - batchNs)} of the ${of()}.`
      return uploadNs > fillNs
        ? found('upload-not-ready', say, longest(AWAIT))
        : found('upload-not-ready', say)
    }
    return found(
      'host-late',
      () => `For ${durationText(workNs)} of the ${of()}, the host awaited nothing and had nothing queued.`,
    )
  }

  #frameWaitsOf(call: number): IndexedSet {
    const lane = this.#placed.trace.spans.lane[call] ?? -1
    return madeOnce(this.#frameWaits, lane, () => frameWaits(this.#placed, lane, this.#host.isHeld))
  }

  #pageWorkOf(call: number): IndexedSet {
    const lane = this.#placed.trace.spans.lane[call] ?? -1
    return madeOnce(this.#pageWork, lane, () => IndexedSet.of(pageWork(this.#placed.trace, lane)))
  }

  #deviceOf(span: number): string {
    return this.#placed.trace.lanes[this.#placed.trace.spans.lane[span] ?? -1]?.group ?? ''
  }

  #isImported(span: number): boolean {
    return SPAN_SOURCES[this.#placed.trace.spans.source[span] ?? -1] === 'imported'
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
