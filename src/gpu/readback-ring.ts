/**
 * Readback ring: reused MAP_READ buffers. The copy is recorded into the step's own command buffer;
 * the host then awaits mapAsync(), which resolves when that submission is done (WebGPU §5.4). This
 * await is what `.item()` hides.
 */
import { alignTo4, createBuffer, MAP_MODE, USAGE, type OwnedBuffer } from './buffers'
import type { LabDevice } from './device'
import type { Owner } from './owner'
import type { Encoding, Race } from './queue'

export class ReadbackRing {
  readonly #owner: Owner
  readonly #buffers: readonly OwnedBuffer[]
  readonly #race: Race
  #next = 0

  private constructor(owner: Owner, buffers: readonly OwnedBuffer[], race: Race) {
    this.#owner = owner
    this.#buffers = buffers
    this.#race = race
  }

  static async create(
    device: LabDevice,
    owner: Owner,
    race: Race,
    count: number,
    sizeBytes: number,
  ): Promise<ReadbackRing> {
    const buffers: OwnedBuffer[] = []
    for (let index = 0; index < count; index += 1)
      buffers.push(
        await createBuffer(
          device,
          owner,
          `readback ${String(index)}`,
          sizeBytes,
          USAGE.mapRead | USAGE.copyDst,
        ),
      )
    return new ReadbackRing(owner, buffers, race)
  }

  /** Records the copy; call `read` with the returned buffer once submitted. */
  encodeCopy(encoding: Encoding, from: OwnedBuffer, fromOffset: number, sizeBytes: number): OwnedBuffer {
    const buffer = this.#buffers[this.#next]
    if (!buffer) throw new Error('a readback ring needs at least one buffer')
    this.#next = (this.#next + 1) % this.#buffers.length
    encoding.copy(from, fromOffset, buffer, 0, alignTo4(sizeBytes))
    return buffer
  }

  /** Awaits and copies the bytes out. */
  async read(buffer: OwnedBuffer, sizeBytes: number): Promise<ArrayBuffer> {
    const size = alignTo4(sizeBytes)
    await this.#race(buffer.gpu.mapAsync(MAP_MODE.read, 0, size))
    const copy = buffer.gpu.getMappedRange(0, size).slice(0)
    buffer.gpu.unmap()
    return copy
  }

  destroy(): void {
    for (const buffer of this.#buffers) this.#owner.release(buffer)
  }
}
