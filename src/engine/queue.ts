/**
 * Encode and submit, recorded. Every submission has an id and a label and carries four host times (encoded, submit called,
 * submit returned, completion heard) and, once its timestamps are read, the device's begin and end of each pass:
 *
 *   host    ▇encode▇ ▇submit▇                ▁▁▁▁▁wait▁▁▁▁▁
 *   queue            [───────────── queued ─────────────────]      depth +1 … −1
 *   device                    [▇▇ pass ▇▇][▇▇ pass ▇▇]   ^ heard some ms after the end (Chromium polls, MECHANICS §3)
 *
 * WebGPU has one queue a device and no priorities; command buffers run in the order submitted.
 */
import type { OwnedBuffer } from './buffers'
import type { LabDevice } from './device'
import type { Dispatch } from './pipelines'
import type { Recorder, Tag } from './recorder'
import type { TickPair, TimestampPool, TimestampSlot } from './timestamp-pool'

export interface PassRecord {
  readonly name: string
  readonly slot: TimestampSlot | null
  readonly tag: Tag
  readonly flops: number | undefined
  readonly bytes: number | undefined
}

/** A copy between two passes that touch its buffers: WebGPU can time passes only (MECHANICS §4 'Timing copies'). */
export interface TransferBracket {
  readonly name: string
  readonly bytes: number
  readonly before: PassRecord
  readonly after: PassRecord
  /** Trace index of the staging span that filled the bytes; -1 none. */
  readonly filledSpan: number
}

export interface Submission {
  readonly id: number
  readonly label: string
  readonly tag: Tag
  readonly submitSpan: number
  /** Host ns. */
  readonly encodedNs: number
  readonly submitStartNs: number
  readonly submitEndNs: number
  completedNs: number | null
  /** Host ns at which completion was heard; rejects when the device is lost. */
  readonly completed: Promise<number>
  readonly passes: readonly PassRecord[]
  readonly transfers: readonly TransferBracket[]
  /** Host-wait spans that ended because of this submission. */
  readonly waits: number[]
}

/** A pass in the trace: span index, begin and end in ticks since the trace's origin tick. */
interface PlacedPass {
  readonly span: number
  readonly begin: number
  readonly end: number
}

/** One command buffer being recorded; the time from creation to finish() is the 'encode' span. */
export class Encoding {
  readonly label: string
  readonly startNs: number
  readonly passes: PassRecord[] = []
  readonly transfers: TransferBracket[] = []
  readonly #encoder: GPUCommandEncoder
  readonly #recorder: Recorder
  readonly #pool: TimestampPool | null
  endNs = 0

  constructor(device: LabDevice, recorder: Recorder, pool: TimestampPool | null, label: string) {
    this.label = label
    this.#recorder = recorder
    this.#pool = pool
    this.startNs = recorder.now()
    this.#encoder = device.gpu.createCommandEncoder({ label })
  }

  /** One compute pass with its dispatches in order, timed as a whole where the device has timestamps. */
  pass(
    name: string,
    dispatches: readonly Dispatch[],
    work: { readonly flops?: number; readonly bytes?: number } = {},
  ): PassRecord {
    const slot = this.#recorder.recording ? (this.#pool?.take() ?? null) : null
    const pass = this.#encoder.beginComputePass({
      label: name,
      ...(slot ? { timestampWrites: slot.writes } : {}),
    })
    for (const dispatch of dispatches) {
      pass.setPipeline(dispatch.pipeline)
      pass.setBindGroup(0, dispatch.bindGroup)
      pass.dispatchWorkgroups(...dispatch.workgroups)
    }
    pass.end()
    const record = { name, slot, tag: this.#recorder.tag, flops: work.flops, bytes: work.bytes }
    this.passes.push(record)
    return record
  }

  copy(from: OwnedBuffer, fromOffset: number, to: OwnedBuffer, toOffset: number, sizeBytes: number): void {
    this.#encoder.copyBufferToBuffer(from.gpu, fromOffset, to.gpu, toOffset, sizeBytes)
  }

  clear(buffer: OwnedBuffer): void {
    this.#encoder.clearBuffer(buffer.gpu)
  }

  bracketTransfer(transfer: TransferBracket): void {
    this.transfers.push(transfer)
  }

  /** @internal Called by LabQueue.submit. */
  finish(): GPUCommandBuffer {
    const buffer = this.#encoder.finish()
    this.endNs = this.#recorder.now()
    return buffer
  }
}

