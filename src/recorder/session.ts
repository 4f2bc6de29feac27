/**
 * A recording session: while it is on, the prototypes of one realm’s WebGPU are patched, and any
 * program that runs in that realm is recorded. After it they are as before. `Trace.rejected`
 * counts by reason what could not be recorded.
 */
import type { TraceBuilder } from '../trace/builder'
import { NO_SLOT, type SpanKind, type SpanRole, type Trace } from '../trace/schema'
import { Buffers } from './buffers'
import { Devices, type DeviceFacts } from './devices'
import { Encoders, type StampOptions, type Stamping } from './encoders'
import { Gate, type ProgramState } from './gate'
import { SpanWriter, type SpanWriterOptions, type SpanExtra } from './span-writer'
import type { CallLines } from './lines'
import { otherThread, type OtherThread } from './other-thread'
import { install, type Patch } from './patches'
import { writeSubmission, stepOfStamps } from './write-spans'
import { isCompleted, Queues } from './queues'
import { captureNatives, type Natives, type Realm } from './realm'
import type { DeviceRecord, Submission } from './records'
import type { Resolved, StampSet, Ticks } from './stamps'
import { apiPatches, type Recorded } from './api-patches'
import type { Tag } from './records'

export interface SessionOptions extends SpanWriterOptions {
  /** Default: this realm. */
  readonly realm?: Realm | undefined
  /**
   * 'passes' (default) stamps each pass, 'outer' the first begin and the last end of a command
   * buffer, and 'none' asks for no timestamps.
   */
  readonly stamp?: Stamping | undefined
  /**
   * Callbacks given to the promise of mapAsync() or onSubmittedWorkDone() are a wait, if no
   * WebGPU is called until they run. Default: false.
   */
  readonly callbacksWait?: boolean | undefined
  /** More to patch, below what is patched anyway. */
  readonly rows?: ((recorded: Recorded) => readonly Patch[]) | undefined
  /**
   * Copies of at least so many bytes between a mappable buffer and another are bracketed by two
   * empty stamped passes, on devices where `selfTestCopyTiming` found that this times them.
   * Default: none.
   */
  readonly timeCopies?: { readonly minBytes: number } | null | undefined
}

/** On the prototype of a queue that is being recorded: another copy of this file finds it too. */
const RECORDED = Symbol.for('host-device-lab.recorded')

/** Patches the realm. @throws Error where it has no WebGPU, or is being recorded. */
export const startRecording = (options: SessionOptions): RecordingSession => new RecordingSession(options)

export class RecordingSession {
  /** For the recorder's own files: WebGPU as it is without the patches. */
  readonly natives: Natives
  /**
   * Which passes of the command buffers encoded from now on are stamped. A session that was
   * started with ‘none’ has no timestamps to give.
   */
  readonly stamps: StampOptions
  /** Where a program's calls stand in it, and the URL of the program that runs next. */
  readonly lines: CallLines
  readonly #writer: SpanWriter
  readonly #recorded: Recorded
  readonly #restore: () => readonly string[]
  #replaced: readonly string[] = []
  #isStopped = false
  #hasLostStamps = false

  constructor(options: SessionOptions) {
    const realm: Realm = options.realm ?? globalThis
    if (!('GPUQueue' in realm)) throw new Error('This realm has no WebGPU to record.')
    const { GPUQueue } = realm
    if (Reflect.getOwnPropertyDescriptor(GPUQueue.prototype, RECORDED))
      throw new Error('This page is being recorded already.')
    const { stamp = 'passes', timeCopies = null, callbacksWait = false } = options
    const wantsStamps = stamp !== 'none'
    const natives = captureNatives(realm)
    const writer = new SpanWriter(realm, natives, options)
    const buffers = new Buffers(writer)
    const stamps: StampOptions = { stamp, minCopyBytes: timeCopies?.minBytes ?? null }
    const encoders = new Encoders(writer, natives, buffers, stamps)
    const queues = new Queues(writer, natives, buffers, encoders)
    const devices = new Devices(writer, natives, wantsStamps, (device) => {
      queues.lost(device)
    })
    const gate = new Gate(realm.Promise, callbacksWait)
    this.natives = natives
    this.stamps = stamps
    this.lines = writer.lines
    this.#writer = writer
    // oxfmt-ignore
    this.#recorded = { realm, natives, writer, devices, buffers, encoders, queues, wantsStamps, gate }
    this.#restore = install([...(options.rows?.(this.#recorded) ?? []), ...apiPatches(this.#recorded)])
    Reflect.defineProperty(GPUQueue.prototype, RECORDED, { value: true, configurable: true })
  }

  get hostLane(): number {
    return this.#writer.hostLane
  }

