/**
 * Submissions. Each has an id and host times (submit called, submit returned, completion reported).
 * Once its timestamps are read, it has the device's begin and end of each pass:
 *
 *   host    ▇encode▇ ▇submit▇                ▁▁▁▁▁wait▁▁▁▁▁
 *   queue            [───────────── queued ─────────────────]      depth +1 … −1
 *   device                    [▇▇ pass ▇▇][▇▇ pass ▇▇]   ^ reported later: Chromium polls for it
 *
 * WebGPU has one queue a device and no priorities; command buffers run in the order submitted.
 */
import { madeOnce } from '../base/lists'
import type { Buffers } from './buffers'
import type { Encoders } from './encoders'
import { prefixed, type SpanWriter } from './span-writer'
import { type Natives, react } from './realm'
import { added, type DeviceRecord, type Encoding, type Submission, Pace } from './records'

/**
 * A longer queue is asked at most so many questions. Each submission is then reported later by
 * this share of the queue’s time. A question costs the host several times what recording the rest
 * of a submission does (npm run bench -- recorder: ‘questions alone’).
 */
const QUESTIONS_A_QUEUE = 16

export class Queues {
  readonly #writer: SpanWriter
  readonly #natives: Natives
  readonly #buffers: Buffers
  readonly #encoders: Encoders
  #nextId = 0

  constructor(writer: SpanWriter, natives: Natives, buffers: Buffers, encoders: Encoders) {
    this.#writer = writer
    this.#natives = natives
    this.#buffers = buffers
    this.#encoders = encoders
  }

  /**
   * Called after submit() has returned. Asks at once when the submission is complete, even if the
   * program will ask itself. On an H200, one answer for both made a program that awaits kernels
   * of some µs slower by 0.6 ms a submission. With timestamps such a kernel ends just after
   * Chromium’s first poll, and the second question makes it poll again (0.04 ms). Only where an
   * answer is due anyway, and the submissions since then are short (Pace) or few beside the
   * queue, the next question serves for these too.
   */
  submitted(
    device: DeviceRecord,
    encodings: readonly Encoding[],
    submitStartNs: number,
    submitEndNs: number,
  ): void {
    const writer = this.#writer
    writer.submits += 1
    if (encodings.length === 0) {
      writer.onVain('empty')
      writer.saw('empty submits')
    }
    if (device.lost) {
      writer.onVain('void')
      const line = writer.line('submit')
      writer.host('submit', 'submit', 'submit to a lost device', submitStartNs, submitEndNs, { line })
      return
    }
    const id = this.#nextId
    this.#nextId += 1
    const label = labelOf(encodings)
    const { tag } = writer
    for (const encoding of encodings) this.#encoders.writeEncodeSpan(encoding, id)
    const name = prefixed('submit', label)
    const line = writer.line('submit')
    const submission: Submission = {
      id,
      label,
      tag,
      device,
      span: writer.host('submit', 'submit', name, submitStartNs, submitEndNs, { submission: id, line }),
      submitStartNs,
      submitEndNs,
      completedNs: null,
      encodings,
      buffers: null,
      waits: null,
      lastPass: -1,
      state: 'pending',
      listeners: null,
    }
    for (const { stamped, uses } of encodings) {
      if (uses) for (const { buffer, bytes } of uses) this.#buffers.used(buffer, submission, bytes)
      if (stamped)
        for (const each of stamped)
          if (each.sources) each.fills = each.sources.map(({ filledSpan }) => filledSpan)
    }
    if (device.unmapped.length > 0)
      for (const buffer of device.unmapped.splice(0)) this.#buffers.used(buffer, submission, 0)
    const { inFlight } = device
    const oldest = inFlight[0]
    const pace = paceOf(device, tag.variant)
    if (!oldest) pace.busyFrom(submitStartNs)
    inFlight.push(submission)
    this.#sampleDepth(device, submitStartNs)
    device.pending.push(submission)
    device.last = submission
    const isAnswerToCome = oldest !== undefined && device.asked >= oldest.id
    const unasked = id - device.asked
    if (!isAnswerToCome || !(pace.coversAtOnce(unasked) || unasked * QUESTIONS_A_QUEUE <= inFlight.length))
      this.#ask(device, submission)
  }

