/**
 * Upload ring: N reused MAP_WRITE buffers, each with a lane of its own. One buffer's life:
 *
 *   free ──mapAsync()──> mapping ──resolved──> mapped ──first write──> filled ──unmap()──> in flight ─┐
 *    ^                                                                                                │
 *    │   release(): mapAsync() is called at once, and resolves when the device no longer needs it     │
 *    └──────── or, without release(), when the copying submission was heard to be complete ───────────┘
 *
 * In Chromium a mapped range is shared memory that the GPU process copies at unmap() (MECHANICS §1): 'in flight' covers that
 * copy, the wait in the queue and the copy on the device. The ring never blocks: `acquire` awaits, and says so in the host lane.
 */
import { createBuffer, MAP_MODE, USAGE, type OwnedBuffer } from './buffers'
import type { LabDevice } from './device'
import type { Encoding, LabQueue, Submission } from './queue'
import type { Recorder } from './recorder'

type SlotState = 'free' | 'mapping' | 'mapped' | 'filled' | 'in-flight'

export interface StagingSlot {
  readonly index: number
  readonly buffer: OwnedBuffer
  state: SlotState
  sinceNs: number
  readonly lane: number
  /** Resolves when mapped again. */
  mapped: Promise<void>
  /** mapAsync() was called and has not resolved. */
  mapPending: boolean
  lastSubmission: Submission | null
  /** Trace index of the last 'staging-filled' span. */
  filledSpan: number
}

export class StagingRing {
  readonly slots: readonly StagingSlot[]
  readonly #recorder: Recorder
  readonly #queue: LabQueue
  #next = 0
  readonly #depth: { active: number }

  private constructor(slots: readonly StagingSlot[], recorder: Recorder, queue: LabQueue) {
    this.slots = slots
    this.#recorder = recorder
    this.#queue = queue
    this.#depth = { active: slots.length }
  }

  static async create(
    device: LabDevice,
    recorder: Recorder,
    queue: LabQueue,
    count: number,
    sizeBytes: number,
  ): Promise<StagingRing> {
    const slots: StagingSlot[] = []
    for (let index = 0; index < count; index += 1) {
      const name = `staging ${String(index)}`
      slots.push({
        index,
        buffer: await createBuffer(device, name, sizeBytes, USAGE.mapWrite | USAGE.copySrc),
        state: 'free',
        sinceNs: recorder.now(),
        lane: recorder.stagingLane(index),
        mapped: Promise.resolve(),
        mapPending: false,
        lastSubmission: null,
        filledSpan: -1,
      })
    }
    return new StagingRing(slots, recorder, queue)
  }

  /** Uses the first `count` buffers from now on, all of them mapped; for a variant with a shallower ring. */
  async begin(count: number): Promise<void> {
    this.#depth.active = Math.min(count, this.slots.length)
    this.#next = 0
    for (const slot of this.#active()) {
      this.#requestMap(slot)
      await this.#queue.waitFor(null, `await mapAsync(staging ${String(slot.index)})`, slot.mapped)
    }
  }

  /** Ends a variant: every buffer is unmapped and free. All submissions must have been awaited. */
  async end(): Promise<void> {
    for (const slot of this.slots) {
      if (slot.state === 'free') continue
      await this.#queue.waitFor(null, `await mapAsync(staging ${String(slot.index)})`, slot.mapped)
      if (slot.state === 'mapped') slot.buffer.gpu.unmap()
      this.#change(slot, 'free')
    }
  }

  /** Reused in turn. Awaits until it is mapped, and records that as the host waiting for a staging buffer. */
  async acquire(): Promise<StagingSlot> {
    const slot = this.slots[this.#next]
    if (!slot) throw new Error('a staging ring needs at least one buffer')
    this.#next = (this.#next + 1) % this.#depth.active
    if (slot.state !== 'mapped') {
      this.#requestMap(slot)
      await this.#queue.waitFor(
        slot.lastSubmission,
        `await staging ${String(slot.index)}: mapAsync()`,
        slot.mapped,
      )
    }
    return slot
  }

  /** Writes the first `sizeBytes` and unmaps. Chromium copies the whole mapped range at unmap(): buffers are sized exactly. */
  fill(slot: StagingSlot, sizeBytes: number, write: (range: ArrayBuffer) => void): void {
    const recorder = this.#recorder
    const start = recorder.now()
    this.#change(slot, 'filled', start)
    write(slot.buffer.gpu.getMappedRange(0, sizeBytes))
    slot.buffer.gpu.unmap()
    const end = recorder.now()
    recorder.host('host-work', `fill staging ${String(slot.index)}`, start, end, { bytes: sizeBytes })
    slot.filledSpan = this.#change(slot, 'in-flight', end, sizeBytes)
  }

  /** Records the copy from the slot into a command buffer. */
  encodeCopy(encoding: Encoding, slot: StagingSlot, to: OwnedBuffer, sizeBytes: number): void {
    encoding.copy(slot.buffer, 0, to, 0, sizeBytes)
  }

  /** After the submission that copies from the slot: asks for it back at once, as a ring does. */
  release(slot: StagingSlot, submission: Submission): void {
    slot.lastSubmission = submission
    this.#requestMap(slot)
  }

  /** After the copying submission has been awaited, without asking for the buffer yet: it is at nobody's disposal. */
  park(slot: StagingSlot, submission: Submission): void {
    slot.lastSubmission = submission
    this.#change(slot, 'free')
  }

  destroy(): void {
    for (const slot of this.slots) slot.buffer.destroy()
  }

  #active(): readonly StagingSlot[] {
    return this.slots.slice(0, this.#depth.active)
  }

  #requestMap(slot: StagingSlot): void {
    if (slot.state === 'mapped' || slot.mapPending) return
    // In flight stays in flight until the promise says otherwise: mapAsync() was called, but the device still reads.
    if (slot.state !== 'in-flight') this.#change(slot, 'mapping')
    slot.mapPending = true
    const pending = slot.buffer.gpu.mapAsync(MAP_MODE.write).then(() => {
      slot.mapPending = false
      this.#change(slot, 'mapped')
    })
    // Awaited by acquire(), begin() or end(); a run that is cancelled in between must not leave an unhandled rejection.
    pending.catch(() => undefined)
    slot.mapped = pending
  }

  /** Closes the span of the present state and opens the next. Returns the closed span's index. */
  #change(slot: StagingSlot, state: SlotState, atNs = this.#recorder.now(), sizeBytes?: number): number {
    const bytes = sizeBytes ?? (slot.state === 'in-flight' ? slot.buffer.sizeBytes : undefined)
    const submission = slot.state === 'in-flight' ? slot.lastSubmission?.id : undefined
    const span = this.#recorder.span(
      slot.lane,
      `staging-${slot.state}`,
      slot.state.replace('-', ' '),
      slot.sinceNs,
      atNs,
      { ...(bytes === undefined ? {} : { bytes }), ...(submission === undefined ? {} : { submission }) },
    )
    slot.state = state
    slot.sinceNs = atNs
    return span
  }
}
