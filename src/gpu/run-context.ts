/**
 * Everything that a run may touch: buffers, rings and pipelines, all freed at its end; error scopes
 * around the whole run; a cancel signal that every await races against. Each run has a context of
 * its own, and nothing survives it.
 */
import { CancelledError, FaultError, toFault, type Fault, fail, succeed, type Result } from '../base/fault'
import { startRecording, type Realm, type RecordingSession } from '../recorder'
import type { RunInfo, TraceChunk } from '../trace/schema'
import { createBuffer, type OwnedBuffer, Owner, type Destroyable } from './buffers'
import { openDevice, type LabDevice } from './device'
import { faultOfGpuError } from './faults'
import { PipelineCache, type Dispatch, type KernelCall } from './pipelines'
import { LabQueue, type Race } from './queue'

export interface RunContextOptions {
  readonly record: boolean
  readonly send?: ((chunk: TraceChunk) => void) | undefined
  readonly hostStepUs: number
  /** Null: not known yet, taken as 1 ns. */
  readonly deviceStepNs: number | null
  readonly info: RunInfo
  /**
   * Copies from and to mappable buffers can be timed by empty passes round them, as was found for
   * this device.
   */
  readonly copyTimingWorks?: boolean
  /** Default: this realm. For tests. */
  readonly realm?: Realm | undefined
  /** Default: LIMITS. For tests. */
  readonly limits?: RunLimits | undefined
}

/** Shorter copies are over before an empty pass is; their bracket would time the passes. */
const LEAST_TIMED_COPY_BYTES = 64 * 2 ** 10

/** When a run gives up, ms. */
export interface RunLimits {
  /**
   * Nothing was awaited anew for so long: what the run waits for will not come. A window is one
   * wait of the run's, and lasts some seconds at most; on a processor, some kernels take a second
   * or two to compile.
   */
  readonly silenceMs: number
  /**
   * WebGPU answers a popped scope as soon as the commands before it were handled; a browser that
   * takes longer has stopped answering.
   */
  readonly scopesMs: number
  /**
   * How long what a run was doing may go on after it was cancelled, until its next call of WebGPU
   * throws. Its buffers are destroyed and WebGPU is unpatched only then. What goes on beyond is
   * left with a device that is destroyed: on a live one it would work with destroyed buffers, and
   * its errors would be those of the next run.
   */
  readonly lastCallMs: number
}
const LIMITS: RunLimits = { silenceMs: 60_000, scopesMs: 10_000, lastCallMs: 1500 }

/**
 * Silence is counted in so many ticks: a machine that slept, or a thread that computed, has missed
 * one or two.
 */
const SILENCE_TICKS = 12

const SCOPES = ['validation', 'out-of-memory', 'internal'] as const

/**
 * Taken when a run begins: where a learner's program runs, the global has no timers any more
 * (exercises/worker/global.ts).
 */
const takeTimers = () => ({ start: setTimeout.bind(globalThis), stop: clearTimeout.bind(globalThis) })

/** Makes buffers and dispatches: the run itself for its device, or `RunContext.anotherDevice`. */
export type DeviceSite = Pick<RunContext, 'device' | 'session' | 'queue' | 'race' | 'buffer' | 'dispatch'>

export class RunContext {
  readonly device: LabDevice
  /** The recording of this run. */
  readonly session: RecordingSession
  readonly queue: LabQueue
  readonly race: Race
  readonly #pipelines: PipelineCache
  readonly #owner = new Owner()
  readonly #unsubscribe: (() => void)[] = []
  readonly #invalid: string[] = []
  readonly #abort: (reason: Error) => void
  readonly #timers = takeTimers()
  readonly #limits: RunLimits
  #waits = 0
  #aborted: Error | null = null

  private constructor(device: LabDevice, options: RunContextOptions) {
    this.device = device
    this.#pipelines = PipelineCache.of(device)
    this.#limits = options.limits ?? LIMITS
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
    this.race = (promise) => {
      this.#waits += 1
      return Promise.race([promise, aborted])
    }
    this.queue = new LabQueue(device, this.session, this.race)

    this.#heed(device)
    const alreadyLost = device.lostFault()
    if (alreadyLost) this.#abort(new FaultError(alreadyLost))
  }

  /** Throws where this realm is being recorded already: one run at a time. */
  static open(device: LabDevice, options: RunContextOptions): RunContext {
    return new RunContext(device, options)
  }

