/**
 * Upload ring: N reused MAP_WRITE buffers.
 *
 *   free ──mapAsync()──> mapping ──resolved──> mapped ──write, unmap()──> in flight ─┐
 *    ^                                                                               │
 *    └──────────── release(): mapAsync() is called at once, and resolves when the device no longer needs the buffer
 *
 * In Chromium a mapped range is shared memory that the GPU process copies at unmap(). The ring
 * never blocks: `acquire` awaits.
 */
import { createBuffer, MAP_MODE, USAGE, type OwnedBuffer } from './buffers'
import type { LabDevice } from './device'
import type { Owner } from './owner'
import type { Encoding, Race } from './queue'

export interface StagingSlot {
  readonly index: number
  readonly buffer: OwnedBuffer
  /** Resolves when mapped; null while it is not asked for. */
  mapped: Promise<unknown> | null
}

export class StagingRing {
  readonly slots: readonly StagingSlot[]
  readonly #owner: Owner
  readonly #race: Race
  #next = 0
  #active: number

  private constructor(owner: Owner, slots: readonly StagingSlot[], race: Race) {
    this.#owner = owner
    this.slots = slots
    this.#race = race
    this.#active = slots.length
  }

  static async create(
    device: LabDevice,
    owner: Owner,
    race: Race,
    count: number,
    sizeBytes: number,
  ): Promise<StagingRing> {
    const slots: StagingSlot[] = []
    for (let index = 0; index < count; index += 1) {
      const buffer = await createBuffer(
        device,
        owner,
        `staging ${String(index)}`,
        sizeBytes,
        USAGE.mapWrite | USAGE.copySrc,
      )
      slots.push({ index, buffer, mapped: null })
    }
    return new StagingRing(owner, slots, race)
  }

  /**
   * Uses the first `count` buffers from now on, all of them mapped; for a variant with a shallower
   * ring.
   */
  async begin(count: number): Promise<void> {
    this.#active = Math.min(count, this.slots.length)
    this.#next = 0
    for (const slot of this.slots.slice(0, this.#active)) await this.#race(this.#map(slot))
  }

  /** Ends a variant: every buffer is unmapped. All submissions must have been awaited. */
  async end(): Promise<void> {
    for (const slot of this.slots) {
      if (!slot.mapped) continue
      await this.#race(slot.mapped)
      slot.buffer.gpu.unmap()
      slot.mapped = null
    }
  }

  /** Reused in turn. Awaits until it is mapped. */
  async acquire(): Promise<StagingSlot> {
    const slot = this.slots[this.#next]
    if (!slot) throw new Error('a staging ring needs at least one buffer')
    this.#next = (this.#next + 1) % this.#active
    await this.#race(this.#map(slot))
    return slot
  }

  /**
   * Writes the first `sizeBytes` and unmaps. Chromium copies the whole mapped range at unmap():
   * buffers are sized exactly.
   */
  fill(slot: StagingSlot, sizeBytes: number, write: (range: ArrayBuffer) => void): void {
    write(slot.buffer.gpu.getMappedRange(0, sizeBytes))
    slot.buffer.gpu.unmap()
    slot.mapped = null
  }

  /** Records the copy from the slot into a command buffer. */
  encodeCopy(encoding: Encoding, slot: StagingSlot, to: OwnedBuffer, sizeBytes: number): void {
    encoding.copy(slot.buffer, 0, to, 0, sizeBytes)
  }

  /** After the submission that copies from the slot: asks for it back at once, as a ring does. */
  release(slot: StagingSlot): void {
    // Awaited by acquire() or end(); a run that is cancelled in between must not leave an unhandled
    // rejection.
    this.#map(slot).catch(() => undefined)
  }

  destroy(): void {
    for (const { buffer } of this.slots) this.#owner.release(buffer)
  }

  #map(slot: StagingSlot): Promise<unknown> {
    return (slot.mapped ??= slot.buffer.gpu.mapAsync(MAP_MODE.write))
  }
}
