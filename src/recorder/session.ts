/**
 * A recording session: while it is on, the prototypes of one realm's WebGPU are patched, and whatever program runs in that realm is
 * recorded; after it they are as before. What could not be recorded is counted by reason (`Trace.rejected`).
 */
import type { TraceBuilder } from '../trace/builder'
import { NO_SLOT, type SpanKind, type SpanRole, type Trace } from '../trace/schema'
import { Buffers } from './buffers'
import { Devices, type DeviceFacts } from './devices'
import { Encoders, type StampOptions, type Stamping } from './encoders'
import { Gate, type ProgramState } from './gate'
import { Journal, type JournalOptions, type SpanExtra } from './journal'
import { OtherThread } from './other-thread'
import { defineProperty, deleteProperty, getOwnPropertyDescriptor } from './intrinsics'
import { install, type Patch } from './patches'
import { placeSubmission, stepOfStamps } from './place'
import { completionOf, Queues } from './queues'
import { captureNatives, type Natives, type Realm } from './realm'
import type { DeviceRecord, Submission } from './records'
import type { StampSet, Ticks } from './stamps'
import { patchTable, type Recorded } from './table'
import type { Tag } from './tag'

export interface SessionOptions extends JournalOptions {
  /** Default: this realm. */
  readonly realm?: Realm | undefined
  /** 'passes' (default) stamps each pass; 'outer' the first begin and the last end of a command buffer; 'none' asks for no timestamps. */
  readonly stamp?: Stamping | undefined
  /** Patched functions give the text of the originals: some libraries ask whether a function is the browser's own. Default: false. */
  readonly looksNative?: boolean | undefined
  /** Callbacks given to what mapAsync() and onSubmittedWorkDone() return are a wait, where nothing of WebGPU is called until they run. Default: false. */
  readonly callbacksWait?: boolean | undefined
  /** More to patch, below what is patched anyway. */
  readonly rows?: ((recorded: Recorded) => readonly Patch[]) | undefined
  /**
   * Copies of at least so many bytes between a mappable buffer and another are bracketed by two empty stamped passes, on devices where
   * `selfTestCopyTiming` found that this times them. Default: none.
   */
  readonly timeCopies?: { readonly minBytes: number } | null | undefined
}

/** The newest submission of a device. */
export interface SubmissionTimes {
  readonly id: number
  /** Host ns. */
  readonly submitStartNs: number
  readonly submitEndNs: number
  /** Null: not reported so far. */
  readonly completedNs: number | null
  /** Resolves with `completedNs`; rejects where the device is lost before. */
  readonly completed: Promise<number>
}

/** On the prototype of a queue that is being recorded: another copy of this file finds it too. */
const RECORDED = Symbol.for('host-device-lab.recorded')

/** Patches the realm. @throws Error where it has no WebGPU, or is being recorded. */
export const startRecording = (options: SessionOptions): RecordingSession => new RecordingSession(options)

export class RecordingSession {
  /** For the recorder's own files: WebGPU as it is without the patches. */
  readonly natives: Natives
  readonly #realm: Realm
  readonly #journal: Journal
  readonly #devices: Devices
  readonly #buffers: Buffers
  readonly #encoders: Encoders
  readonly #stampOptions: StampOptions
  readonly #queues: Queues
  readonly #restore: () => readonly string[]
  #replaced: readonly string[] = []
  readonly #gate: Gate
  #isStopped = false
  #hasLostStamps = false

  constructor(options: SessionOptions) {
    const realm: Realm = options.realm ?? globalThis
    if (!('GPUQueue' in realm)) throw new Error('This realm has no WebGPU to record.')
    const { GPUQueue } = realm
    if (getOwnPropertyDescriptor(GPUQueue.prototype, RECORDED))
      throw new Error('This page is being recorded already.')
    const { stamp = 'passes', timeCopies = null, looksNative = false, callbacksWait = false } = options
    const wantsStamps = stamp !== 'none'
    const natives = captureNatives(realm)
    const journal = new Journal(realm, natives, options)
    const buffers = new Buffers(journal, natives)
    const stampOptions: StampOptions = { stamp, minCopyBytes: timeCopies?.minBytes ?? null }
    const encoders = new Encoders(journal, natives, buffers, stampOptions)
    const queues = new Queues(journal, natives, buffers, encoders)
    const devices = new Devices(journal, natives, wantsStamps, (device) => {
      queues.lost(device)
    })
    const gate = new Gate(realm.Promise, callbacksWait)
    this.natives = natives
    this.#realm = realm
    this.#journal = journal
    this.#gate = gate
    this.#buffers = buffers
    this.#encoders = encoders
    this.#stampOptions = stampOptions
    this.#queues = queues
    this.#devices = devices
    // oxfmt-ignore
    const recorded: Recorded = { realm, natives, journal, devices, buffers, encoders, queues, wantsStamps, looksNative, gate }
    this.#restore = install([...(options.rows?.(recorded) ?? []), ...patchTable(recorded)])
    defineProperty(GPUQueue.prototype, RECORDED, { value: true, configurable: true })
  }

