/**
 * Encode, submit and wait in a few words, for the lab's own calibration and tuning. Plain WebGPU
 * underneath: what is recorded of it, the recorder records. WebGPU has one queue a device and no
 * priorities; command buffers run in the order submitted.
 */
import type { RecordingSession } from '../recorder'
import type { OwnedBuffer } from './buffers'
import type { LabDevice } from './device'
import { encodeDispatch, type Dispatch } from './pipelines'

/** Stands for one pass in `collect()`. */
export type Pass = GPUComputePassEncoder

export interface Submission {
  readonly label: string
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

/** One command encoder. */
export class Encoding {
  readonly encoder: GPUCommandEncoder
  readonly passes: Pass[] = []
  readonly #session: RecordingSession

  constructor(device: LabDevice, session: RecordingSession, label: string) {
    this.#session = session
    this.encoder = device.gpu.createCommandEncoder({ label })
  }

  /**
   * One compute pass with its dispatches in order, timed as a whole where the device has
   * timestamps.
   */
  pass(
    label: string,
    dispatches: readonly Dispatch[],
    work: { readonly flops?: number; readonly bytes?: number } = {},
  ): Pass {
    const pass = this.encoder.beginComputePass({ label })
    for (const dispatch of dispatches) encodeDispatch(pass, dispatch)
    this.#session.work(pass, work)
    pass.end()
    this.passes.push(pass)
    return pass
  }

  clear(buffer: OwnedBuffer): void {
    this.encoder.clearBuffer(buffer.gpu)
  }
}

export class LabQueue {
  readonly #device: LabDevice
  readonly #session: RecordingSession
  readonly #race: Race
  #passes: Pass[] = []

  constructor(device: LabDevice, session: RecordingSession, race: Race) {
    this.#device = device
    this.#session = session
    this.#race = race
  }

  encode(label: string): Encoding {
    return new Encoding(this.#device, this.#session, label)
  }

  submit(label: string, encodings: readonly Encoding[]): Submission {
    const session = this.#session
    const buffers = encodings.map(({ encoder }) => encoder.finish())
    this.#passes.push(...encodings.flatMap(({ passes }) => passes))
    const { queue } = this.#device.gpu
    const submitStartNs = session.now()
    queue.submit(buffers)
    const submitEndNs = session.now()
    const submission: Submission = {
      label,
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
   * An empty submit: makes Chromium's GPU process poll for completion once. For calibration only.
   */
  nudge(): void {
    this.#device.gpu.queue.submit([])
  }

  /**
   * Awaits completion of one submission: `torch.cuda.synchronize()` in WebGPU's words, but
   * yielding, never blocking.
   */
  async wait(submission: Submission): Promise<void> {
    this.#session.flush(false)
    await this.#race(submission.completed)
  }

  /**
   * Reads the timestamps of everything submitted since the last call. Outside measured windows: it
   * submits and waits.
   *
   * @returns each accepted pass's duration in device ticks (nanoseconds); empty without timestamps.
   */
  async collect(): Promise<ReadonlyMap<Pass, number>> {
    await this.#race(this.#session.collect())
    const durations = new Map<Pass, number>()
    for (const pass of this.#passes) {
      const ticks = this.#session.ticksOf(pass)
      if (ticks !== undefined) durations.set(pass, ticks)
    }
    this.#passes = []
    this.#session.flush()
    return durations
  }
}
