/**
 * Every stretch of a repeat in which the device did nothing, with its cause and the evidence.
 *
 * A gap lies between consecutive passes of one (variant, repeat), where neither a pass nor a bracketed copy covers it. Its length
 * is a difference of device ticks and needs no clock fit. Its cause does: it asks whether submit() of the pass after came before
 * the gap began or after it, and what the host did until then. The fit's bounds decide whether that can be told at all.
 *
 *   device  ▇ before ▇│            gap            │▇ after ▇        submit() before the gap began, bounds included:
 *   host        ▁▁▁wait▁▁▁▁▁▁ ▇encode▇▇submit▇                         launch-overhead (or the upload it carries)
 *                     └── what it did here is the cause ──┘          submit() after: host-waited, upload-not-ready, host-late
 */
import type { PlacedTrace } from '../trace/place'
import { FLOW_KINDS, SPAN_KINDS } from '../trace/schema'
import { deviceWindows, type DeviceWindow } from './device-windows'
import { HOST_ACTIVITIES, HostTimes, type HostActivity } from './host-activity'
import { subtract, union } from './intervals'
import type { Gap, GapCause, Interval } from './types'
import { sayBytes, sayDuration } from './wording'

/**
 * A submission that was queued before the gap began and carries an upload: the gap is the upload's when it is at least this share
 * of the time since submit(). Bytes handed over while earlier work ran leave a gap of microseconds after milliseconds of waiting.
 */
const UPLOAD_SHARE = 0.1

interface Finding {
  readonly cause: GapCause
  readonly evidence: string
  readonly spans: readonly number[]
}

/** Gaps of all device lanes, by lane, repeat and start. */
export function findGaps(placed: PlacedTrace): readonly Gap[] {
  const windows = deviceWindows(placed.trace)
  if (windows.length === 0) return []
  const evidence = new Evidence(placed)
  const copies = copiesByWindow(placed)
  return windows.flatMap((window) => gapsOf(window, placed, evidence, copies.get(windowKey(window)) ?? []))
}

const windowKey = ({ lane, variantIndex, repeat }: { lane: number; variantIndex: number; repeat: number }) =>
  `${String(lane)} ${String(variantIndex)} ${String(repeat)}`

/** Copies bracketed by passes, in ticks: the device was at work there, though not in a pass. */
function copiesByWindow({ trace: { spans } }: PlacedTrace): ReadonlyMap<string, readonly Interval[]> {
  const transfer = SPAN_KINDS.indexOf('transfer')
  const copies = new Map<string, Interval[]>()
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.kind[span] !== transfer) continue
    const key = windowKey({
      lane: spans.lane[span] ?? -1,
      variantIndex: spans.variant[span] ?? -1,
      repeat: spans.repeat[span] ?? -1,
    })
    const list = copies.get(key) ?? []
    list.push({ start: spans.start[span] ?? 0, end: spans.end[span] ?? 0 })
    copies.set(key, list)
  }
  return new Map([...copies].map(([key, list]) => [key, union(list)]))
}

function gapsOf(
  window: DeviceWindow,
  { trace, fits }: PlacedTrace,
  evidence: Evidence,
  copies: readonly Interval[],
): readonly Gap[] {
  const { start, end } = trace.spans
  const clock = trace.lanes[window.lane]?.clock ?? -1
  const fit = fits[clock] ?? null
  const middle = (trace.clocks[clock]?.stepNs ?? 0) / 2
  const place = (tick: number) => (fit ? fit.toHostNs(tick + middle) : Number.NaN)
  const gaps: Gap[] = []
  let before = window.passes[0] ?? -1
  for (const after of window.passes.slice(1)) {
    const idle = { start: end[before] ?? 0, end: start[after] ?? 0 }
    for (const piece of idle.end > idle.start ? subtract([idle], copies) : []) {
      const placedPiece = { start: place(piece.start), end: place(piece.end) }
      const finding = evidence.find(before, after, placedPiece)
      gaps.push({
        lane: window.lane,
        startNs: placedPiece.start,
        endNs: placedPiece.end,
        durationNs: piece.end - piece.start,
        cause: finding.cause,
        evidence: finding.evidence,
        spans: finding.spans,
        before,
        after,
        variant: window.variantIndex,
        repeat: window.repeat,
      })
    }
    // Passes may be stamped as overlapping (TOP_OF_PIPE): what counts is the last end so far.
    if ((end[after] ?? 0) >= (end[before] ?? 0)) before = after
  }
  return gaps
}

/** What was recorded of the host, ready to be asked about one gap after the other. */
class Evidence {
  readonly #placed: PlacedTrace
  readonly #host: HostTimes
  /** Submission -> its submit() span. */
  readonly #submits = new Map<number, number>()
  /** Submission -> bytes of the uploads it carries. */
  readonly #uploads = new Map<number, number>()