  get hostLane(): number {
    return this.#journal.hostLane
  }

  /** Passes with timestamps that are not read so far. */
  get waitingStamps(): number {
    return this.#devices.all.reduce((sum, { pool }) => sum + (pool?.waiting ?? 0), 0)
  }

  get builder(): TraceBuilder {
    return this.#journal.builder
  }

  /** What calls made from now on belong to. Each call keeps the tag that was in force when it was made. */
  get tag(): Tag {
    return this.#journal.tag
  }
  set tag({ variant, repeat, step }: Tag) {
    this.#journal.tag = { ...(variant === undefined ? {} : { variant }), repeat, step }
  }

  /** False: calls pass through; nothing is stamped or recorded. */
  get recording(): boolean {
    return this.#journal.on
  }
  set recording(on: boolean) {
    if (on === this.#journal.on || this.#isStopped) return
    if (on) {
      this.#journal.on = true
      this.#buffers.reopen()
    } else {
      this.#buffers.close()
      this.#journal.on = false
    }
  }

  /** What is stamped of the command buffers encoded from now on. A session that was started with 'none' has no timestamps to give. */
  get stamping(): Stamping {
    return this.#stampOptions.stamp
  }
  set stamping(stamp: Stamping) {
    this.#stampOptions.stamp = stamp
  }

  /** True in a warm-up: lines come from the stacks of calls. Else the n-th call of a role in a step has the line that it had then. */
  get linesFromStacks(): boolean {
    return this.#journal.lines.fromStacks
  }
  set linesFromStacks(fromStacks: boolean) {
    this.#journal.lines.fromStacks = fromStacks
  }

  /** Prefix of the URL of the program that runs next: its lines are looked for in stacks. */
  set programUrl(url: string) {
    this.#journal.lines.url = url
  }

  /** Smallest step of the host's clock, ns. */
  get hostStepNs(): number {
    return this.#journal.hostStepNs
  }

  /** A device made before the session, or facts about one. */
  attach(device: GPUDevice, facts: DeviceFacts): void {
    this.#devices.attach(device, facts)
  }

  /** Host ns since the trace's origin. */
  now(): number {
    return this.#journal.now()
  }

  /** A closed span on the host's lane: a window, or a computation that the program marks. -1 while recording is off. */
  hostSpan(
    kind: SpanKind,
    role: SpanRole,
    name: string,
    start: number,
    end: number,
    extra: SpanExtra = {},
  ): number {
    const line = extra.line ?? (this.#journal.on && role !== 'none' ? this.#journal.line(role) : undefined)
    return this.#journal.host(kind, role, name, start, end, { ...extra, line })
  }

  /**
   * What a program awaits that WebGPU does not give, as a wait on the host's lane: from this call until `promise` settles. Called
   * synchronously by the program, so that the line is its own.
   */
  async awaited<T>(role: SpanRole, name: string, promise: Promise<T>): Promise<T> {
    const { tag, on } = this.#journal
    const line = on ? this.#journal.line(role) : -1
    const start = this.now()
    try {
      return await promise
    } finally {
      this.#journal.host('host-wait', role, name, start, this.now(), { tag, line })
    }
  }

  /**
   * A message of this rank to or from another, from this call until what `body` gives settles, with its row among the collectives. Called
   * synchronously by the program, so that the line is its own.
   *
   * @param sequence which of this rank's messages of this kind to or from that rank it is, from 0: one of the other rank has the same
   */
  async messaged<T>(
    operation: 'send' | 'recv',
    peer: number,
    { bytes, sequence }: { readonly bytes: number; readonly sequence: number },
    body: () => Promise<T>,
  ): Promise<T> {
    const { tag, on, builder } = this.#journal
    const line = on ? this.#journal.line(operation) : -1
    const name = operation === 'send' ? `send to ${String(peer)}` : `recv from ${String(peer)}`
    const start = this.now()
    try {
      return await body()
    } finally {
      const span = this.#journal.host('collective', operation, name, start, this.now(), { tag, line, bytes })
      if (span >= 0) builder.addCollective({ span, operation, peer, sequence })
    }
  }

  /** Another thread that works for the program, on a lane of its own; `name` as drawn: 'host (loader)'. */
  otherThread(name: string): OtherThread {
    return new OtherThread(this.#journal, name)
  }

  /** Adds to the work of an open pass: floating-point operations, and bytes moved. */
  work(
    pass: GPUComputePassEncoder,
    { flops, bytes }: { readonly flops?: number; readonly bytes?: number },
  ): void {
    const stamped = this.#encoders.passOf(pass)
    if (!stamped) return
    if (flops !== undefined) stamped.flops = (stamped.flops ?? 0) + flops
    if (bytes !== undefined) stamped.bytes = (stamped.bytes ?? 0) + bytes
  }

  /** Device ns from begin to end of a pass, once collected. Undefined: not stamped, or refused by the sanity gate. */
  ticksOf(pass: GPUComputePassEncoder | GPURenderPassEncoder): number | undefined {
    return this.#encoders.passOf(pass)?.durationNs
  }

  lastSubmission(device: GPUDevice): SubmissionTimes | null {
    const record = this.#devices.of(device)
    const submission = record.last
    if (!submission) return null
    const queues = this.#queues
    const { id, submitStartNs, submitEndNs, completedNs } = submission
    return {
      id,
      submitStartNs,
      submitEndNs,
      completedNs,
      get completed() {
        queues.askForLast(record)
        return completionOf(submission)
      },
    }
  }

  /**
   * Waits until every recorded submission is reported complete, reads their timestamps in a submission of the recorder's own, and writes
   * device spans, flows and clock snapshots. Outside measured windows. What a lost device leaves open is counted.
   */
  async collect(): Promise<void> {
    this.#encoders.writeUnsubmitted()
    await Promise.all(this.#devices.all.map((device) => this.#collect(device)))
    this.#journal.flush()
  }

  /** From now on each call of the program throws `reason`; unmap() and destroy() still clean up, and so do the recorder's own calls. */
  interrupt(reason: Error): void {
    this.#gate.interruption ??= reason
    this.#gate.wasInterrupted = true
  }
  /** Why, or null. For loops of the lab's own. */
  get interruption(): Error | null {
    return this.#gate.interruption
  }

  /**
   * For a learner's program: 'runs' before it is called, 'ended' when its promise has settled, 'none' a turn of the event loop later, when the
   * lab may use WebGPU again.
   */
  set program(state: ProgramState) {
    this.#gate.program = state
  }

  /** A promise of the lab's as a program may hold it: like those of WebGPU, it does not settle beyond the program's end. */
  given<T extends Promise<unknown>>(promise: T): T {
    return this.#gate.given(promise)
  }

  /** Timestamps that were asked for are missing: there was no memory for the recorder's own buffers, or its commands failed. */
  get hasLostStamps(): boolean {
    return this.#hasLostStamps
  }

  /** Sends what is new. `force` false: only where the last chunk is old enough. */
  flush(force = true): void {
    this.#journal.flush(force)
  }

  /** The trace so far. States of buffers that are still open are part of it after `stop`. */
  freeze(): Trace {
    return this.#journal.builder.freeze()
  }

  /** Once stopped: what of the patched the program had replaced. A call there was recorded where it went on to what stood there before. */
  get replaced(): readonly string[] {
    return this.#replaced
  }

  /** Puts every patched property back exactly as it was. */
  stop(): void {
    if (this.#isStopped) return
    if (this.#journal.on) this.#buffers.close()
    const { unfinished } = this.#encoders
    if (unfinished > 0) this.#journal.builder.reject('command encoder not finished', unfinished)
    this.#journal.flush()
    this.#journal.on = false
    this.#isStopped = true
    this.#gate.interruption = null
    this.#replaced = this.#restore()
    deleteProperty(this.#realm.GPUQueue.prototype, RECORDED)
    for (const { pool } of this.#devices.all) pool?.destroy()
    this.#devices.end()
  }

  async #collect(device: DeviceRecord): Promise<void> {
    const { builder } = this.#journal
    const { pool } = device
    this.#queues.askForLast(device)
    const pending = device.pending.splice(0)
    const reusable = pool?.seal() ?? []
    const sets = setsOf(pending)
    // Asked for at once: a browser that looks for completion every 100 ms then reports both at the same look.
    const reading = pool?.read([...sets]).catch(() => null) ?? null
    const failed = (await Promise.all(pending.map(isComplete))).filter((done) => !done).length
    if (failed > 0) builder.reject('submission not reported complete', failed)
    if (!pool) return
    if (pool.overflow > 0) builder.reject(NO_SLOT, pool.overflow)
    pool.overflow = 0
    const ticks: Ticks | null = await reading
    if ((!ticks || pool.hasFailed) && !device.lost) this.#hasLostStamps = true
    if (!ticks) {
      // A lost device, or the recorder's own commands failed: the run's own faults are reported elsewhere.
      builder.reject(
        device.lost ? 'device times that were lost with their device' : 'timestamps that could not be read',
        pending.length,
      )
      pool.drop(reusable)
      return
    }
    pool.recycle(reusable)
    if (sets.size > 0) device.stepNs ??= stepOfStamps(ticks)
    for (const submission of pending) placeSubmission(this.#journal, submission, ticks)
  }
}

const isComplete = (submission: Submission): Promise<boolean> =>
  completionOf(submission).then(
    () => true,
    () => false,
  )

function setsOf(submissions: readonly Submission[]): ReadonlySet<StampSet> {
  const sets = new Set<StampSet>()
  for (const { encodings } of submissions)
    for (const { stamped } of encodings) for (const { slot } of stamped ?? []) if (slot) sets.add(slot.set)
  return sets
}
