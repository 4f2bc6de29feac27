/**
 * Encode, submit and wait in a few words, for the lab's own calibration and tuning. Plain WebGPU
 * underneath: what is recorded of it, the recorder records. WebGPU has one queue a device and no
 * priorities; command buffers run in the order submitted.
 */
import type { RecordingSession } from '../recorder'
import { MAP_MODE, type OwnedBuffer } from './buffers'
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

  /** One command buffer, awaited. */
  async run(label: string, encode: (encoder: GPUCommandEncoder) => void): Promise<void> {
    await this.wait(this.submit(label, encode))
  }

  /** Zeros, awaited. */
  async clear(...buffers: readonly OwnedBuffer[]): Promise<void> {
    await this.run('clear', (encoder) => {
      for (const { gpu } of buffers) encoder.clearBuffer(gpu)
    })
  }

  /** Bytes that `copy` writes into a buffer for reading (MAP_READ), in memory of their own. */
  async read(
    label: string,
    into: GPUBuffer,
    copy: (encoder: GPUCommandEncoder) => void,
  ): Promise<ArrayBuffer> {
    const { gpu } = this.#device
    const encoder = gpu.createCommandEncoder({ label })
    copy(encoder)
    gpu.queue.submit([encoder.finish()])
    await this.#race(into.mapAsync(MAP_MODE.read))
    const bytes = into.getMappedRange().slice(0)
    into.unmap()
    return bytes
  }

  /**
   * Reads the timestamps of everything submitted since the last call, for `session.ticksOf`.
   * Outside measured windows: it submits and waits.
   */
  async collect(): Promise<void> {
    await this.#race(this.#session.collect())
    this.#session.flush()
  }
}