  constructor(placed: PlacedTrace) {
    this.#placed = placed
    this.#host = new HostTimes(placed)
    const { spans, flows } = placed.trace
    const submit = SPAN_KINDS.indexOf('submit')
    for (let span = 0; span < spans.length; span += 1)
      if (spans.kind[span] === submit) this.#submits.set(spans.submission[span] ?? -1, span)
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

  find(before: number, after: number, gap: Interval): Finding {
    const { trace, startNs, endNs, edgeBoundNs } = this.#placed
    const submission = trace.spans.submission[after] ?? -1
    const name = `submission ${String(submission)}`
    if (submission >= 0 && submission === trace.spans.submission[before])
      return {
        cause: 'launch-overhead',
        evidence: `Both passes belong to ${name}: the device went from one to the next without the host.`,
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
        `${capital(name)} was submitted about when the gap began; the clocks agree to ${sayDuration(bound)} only, and the gap is ${sayDuration(lengthNs)} long.`,
        submit,
      )
    return this.#launch(
      submission,
      submit,
      `${capital(name)} was submitted about when the gap began (within ${sayDuration(bound)}), and took the rest of it to start.`,
    )
  }

  /** The device had it in its queue when the gap began. */
  #submittedBefore(submission: number, submit: number, submitEndNs: number, gap: Interval): Finding {
    const aheadNs = gap.start - submitEndNs
    const text = `submit() of submission ${String(submission)} had returned ${sayDuration(aheadNs)} before the gap began.`
    const share = (gap.end - gap.start) / (gap.end - submitEndNs)
    if (share >= UPLOAD_SHARE) return this.#launch(submission, submit, text)
    return { cause: 'launch-overhead', evidence: text, spans: [submit] }
  }

  #launch(submission: number, submit: number, text: string): Finding {
    const sizeBytes = this.#uploads.get(submission)
    if (sizeBytes === undefined) return { cause: 'launch-overhead', evidence: text, spans: [submit] }
    return {
      cause: 'upload-not-ready',
      evidence: `${text} It carries an upload of ${sayBytes(sizeBytes)}, which the browser hands over after submit(), out of the page’s sight.`,
      spans: [submit],
    }
  }

  /** The device had nothing to do until the host submitted: what did the host do from the gap's beginning until then? */
  #submittedAfter(submission: number, submit: number, gap: Interval, submitStartNs: number): Finding {
    const host = this.#host
    // The host may have submitted after the gap's estimated end, within the bounds.
    const untilNs = submitStartNs
    const ofNs = untilNs - gap.start
    const spent = (...activities: readonly HostActivity[]) => host.spent(activities, gap.start, untilNs)
    const waitNs = spent('await-result')
    const uploadNs = spent('await-staging', 'fill')
    const recordedNs = spent(...HOST_ACTIVITIES)
    if (recordedNs === 0) return unknown('Nothing was recorded of the host in this time.', submit)
    // A thread that awaits nothing is at work, recorded or not: every await of a run is recorded.
    const workNs = ofNs - spent('await-result', 'await-staging', 'fill')
    const of = `${sayDuration(ofNs)} from the gap’s beginning to submit() of submission ${String(submission)}`
    const most = Math.max(waitNs, uploadNs, workNs)
    if (most === waitNs) {
      const wait = host.longestWait(gap.start, untilNs)
      const what = wait ? this.#nameOf(wait.span) : 'a result'
      return {
        cause: 'host-waited',
        evidence: `The host waited (${what}) for ${sayDuration(waitNs)} of the ${of}.`,
        spans: wait ? [wait.span, submit] : [submit],
      }
    }
    if (most === uploadNs) {
      const fillNs = spent('fill')
      const wait = host.longestWait(gap.start, untilNs)
      return {
        cause: 'upload-not-ready',
        evidence: `The host filled staging memory for ${sayDuration(fillNs)} and waited for a staging buffer for ${sayDuration(uploadNs - fillNs)} of the ${of}.`,
        spans: wait && uploadNs > fillNs ? [wait.span, submit] : [submit],
      }
    }
    const spanNs = spent('work', 'encode', 'submit')
    return {
      cause: 'host-late',
      evidence: `The host awaited nothing for ${sayDuration(workNs)} of the ${of} (recorded work covers ${sayDuration(spanNs)} of it), and had nothing queued.`,
      spans: [submit],
    }
  }

  #nameOf(span: number): string {
    const { spans, strings } = this.#placed.trace
    return strings[spans.name[span] ?? -1] ?? ''
  }
}

const unknown = (evidence: string, ...spans: readonly number[]): Finding => ({
  cause: 'unknown',
  evidence,
  spans,
})
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
