/**
 * Submissions. Each has an id, and carries host times (submit called, submit returned, completion reported) and, once its timestamps are
 * read, the device's begin and end of each pass:
 *
 *   host    ▇encode▇ ▇submit▇                ▁▁▁▁▁wait▁▁▁▁▁
 *   queue            [───────────── queued ─────────────────]      depth +1 … −1
 *   device                    [▇▇ pass ▇▇][▇▇ pass ▇▇]   ^ reported some ms after the end (Chromium polls for completion)
 *
 * WebGPU has one queue a device and no priorities; command buffers run in the order submitted.
 */
import type { Buffers } from './buffers'
import type { Encoders } from './encoders'
import { react } from './intrinsics'
import type { Journal } from './journal'
import type { Natives } from './realm'
import type { DeviceRecord, Encoding, Submission } from './records'

export class Queues {
  readonly #journal: Journal
  readonly #natives: Natives
  readonly #buffers: Buffers
  readonly #encoders: Encoders
  #nextId = 0

  constructor(journal: Journal, natives: Natives, buffers: Buffers, encoders: Encoders) {
    this.#journal = journal
    this.#natives = natives
    this.#buffers = buffers
    this.#encoders = encoders
  }

  /** After submit() has returned. Asks at once when the submission is complete. */
  submitted(
    device: DeviceRecord,
    encodings: readonly Encoding[],
    submitStartNs: number,
    submitEndNs: number,
  ): void {
    const journal = this.#journal
    const id = this.#nextId
    this.#nextId += 1
    const label = labelOf(encodings)
    const { tag } = journal
    for (const encoding of encodings) this.#encoders.writeEncodeSpan(encoding, id)
    const name = label === '' ? 'submit' : `submit ${label}`
    const line = journal.line('submit')
    const submission: Submission = {
      id,
      label,
      tag,
      device,
      span: journal.host('submit', 'submit', name, submitStartNs, submitEndNs, { submission: id, line }),
      submitStartNs,
      submitEndNs,
      completedNs: null,
      encodings,
      buffers: [],
      waits: [],
      lastPass: -1,
      settled: { state: 'pending', listeners: [] },
    }
    for (const { stamped, uses } of encodings) {
      for (const { buffer, bytes } of uses) this.#buffers.used(buffer, submission, bytes)
      for (const each of stamped)
        if (each.sources.length > 0) each.fills = each.sources.map(({ filledSpan }) => filledSpan)
    }
    for (const buffer of device.unmapped.splice(0)) this.#buffers.used(buffer, submission, 0)
    this.#changeDepth(device, 1, submitStartNs)
    device.pending.push(submission)
    device.last = submission
    react(
      this.#natives.onSubmittedWorkDone(device.queue),
      () => {
        this.#completed(submission)
      },
      () => {
        this.#settle(submission, 'failed')
      },
    )
  }

  /** The device is lost: what is not complete will not be. */
  lost(device: DeviceRecord): void {
    for (const submission of [...device.collecting, ...device.pending]) this.#settle(submission, 'failed')
  }

  #completed(submission: Submission): void {
    if (submission.settled.state !== 'pending') return
    const journal = this.#journal
    const { device, id, label, tag, submitStartNs } = submission
    const now = journal.now()
    submission.completedNs = now
    this.#changeDepth(device, -1, now)
    const name = label === '' ? 'submission' : label
    journal.span(device.queueLane, 'queued', 'none', name, submitStartNs, now, { submission: id, tag })
    this.#settle(submission, 'complete')
  }

  #settle(submission: Submission, state: 'complete' | 'failed'): void {
    const { settled } = submission
    if (settled.state !== 'pending') return
    settled.state = state
    this.#buffers.released(submission, submission.completedNs ?? this.#journal.now())
    for (const listener of settled.listeners.splice(0)) listener()
  }

  #changeDepth(device: DeviceRecord, change: 1 | -1, timeNs: number): void {
    device.depth += change
    if (this.#journal.on) this.#journal.builder.addCounterSample(device.depthCounter, timeNs, device.depth)
  }
}

/** A submission has no label of its own in WebGPU: it is named after its command buffers. */
function labelOf(encodings: readonly Encoding[]): string {
  const [first, second] = encodings
  if (!first) return ''
  if (!second) return first.label
  return first.label === ''
    ? `${encodings.length} command buffers`
    : `${first.label} and ${encodings.length - 1} more`
}

/** Resolves with the host time at which completion was reported; rejects where the device was lost before. */
export function completionOf(submission: Submission): Promise<number> {
  return new Promise((resolve, reject) => {
    const { settled } = submission
    const settle = (): void => {
      if (submission.completedNs !== null) resolve(submission.completedNs)
      else reject(new Error('The device was lost before the submission was reported complete.'))
    }
    if (settled.state === 'pending') settled.listeners.push(settle)
    else settle()
  })
}