  /** Passes with timestamps that are not read so far. */
  get waitingStamps(): number {
    return this.#recorded.devices.all.reduce(
      (sum, { pool, pageStamps }) => sum + (pool?.waiting ?? 0) + (pageStamps?.waiting ?? 0),
      0,
    )
  }

  get builder(): TraceBuilder {
    return this.#writer.builder
  }

  /**
   * The tag of calls made from now on. Each call keeps the tag that was in force when it was
   * made.
   */
  get tag(): Tag {
    return this.#writer.tag
  }
  set tag({ variant, repeat, step }: Tag) {
    this.#writer.tag = { ...(variant === undefined ? {} : { variant }), repeat, step }
  }

  /** False: calls pass through; nothing is stamped or recorded. */
  get recording(): boolean {
    return this.#writer.on
  }
  set recording(on: boolean) {
    if (on === this.#writer.on || this.#isStopped) return
    if (on) {
      this.#writer.on = true
      this.#recorded.buffers.reopen()
    } else {
      this.#recorded.buffers.close()
      this.#writer.on = false
    }
  }

  /** Smallest step of the host's clock, ns. */
  get hostStepNs(): number {
    return this.#writer.hostStepNs
  }

  /** A device made before the session, or facts about one. */
  attach(device: GPUDevice, facts: DeviceFacts): void {
    this.#recorded.devices.attach(device, facts)
  }

  /** Host ns since the trace's origin. */
  now(): number {
    return this.#writer.now()
  }

  /**
   * A closed span on the host’s lane: a window, or a computation that the program marks; -1 while
   * recording is off.
   */
  hostSpan(
    kind: SpanKind,
    role: SpanRole,
    name: string,
    start: number,
    end: number,
    extra: SpanExtra = {},
  ): number {
    const line = extra.line ?? (this.#writer.on && role !== 'none' ? this.#writer.line(role) : undefined)
    return this.#writer.host(kind, role, name, start, end, { ...extra, line })
  }

  /**
   * Records a promise that is not WebGPU’s as a wait on the host’s lane, from this call until it
   * settles. The program calls it synchronously, so the line is its own.
   */
  awaited<T>(role: SpanRole, name: string, promise: Promise<T>): Promise<T> {
    return this.#spanOf('host-wait', role, name, undefined, () => promise)
  }

  async #spanOf<T>(
    kind: SpanKind,
    role: SpanRole,
    name: string,
    bytes: number | undefined,
    body: () => Promise<T>,
    written: (span: number) => void = () => undefined,
  ): Promise<T> {
    const { tag, on } = this.#writer
    const line = on ? this.#writer.line(role) : -1
    const start = this.now()
    try {
      return await body()
    } finally {
      const span = this.#writer.host(kind, role, name, start, this.now(), { tag, line, bytes })
      if (span >= 0) written(span)
    }
  }

  /**
   * Records a message to or from another rank, from this call until the promise of `body`
   * settles, with its row among the collectives. The program calls it synchronously, so the line
   * is its own.
   *
   * @param sequence counts this rank’s messages of this kind with that rank, from 0; the other
   * rank counts alike
   */
  messaged<T>(
    operation: 'send' | 'recv',
    peer: number,
    { bytes, sequence }: { readonly bytes: number; readonly sequence: number },
    body: () => Promise<T>,
  ): Promise<T> {
    const name = `${operation} ${operation === 'send' ? 'to' : 'from'} ${String(peer)}`
    return this.#spanOf('collective', operation, name, bytes, body, (span) => {
      this.builder.addCollective({ span, operation, peer, sequence })
    })
  }

  /**
   * Another thread that works for the program, on a lane of its own; `name` as drawn: 'host
   * (loader)'.
   */
  otherThread(name: string): OtherThread {
    return otherThread(this.#writer, name)
  }

  /** Adds to the work of an open pass: floating-point operations, and bytes moved. */
  work(
    pass: GPUComputePassEncoder,
    { flops, bytes }: { readonly flops?: number; readonly bytes?: number },
  ): void {
    const stamped = this.#recorded.encoders.passOf(pass)
    if (!stamped) return
    if (flops !== undefined) stamped.flops = (stamped.flops ?? 0) + flops
    if (bytes !== undefined) stamped.bytes = (stamped.bytes ?? 0) + bytes
  }

  /** Device ns of a pass, once collected. Undefined: not stamped, or refused by the sanity gate. */
  ticksOf(pass: GPUComputePassEncoder | GPURenderPassEncoder): number | undefined {
    return this.#recorded.encoders.passOf(pass)?.durationNs
  }

  /**
   * Whether the device's newest submission was reported complete by then; true where there is none.
   */
  wasDone(device: GPUDevice, timeNs: number): boolean {
    const { last } = this.#recorded.devices.of(device)
    return !last || (last.completedNs ?? Infinity) <= timeNs
  }

  /**
   * Waits until every recorded submission is reported complete, reads their timestamps in a
   * submission of its own, and writes device spans, flows and clock snapshots. Call it outside
   * measured windows. Whatever a lost device leaves open is counted.
   */
  async collect(): Promise<void> {
    this.#recorded.encoders.writeUnsubmitted()
    await Promise.all(this.#recorded.devices.all.map((device) => this.#collect(device)))
    this.#writer.flush()
  }

  /**
   * From now on each call of the program throws `reason`. unmap() and destroy() still clean up,
   * and so do the recorder’s own calls.
   */
  interrupt(reason: Error): void {
    this.#recorded.gate.interruption ??= reason
    this.#recorded.gate.wasInterrupted = true
  }
  /** Why, or null. For loops of the lab's own. */
  get interruption(): Error | null {
    return this.#recorded.gate.interruption
  }

  /**
   * For a learner’s program: 'runs' before it is called, 'ended' once its promise has settled,
   * 'none' a turn of the event loop later, when the lab may use WebGPU again.
   */
  set program(state: ProgramState) {
    this.#recorded.gate.program = state
  }

  /**
   * A promise of the lab’s for a program: as those of WebGPU, it does not settle after the
   * program’s end.
   */
  given<T extends Promise<unknown>>(promise: T): T {
    return this.#recorded.gate.given(promise)
  }

  /**
   * True: timestamps are missing, for lack of memory or because the recorder’s own commands
   * failed.
   */
  get hasLostStamps(): boolean {
    return this.#hasLostStamps
  }

  /** Sends what is new. `force` false: only where the last chunk is old enough. */
  flush(force = true): void {
    this.#writer.flush(force)
  }

  /** The trace so far. States of buffers that are still open are part of it after `stop`. */
  freeze(): Trace {
    return this.#writer.builder.freeze()
  }

  /**
   * Once stopped: patched members that the program had replaced. A call there was recorded where
   * it went on to what stood there before.
   */
  get replaced(): readonly string[] {
    return this.#replaced
  }

  /** Puts every patched property back exactly as it was. */
  stop(): void {
    if (this.#isStopped) return
    if (this.#writer.on) this.#recorded.buffers.close()
    const { unfinished } = this.#recorded.encoders
    if (unfinished > 0) this.#writer.builder.reject('command encoder not finished', unfinished)
    this.#writer.flush()
    this.#writer.on = false
    this.#isStopped = true
    this.#recorded.gate.interruption = null
    this.#replaced = this.#restore()
    Reflect.deleteProperty(this.#recorded.realm.GPUQueue.prototype, RECORDED)
    for (const { pool, pageStamps } of this.#recorded.devices.all) {
      pool?.destroy()
      pageStamps?.destroy(pageStamps.seal())
    }
  }

  async #collect(device: DeviceRecord): Promise<void> {
    const { builder } = this.#writer
    const { pool } = device
    this.#recorded.queues.askForLast(device)
    const pending = device.pending.splice(0)
    const reusable = pool?.seal() ?? []
    const ofPage = device.pageStamps?.seal() ?? []
    const sets = setsOf(pending)
    // Asked for at once: a browser that polls for completion every 100 ms then reports both at
    // the same poll.
    const reading = pool?.read([...sets]).catch(() => null) ?? null
    const failed = (await Promise.all(pending.map(isCompleted))).filter((done) => !done).length
    if (failed > 0) builder.reject('submission not reported complete', failed)
    if (!pool) return
    if (pool.overflow > 0) builder.reject(NO_SLOT, pool.overflow)
    pool.overflow = 0
    const ticks: Ticks | null = await reading
    device.pageStamps?.destroy(ofPage)
    if ((!ticks || pool.hasFailed) && !device.lost) this.#hasLostStamps = true
    if (!ticks) {
      // Either the device was lost or the recorder’s own commands failed. Faults of the run are
      // reported elsewhere.
      builder.reject(
        device.lost ? 'device times that were lost with their device' : 'timestamps that could not be read',
        pending.length,
      )
      pool.drop(reusable)
      return
    }
    pool.recycle(reusable)
    if (sets.size > 0) device.stepNs ??= stepOfStamps(ticks)
    for (const submission of pending) writeSubmission(this.#writer, submission, ticks)
  }
}

function setsOf(submissions: readonly Submission[]): ReadonlySet<StampSet | Resolved> {
  const sets = new Set<StampSet | Resolved>()
  for (const { encodings } of submissions)
    for (const { stamped } of encodings)
      for (const { slot, ofPage } of stamped ?? []) {
        const set = ofPage?.set ?? slot?.set
        if (set) sets.add(set)
      }
  return sets
}
