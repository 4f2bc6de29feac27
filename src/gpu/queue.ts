/**
 * Encode, submit and wait in a few words, for the lab's own calibration and tuning. Plain WebGPU
 * underneath: what is recorded of it, the recorder records. WebGPU has one queue a device and no
 * priorities; command buffers run in the order submitted.
 */
import type { RecordingSession } from '../recorder'
import type { OwnedBuffer } from './buffers'
import type { LabDevice } from './device'

export interface Submission {
  /** Host ns since the trace's origin. */
  readonly submitStartNs: number
  readonly submitEndNs: number
  completedNs: number | null
  /**
   * Resolves when completion is observed, with the host's time; rejects when the device is lost.
   */
  readonly completed: Promise<number>
}

/** Races a promise against cancellation and device loss, so that no await outlives its run. */
export type Race = <T>(promise: Promise<T>) => Promise<T>

export class LabQueue {
  readonly #device: LabDevice
  readonly #session: RecordingSession
  readonly #race: Race

  constructor(device: LabDevice, session: RecordingSession, race: Race) {
    this.#device = device
    this.#session = session
    this.#race = race
  }

  /** One command buffer; an empty one without `encode`. */
  submit(label: string, encode?: (encoder: GPUCommandEncoder) => void): Submission {
    const session = this.#session
    const encoder = this.#device.gpu.createCommandEncoder({ label })
    encode?.(encoder)
    const buffer = encoder.finish()
    const { queue } = this.#device.gpu
    const submitStartNs = session.now()
    queue.submit([buffer])
    const submitEndNs = session.now()
    const submission: Submission = {
      submitStartNs,
      submitEndNs,
      completedNs: null,
      completed: queue.onSubmittedWorkDone().then(() => (submission.completedNs = session.now())),
    }
    // Whoever waits gets the rejection too; a submission nobody waits for must not be an unhandled
    // one.
    submission.completed.catch(() => undefined)
    return submission
  }

  /**
   * Awaits completion of one submission: `torch.cuda.synchronize()` in WebGPU's words, but
   * yielding, never blocking.
   */
  async wait(submission: Submission): Promise<void> {
    this.#session.flush(false)
    await this.#race(submission.completed)
  }

  /** Zeros, awaited. */
  async clear(...buffers: readonly OwnedBuffer[]): Promise<void> {
    await this.wait(
      this.submit('clear', (encoder) => {
        for (const { gpu } of buffers) encoder.clearBuffer(gpu)
      }),
    )
  }

  /**
   * Reads the timestamps of everything submitted since the last call, for `session.ticksOf`. Outside
   * measured windows: it submits and waits.
   */
  async collect(): Promise<void> {
    await this.#race(this.#session.collect())
    this.#session.flush()
  }
}