  /**
   * Runs `body` inside error scopes and frees everything once it has ended, also when it throws.
   * Ends by itself where nothing goes on: with 'timeout', and the device is then destroyed, as it
   * is where `body` cannot be stopped.
   */
  async use<T>(body: (context: this) => Promise<T>): Promise<T> {
    const { gpu } = this.device
    for (const filter of SCOPES) gpu.pushErrorScope(filter)
    const endWatch = this.#watch()
    let ended: { readonly value: T } | { readonly thrown: unknown }
    let scoped: FaultError | null
    try {
      const running = body(this)
      try {
        ended = { value: await this.race(running) }
      } catch (thrown) {
        ended = { thrown }
        this.session.interrupt(new CancelledError())
        if (!(await this.#settles(running))) this.device.destroy()
      }
      scoped = await this.#popScopes()
    } finally {
      endWatch()
      this.#free()
    }
    // The cause stands before the symptom: a rejected promise of a lost device is reported as the
    // loss, a failed command as what its scope caught. A fault that was thrown knows more than the
    // scope: a shader's file and line.
    if (this.#aborted) throw this.#aborted
    if ('thrown' in ended) throw ended.thrown instanceof FaultError ? ended.thrown : (scoped ?? ended.thrown)
    if (scoped) throw scoped
    return ended.value
  }

  /**
   * Tries something that may rightly fail, in error scopes of its own, so that the run goes on
   * without it: a kernel that does not compile here. Cancellation, loss of the device, and bugs
   * still throw.
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
    const scoped = await this.#popScopes()
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
    return await this.race(createBuffer(this.device, this.#owner, label, sizeBytes, usage))
  }

  async dispatch(call: KernelCall, buffers: readonly OwnedBuffer[]): Promise<Dispatch> {
    return await this.race(this.#pipelines.dispatch(this.#owner, call, buffers))
  }

  /**
   * A device more, recorded like the first: its buffers and itself are freed at the end of the run,
   * and its faults end the run.
   *
   * @throws FaultError as `openDevice` does.
   */
  async anotherDevice(gpu: GPU | undefined, deviceStepNs: number | null): Promise<DeviceSite> {
    const device = await this.race(this.#opened(gpu))
    this.#heed(device)
    this.session.attach(device.gpu, { deviceStepNs: device.hasTimestamps ? deviceStepNs : null })
    const pipelines = PipelineCache.of(device)
    return {
      device,
      session: this.session,
      queue: new LabQueue(device, this.session, this.race),
      race: this.race,
      buffer: (...asked) => this.race(createBuffer(device, this.#owner, ...asked)),
      dispatch: (...asked) => this.race(pipelines.dispatch(this.#owner, ...asked)),
    }
  }

  /** Frees one thing before the end of the run: calibration makes buffers of many sizes. */
  release(resource: Destroyable): void {
    this.#owner.release(resource)
  }

  /**
   * Recording on while `body` runs: calibration needs timestamps also where the run itself is not
   * recorded.
   */
  async recorded<T>(body: () => Promise<T>): Promise<T> {
    const before = this.session.recording
    this.session.recording = true
    try {
      return await body()
    } finally {
      this.session.recording = before
    }
  }

  /**
   * Lets the browser deliver messages (cancel, visibility) between windows: a macrotask, not a
   * microtask.
   */
  breathe(): Promise<void> {
    return this.race(new Promise((resolve) => this.#timers.start(resolve, 0)))
  }

  #heed(device: LabDevice): void {
    const failWith = (fault: Fault) => this.#abort(new FaultError(fault))
    this.#unsubscribe.push(device.onLost(failWith), device.onError(failWith))
  }

  /** The run's from the moment that it is there, also where the run has ended by then. */
  async #opened(gpu: GPU | undefined): Promise<LabDevice> {
    this.#owner.check()
    const device = this.#owner.own(await openDevice(gpu))
    try {
      this.#owner.check()
    } catch (ended) {
      this.#owner.release(device)
      throw ended
    }
    return device
  }

  /** Freed at the run's end, however it ends. */
  own<T extends Destroyable>(resource: T): T {
    return this.#owner.own(resource)
  }

  /** Gives up once nothing was awaited anew for too long. Call what it returns at the end. */
  #watch(): () => void {
    const { silenceMs } = this.#limits
    let timer: ReturnType<typeof setTimeout>
    let seen = this.#waits
    let silentTicks = 0
    const tick = () => {
      silentTicks = this.#waits === seen ? silentTicks + 1 : 0
      seen = this.#waits
      if (silentTicks < SILENCE_TICKS) again()
      else
        this.#giveUp(
          `The run waited ${String(silenceMs / 1000)} s for something that did not come: the device or the browser has stopped answering.`,
        )
    }
    const again = () => (timer = this.#timers.start(tick, silenceMs / SILENCE_TICKS))
    again()
    return () => this.#timers.stop(timer)
  }

  /** Ends with whatever hangs in the device. */
  #giveUp(message: string): void {
    this.#abort(
      new FaultError({
        code: 'timeout',
        message,
        hint: 'Run again; if it happens again, restart the browser.',
      }),
    )
    this.device.destroy()
  }

  /** Resolves with whether the run stopped soon after it was told to. */
  async #settles(running: Promise<unknown>): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<false>(
      (resolve) => (timer = this.#timers.start(resolve, this.#limits.lastCallMs, false)),
    )
    const settled = running.then(
      () => true,
      () => true,
    )
    const settles = await Promise.race([settled, late])
    this.#timers.stop(timer)
    return settles
  }

  /**
   * The first error that the scopes caught; none is waited for where it is known already why the
   * run ends. A lost device answers none.
   */
  async #popScopes(): Promise<FaultError | null> {
    const pops = SCOPES.map(() => this.device.gpu.popErrorScope().catch(() => null))
    if (this.#aborted) return null
    const { scopesMs } = this.#limits
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'late'>((resolve) => (timer = this.#timers.start(resolve, scopesMs, 'late')))
    // Not `gpu.lost`: that promise would keep what reacts to it, and so this run, as long as the
    // device lives.
    let unsubscribe: () => void = () => undefined
    const lost = new Promise<'lost'>((resolve) => {
      unsubscribe = this.device.onLost(() => resolve('lost'))
    })
    const answer = await Promise.race([Promise.all(pops), late, lost])
    this.#timers.stop(timer)
    unsubscribe()
    if (answer === 'lost') return null
    if (answer === 'late') {
      this.#giveUp(
        `The browser did not answer for ${String(scopesMs / 1000)} s whether its commands were valid.`,
      )
      return null
    }
    const error = answer.find((candidate) => candidate !== null)
    return error ? new FaultError(faultOfGpuError(error, 'during the run')) : null
  }

  #free(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    // The lab rejects pending requests below, with their buffers; nobody has to handle them.
    this.session.interrupt(new CancelledError())
    this.session.stop()
    this.#owner.end()
  }
}
