/**
 * What a run may touch: buffers, rings and pipelines that are all freed at its end, error scopes round the whole of it, a
 * cancel signal that every await races against. One context a run; nothing of it survives.
 */
import { CancelledError, FaultError, toFault, type Fault } from '../base/fault'
import { fail, succeed, type Result } from '../base/result'
import { startRecording, type RecordingSession } from '../recorder'
import type { RunInfo, TraceChunk } from '../trace/schema'
import { createBuffer, type OwnedBuffer } from './buffers'
import { openDevice, type LabDevice } from './device'
import { faultOfGpuError } from './faults'
import { PipelineCache, type Dispatch, type KernelCall } from './pipelines'
import { LabQueue, type Race } from './queue'
import { ReadbackRing } from './readback-ring'
import { StagingRing } from './staging-ring'

export interface RunContextOptions {
  readonly record: boolean
  readonly send?: ((chunk: TraceChunk) => void) | undefined
  readonly hostStepUs: number
  /** Null: not known yet, taken as 1 ns. */
  readonly deviceStepNs: number | null
  readonly info: RunInfo
  /** Copies from and to mappable buffers can be timed by empty passes round them, as was found for this device. */
  readonly copyTimingWorks?: boolean
}

/** Shorter copies are over before an empty pass is; their bracket would time the passes. */
const LEAST_TIMED_COPY_BYTES = 64 * 2 ** 10

/** WebGPU answers a popped scope as soon as the commands before it were handled; a browser that takes longer has stopped answering. */
const SCOPE_TIMEOUT_MS = 10_000

/**
 * How long what a run was doing may go on after it was cancelled, until its next call of WebGPU throws. Its buffers are destroyed and WebGPU
 * is unpatched only then: a program that went on beyond would work with destroyed buffers, and be recorded as part of the next run.
 */
const LAST_CALL_MS = 1500

const SCOPES = ['validation', 'out-of-memory', 'internal'] as const

interface Destroyable {
  destroy: () => void
}

/** Taken when a run begins: where a learner's program runs, the global has no timers any more (mend/worker/global.ts). */
const takeTimers = () => ({ start: setTimeout.bind(globalThis), stop: clearTimeout.bind(globalThis) })

/** Where buffers and dispatches of a run are made: the run itself for its device, or `RunContext.anotherDevice`. */
export type DeviceSite = Pick<RunContext, 'device' | 'session' | 'race' | 'buffer' | 'dispatch'>

export class RunContext {
  readonly device: LabDevice
  /** What is recorded of this run, and how. */
  readonly session: RecordingSession
  readonly queue: LabQueue
  readonly race: Race
  readonly #pipelines: PipelineCache
  readonly #owned: Destroyable[] = []
  readonly #unsubscribe: (() => void)[] = []
  readonly #invalid: string[] = []
  readonly #abort: (reason: Error) => void
  readonly #timers = takeTimers()
  #aborted: Error | null = null

  private constructor(device: LabDevice, options: RunContextOptions) {
    this.device = device
    this.#pipelines = PipelineCache.of(device)
    this.session = startRecording({ ...options, timeCopies: { minBytes: LEAST_TIMED_COPY_BYTES } })
    this.session.recording = options.record
    this.session.attach(device.gpu, {
      deviceStepNs: device.hasTimestamps ? (options.deviceStepNs ?? 1) : null,
      copyTimingWorks: options.copyTimingWorks,
    })

    let reject: (reason: Error) => void = () => undefined
    const aborted = new Promise<never>((_, rejectAborted) => (reject = rejectAborted))
    aborted.catch(() => undefined) // raced below; alone it is no unhandled rejection
    this.#abort = (reason) => {
      this.#aborted ??= reason
      reject(reason)
      // A program that is under way ends at its next call.
      this.session.interrupt(reason)
    }
    this.race = (promise) => Promise.race([promise, aborted])
    this.queue = new LabQueue(device, this.session, this.race)