/** Races a promise against cancellation and device loss, so that no await outlives its run. */
export type Race = <T>(promise: Promise<T>) => Promise<T>

export class LabQueue {
  readonly #device: LabDevice
  readonly #recorder: Recorder
  readonly #pool: TimestampPool | null
  readonly #race: Race
  readonly #depthCounter: number
  readonly #deviceStepNs: number
  #nextId = 0
  #depth = 0
  #pending: Submission[] = []
  #deviceLane = -1
  #deviceClock = -1
  #originTick = 0n
  #lastEndTick = 0n

  constructor(
    device: LabDevice,
    recorder: Recorder,
    pool: TimestampPool | null,
    race: Race,
    deviceStepNs: number,
  ) {
    this.#device = device
    this.#recorder = recorder
    this.#pool = pool
    this.#race = race
    this.#deviceStepNs = deviceStepNs
    this.#depthCounter = recorder.builder.addCounter({
      name: 'queue depth',
      unit: 'submissions',
      lane: recorder.queueLane,
    })
  }

  /** Submissions not yet heard to be complete. */
  get depth(): number {
    return this.#depth
  }

  encode(label: string): Encoding {
    return new Encoding(this.#device, this.#recorder, this.#pool, label)
  }

  submit(label: string, encodings: readonly Encoding[]): Submission {
    const recorder = this.#recorder
    const id = this.#nextId
    this.#nextId += 1
    const tag = recorder.tag
    const buffers = encodings.map((encoding) => encoding.finish())
    for (const encoding of encodings)
      recorder.host('encode', `encode ${encoding.label}`, encoding.startNs, encoding.endNs, {
        submission: id,
      })
    const submitStartNs = recorder.now()
    this.#device.gpu.queue.submit(buffers)
    const submitEndNs = recorder.now()
    const submitSpan = recorder.host('submit', `submit ${label}`, submitStartNs, submitEndNs, {
      submission: id,
    })
    this.#changeDepth(1, submitStartNs)
    const submission: Submission = {
      id,
      label,
      tag,
      submitSpan,
      encodedNs: encodings.at(-1)?.endNs ?? submitStartNs,
      submitStartNs,
      submitEndNs,
      completedNs: null,
      completed: this.#device.gpu.queue.onSubmittedWorkDone().then(() => {
        const now = recorder.now()
        submission.completedNs = now
        this.#changeDepth(-1, now)
        recorder.span(recorder.queueLane, 'queued', label, submitStartNs, now, { submission: id }, tag)
        return now
      }),
      passes: encodings.flatMap((encoding) => encoding.passes),
      transfers: encodings.flatMap((encoding) => encoding.transfers),
      waits: [],
    }
    // Whoever waits gets the rejection too; a submission nobody waits for must not be an unhandled one.
    submission.completed.catch(() => undefined)
    if (recorder.recording) this.#pending.push(submission)
    return submission
  }

  /** An empty submit: makes Chromium's GPU process poll for completion once (MECHANICS §3). For calibration only. */
  nudge(): void {
    this.#device.gpu.queue.submit([])
  }

  /** Awaits completion of one submission: `torch.cuda.synchronize()` in WebGPU's words, but yielding, never blocking. */
  async wait(submission: Submission, name = 'await onSubmittedWorkDone()'): Promise<void> {
    await this.waitFor(submission, name, submission.completed)
  }

  /** Awaits anything that ends because of a submission (a mapAsync, say), recorded as the host waiting for it. */
  async waitFor<T>(submission: Submission | null, name: string, promise: Promise<T>): Promise<T> {
    const recorder = this.#recorder
    const tag = recorder.tag
    const start = recorder.now()
    recorder.flush(false)
    const value = await this.#race(promise)
    const span = recorder.span(
      recorder.hostLane,
      'host-wait',
      name,
      start,
      recorder.now(),
      submission ? { submission: submission.id } : {},
      tag,
    )
    if (submission && span >= 0) submission.waits.push(span)
    return value
  }

  /**
   * Reads the timestamps of all submissions since the last call and records their device spans, clock snapshots and flows.
   * Outside measured windows: it submits and waits. Rejects are counted by reason and draw nothing.
   *
   * @returns each accepted pass's duration in device ticks (nanoseconds); empty without timestamps.
   */
  async collect(): Promise<ReadonlyMap<PassRecord, number>> {
    const pool = this.#pool
    const durations = new Map<PassRecord, number>()
    if (!pool || !this.#recorder.recording) {
      this.#pending = []
      return durations
    }
    // All must have been heard of: a snapshot needs the host time after.
    for (const submission of this.#pending) await this.#race(submission.completed)
    const ticks = await this.#race(pool.read())
    if (pool.overflow > 0) this.#recorder.builder.reject('no free timestamp slot', pool.overflow)
    pool.overflow = 0
    for (const submission of this.#pending)
      for (const [pass, { begin, end }] of this.#place(submission, ticks)) durations.set(pass, end - begin)
    this.#pending = []
    this.#recorder.flush()
    return durations
  }

  #changeDepth(change: 1 | -1, timeNs: number): void {
    this.#depth += change
    if (this.#recorder.recording)
      this.#recorder.builder.addCounterSample(this.#depthCounter, timeNs, this.#depth)
  }

  #ensureDeviceLane(first: bigint): void {
    if (this.#deviceLane >= 0) return
    const { builder } = this.#recorder
    this.#originTick = first
    this.#deviceClock = builder.addClock({
      kind: 'device',
      name: 'device timestamps',
      originMs: 0,
      originTick: String(first),
      stepNs: this.#deviceStepNs,
    })
    this.#deviceLane = builder.addLane({
      kind: 'device',
      name: 'device',
      clock: this.#deviceClock,
      group: 'device',
    })
  }

  /** Sanity gate of MECHANICS §4: non-zero, ordered, no longer than the round trip, ends in queue order. */
  #rejectReason(pair: TickPair, submission: Submission): string | null {
    if (pair.begin === 0n || pair.end === 0n) return 'zero timestamp'
    if (pair.end < pair.begin) return 'end before begin'
    if (pair.end < this.#lastEndTick) return 'ends before an earlier pass'
    const roundTripNs = (submission.completedNs ?? Infinity) - submission.submitStartNs
    const slackNs = 2 * this.#deviceStepNs + 2 * this.#recorder.hostStepNs
    // 1e-3: the two clocks' rates may differ, by far less than that.
    if (Number(pair.end - pair.begin) > roundTripNs * 1.001 + slackNs) return 'longer than its round trip'
    return null
  }

  #place(submission: Submission, ticks: readonly TickPair[]): ReadonlyMap<PassRecord, PlacedPass> {
    const { builder } = this.#recorder
    const placed = new Map<PassRecord, PlacedPass>()
    for (const pass of submission.passes) {
      const pair = pass.slot && ticks[pass.slot.index]
      if (!pair) continue
      const reason = this.#rejectReason(pair, submission)
      if (reason) {
        builder.reject(reason)
        continue
      }
      this.#lastEndTick = pair.end
      this.#ensureDeviceLane(pair.begin)
      const begin = Number(pair.begin - this.#originTick)
      const end = Number(pair.end - this.#originTick)
      const span = builder.addSpan({
        lane: this.#deviceLane,
        kind: 'compute',
        name: pass.name,
        start: begin,
        end,
        submission: submission.id,
        ...pass.tag,
        ...(pass.bytes === undefined ? {} : { bytes: pass.bytes }),
        ...(pass.flops === undefined ? {} : { flops: pass.flops }),
      })
      placed.set(pass, { span, begin, end })
      builder.addFlow(submission.submitSpan, span, 'submit')
    }
    const all = [...placed.values()]
    const last = all.at(-1)
    if (!last || submission.completedNs === null) return placed
    for (const wait of submission.waits) builder.addFlow(last.span, wait, 'sync')
    builder.addSnapshot({
      clock: this.#deviceClock,
      hostBeforeNs: submission.submitStartNs,
      beginTick: Math.min(...all.map((pass) => pass.begin)),
      endTick: Math.max(...all.map((pass) => pass.end)),
      hostAfterNs: submission.completedNs,
    })
    this.#placeTransfers(submission, placed)
    return placed
  }

  #placeTransfers(submission: Submission, placed: ReadonlyMap<PassRecord, PlacedPass>): void {
    const { builder } = this.#recorder
    for (const transfer of submission.transfers) {
      const before = placed.get(transfer.before)
      const after = placed.get(transfer.after)
      if (!before || !after) continue
      // From end to end: a begin may be stamped before the barrier in front of it (TOP_OF_PIPE).
      const span = builder.addSpan({
        lane: this.#deviceLane,
        kind: 'transfer',
        name: transfer.name,
        start: before.end,
        end: after.end,
        submission: submission.id,
        ...transfer.before.tag,
        bytes: transfer.bytes,
      })
      if (transfer.filledSpan >= 0) builder.addFlow(transfer.filledSpan, span, 'upload')
    }
  }
}