  /** The program asks itself about this submission: `reached` or `unanswered` follows. */
  programAsks({ id, device }: Submission): void {
    device.asked = Math.max(device.asked, id)
  }

  /** What the program asked for was given up, as a map is by unmap(), or failed with the device. */
  unanswered({ state, device }: Submission): void {
    if (state === 'pending' && device.last) this.#ask(device, device.last)
  }

  /** The newest submission is asked about now, where it was not. */
  askForLast(device: DeviceRecord): void {
    const { last } = device
    if (last?.state === 'pending' && device.asked < last.id) this.#ask(device, last)
  }

  /** Reported complete: this submission, and with it all before it on its queue (WebGPU §19.2). */
  reached(submission: Submission): void {
    const { device } = submission
    const { inFlight } = device
    if (submission.state !== 'pending') return
    const now = this.#writer.now()
    let count = 0
    for (let first = inFlight[0]; first && first.id <= submission.id; first = inFlight[0]) {
      inFlight.shift()
      count += 1
      this.#sampleDepth(device, now)
      this.#completed(first, now)
    }
    paceOf(device, submission.tag.variant).completed(count, now, inFlight.length === 0)
    // Those at the end that no later question serves for.
    if ((inFlight[0]?.id ?? -1) > device.asked) this.askForLast(device)
  }

  #ask(device: DeviceRecord, submission: Submission): void {
    device.asked = submission.id
    react(
      this.#natives.onSubmittedWorkDone(device.queue),
      () => {
        this.reached(submission)
      },
      () => {
        // A lost device.
        while (device.inFlight[0] && device.inFlight[0].id <= submission.id) {
          const failed = device.inFlight.shift()
          if (failed) this.#settle(failed, 'failed')
        }
      },
    )
  }

  /** The device is lost: what is not complete will not be. */
  lost(device: DeviceRecord): void {
    for (const submission of device.inFlight.splice(0)) this.#settle(submission, 'failed')
  }

  #completed(submission: Submission, now: number): void {
    const writer = this.#writer
    const { device, id, label, tag, submitStartNs } = submission
    submission.completedNs = now
    const name = label === '' ? 'submission' : label
    writer.span(device.queueLane, 'queued', 'none', name, submitStartNs, now, { submission: id, tag })
    this.#settle(submission, 'complete')
  }

  #settle(submission: Submission, state: 'complete' | 'failed'): void {
    submission.state = state
    this.#buffers.released(submission, submission.completedNs ?? this.#writer.now())
    const { listeners } = submission
    submission.listeners = null
    for (const listener of listeners ?? []) listener()
  }

  #sampleDepth({ depthCounter, inFlight }: DeviceRecord, timeNs: number): void {
    if (this.#writer.on) this.#writer.builder.addCounterSample(depthCounter, timeNs, inFlight.length)
  }
}

const paceOf = ({ paces }: DeviceRecord, variant: string | undefined): Pace =>
  madeOnce(paces, variant, () => new Pace())

/** A submission has no label of its own in WebGPU: it is named after its command buffers. */
function labelOf(encodings: readonly Encoding[]): string {
  const [first, second] = encodings
  if (!first) return ''
  if (!second) return first.label
  return first.label === ''
    ? `${encodings.length} command buffers`
    : `${first.label} and ${encodings.length - 1} more`
}

/** Once that is known: whether it was reported complete, or its device was lost before. */
export const isCompleted = (submission: Submission): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (): void => {
      resolve(submission.state === 'complete')
    }
    if (submission.state === 'pending') submission.listeners = added(submission.listeners, settle)
    else settle()
  })