    this.#heed(device)
    const alreadyLost = device.lostFault()
    if (alreadyLost) this.#abort(new FaultError(alreadyLost))
  }

  /** Throws where this realm is being recorded already: one run at a time. */
  static open(device: LabDevice, options: RunContextOptions): RunContext {
    return new RunContext(device, options)
  }

  /** Runs `body` inside error scopes and frees everything once it has ended, also when it throws. */
  async use<T>(body: (context: this) => Promise<T>): Promise<T> {
    const { gpu } = this.device
    for (const filter of SCOPES) gpu.pushErrorScope(filter)
    const running = body(this)
    let value: T
    try {
      value = await this.race(running)
    } catch (thrown) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise((resolve) => (timer = this.#timers.start(resolve, LAST_CALL_MS)))
      await Promise.race([running.catch(() => undefined), late])
      this.#timers.stop(timer)
      const scoped = await this.#popScopes(SCOPES.length)
      // The cause stands behind the symptom: a rejected promise of a lost device is reported as the loss, a failed command as
      // what its scope caught. A fault that was thrown knows more than the scope: a shader's file and line.
      throw this.#aborted ?? (thrown instanceof FaultError ? thrown : (scoped ?? thrown))
    } finally {
      this.#free()
    }
    const error = await this.#popScopes(SCOPES.length)
    if (error) throw error
    return value
  }

  /**
   * Tries something that may rightly fail, in error scopes of its own, so that the run goes on without it: a kernel that does not
   * compile here. Cancellation, loss of the device, and bugs still throw.
   */
  async attempt<T>(body: () => Promise<T>): Promise<Result<T>> {
    const { gpu } = this.device
    for (const filter of SCOPES) gpu.pushErrorScope(filter)
    let outcome: Result<T>
    let bug: { readonly thrown: unknown } | null = null
    try {
      outcome = succeed(await body())
    } catch (thrown) {
      outcome = fail(toFault(thrown))
      if (!(thrown instanceof FaultError)) bug = { thrown }
    }
    const scoped = await this.#popScopes(SCOPES.length)
    this.check()
    if (bug) throw bug.thrown
    return outcome.ok && scoped ? fail(scoped.fault) : outcome
  }

  cancel(): void {
    this.#abort(new CancelledError())
  }

  /** Throws when the run was cancelled or its device lost; for loops that do not await. */
  check(): void {
    if (this.#aborted) throw this.#aborted
  }

  /** The run goes on, but its figures must not be believed; the reason is shown with them. */
  invalidate(reason: string): void {
    if (!this.#invalid.includes(reason)) this.#invalid.push(reason)
  }

  get invalidReasons(): readonly string[] {
    return this.#invalid
  }

  async buffer(label: string, sizeBytes: number, usage: number): Promise<OwnedBuffer> {
    return this.own(await this.race(createBuffer(this.device, label, sizeBytes, usage)))
  }

  async dispatch(call: KernelCall, buffers: readonly OwnedBuffer[]): Promise<Dispatch> {
    const dispatch = await this.race(this.#pipelines.dispatch(call, buffers))
    this.own(dispatch.uniforms)
    return dispatch
  }

  async stagingRing(count: number, sizeBytes: number): Promise<StagingRing> {
    return this.own(await this.race(StagingRing.create(this.device, this.race, count, sizeBytes)))
  }

  async readbackRing(count: number, sizeBytes: number): Promise<ReadbackRing> {
    return this.own(await this.race(ReadbackRing.create(this.device, this.race, count, sizeBytes)))
  }

  /**
   * A device more, recorded like the first: its buffers and itself are freed at the end of the run, and its faults end the run.
   *
   * @throws FaultError as `openDevice` does.
   */
  async anotherDevice(gpu: GPU | undefined, deviceStepNs: number | null): Promise<DeviceSite> {
    const device = this.own(await this.race(openDevice(gpu)))
    this.#heed(device)
    this.session.attach(device.gpu, { deviceStepNs: device.hasTimestamps ? deviceStepNs : null })
    const pipelines = PipelineCache.of(device)
    return {
      device,
      session: this.session,
      race: this.race,
      buffer: async (...asked) => this.own(await this.race(createBuffer(device, ...asked))),
      dispatch: async (...asked) => {
        const dispatch = await this.race(pipelines.dispatch(...asked))
        this.own(dispatch.uniforms)
        return dispatch
      },
    }
  }

  /** Frees one thing before the end of the run: calibration makes buffers of many sizes. */
  release(resource: Destroyable): void {
    const at = this.#owned.indexOf(resource)
    if (at >= 0) this.#owned.splice(at, 1)
    resource.destroy()
  }

  /** Recording on while `body` runs: calibration needs timestamps also where the run itself is not recorded. */
  async recorded<T>(body: () => Promise<T>): Promise<T> {
    const before = this.session.recording
    this.session.recording = true
    try {
      return await body()
    } finally {
      this.session.recording = before
    }
  }

  /** Lets the browser deliver messages (cancel, visibility) between windows: a macrotask, not a microtask. */
  breathe(): Promise<void> {
    return this.race(new Promise((resolve) => this.#timers.start(resolve, 0)))
  }

  #heed(device: LabDevice): void {
    const failWith = (fault: Fault) => {
      this.#abort(new FaultError(fault))
    }
    this.#unsubscribe.push(device.onLost(failWith), device.onError(failWith))
  }

  /** Freed at the run's end, however it ends. */
  own<T extends Destroyable>(resource: T): T {
    this.#owned.push(resource)
    return resource
  }

  /** The first error that the scopes caught. A lost device answers none; a live one that does not is a fault of its own. */
  async #popScopes(count: number): Promise<FaultError | null> {
    const pops = Array.from({ length: count }, () => this.device.gpu.popErrorScope().catch(() => null))
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'late'>(
      (resolve) => (timer = this.#timers.start(resolve, SCOPE_TIMEOUT_MS, 'late')),
    )
    const lost = this.device.gpu.lost.then(() => 'lost' as const)
    const answer = await Promise.race([Promise.all(pops), late, lost])
    this.#timers.stop(timer)
    if (answer === 'lost') return null
    if (answer === 'late')
      return new FaultError({
        code: 'timeout',
        message: `The browser did not answer for ${String(SCOPE_TIMEOUT_MS / 1000)} s whether its commands were valid.`,
        hint: 'Run again; if it comes back, restart the browser.',
      })
    const error = answer.find((candidate) => candidate !== null)
    return error ? new FaultError(faultOfGpuError(error, 'during the run')) : null
  }

  #free(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.session.stop()
    for (const resource of this.#owned.splice(0).reverse()) resource.destroy()
  }
}
